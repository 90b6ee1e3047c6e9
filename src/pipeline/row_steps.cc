#include "pipeline/row_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "corpus/parallel_corpus.h"
#include "eval/bleu.h"
#include "graft/error.h"
#include "graft/format.h"
#include "pipeline/comparison_step.h"
#include "pipeline/report_files.h"
#include "pipeline/resources.h"
#include "pipeline/scoring.h"
#include "report/experiment_report.h"
#include "rules/rule_statistics.h"
#include "search/translator.h"
#include "text/vocabulary.h"
#include "translation/translator_pool.h"
#include "translation/values.h"
#include "util/output_file.h"

namespace graft::engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMeasuredRun = 1;

template <class Words>
std::vector<WordId> Indexed(const Words& words, Vocabulary* vocabulary) {
  std::vector<WordId> ids;
  for (const std::string& word : words) ids.push_back(vocabulary->Add(word));
  return ids;
}

// The words that a step itself translates and produces, without those of the steps that fill its non-terminals.
nlohmann::ordered_json DrawnStep(const std::vector<graft::Step>& derivation, const graft::Step& step) {
  std::vector<int> source = step.positions, target;
  for (int t = step.target_begin; t < step.target_end; ++t) target.push_back(t);
  for (const int child : step.children) {
    const graft::Step& inner = derivation[static_cast<size_t>(child)];
    std::erase_if(source, [&](int p) {
      return std::find(inner.positions.begin(), inner.positions.end(), p) != inner.positions.end();
    });
    std::erase_if(target, [&](int t) { return t >= inner.target_begin && t < inner.target_end; });
  }
  return {{"source", source}, {"target", target}};
}

}  // namespace

struct RowSteps::Measured {
  size_t words;
  double seconds;
  Translation best;
};

RowSteps::RowSteps(const ExperimentConfig& config, size_t row, const TrainResources& resources,
                   const std::function<void(std::string_view)>& log)
    : config_(config),
      row_(row),
      train_(config.rows[row].train),
      resources_(resources),
      training_(train_, resources_, {}, log) {}

std::string RowSteps::NBestFile(const ExperimentConfig& config, size_t row, const std::string& test, int run,
                                uint32_t nbest) {
  return fmt::format("{}/nbest.{}.run{}.{}.zst", config.rows[row].train.work_folder(), test, run, nbest);
}

std::vector<std::string> RowSteps::Outputs(const ExperimentConfig& config, size_t row, const std::string& test) {
  const TrainConfig& train = config.rows[row].train;
  std::vector<std::string> outputs;
  for (int run = 1; run <= (train.dev ? train.tune.runs : 1); ++run)
    outputs.push_back(train.work_folder() + "/" + TrainSteps::TestName(test, run) + ".out");
  return outputs;
}

std::vector<Step> RowSteps::Measurements() {
  std::vector<Step> steps;
  if (config_.report.speed_sentences > 0) steps.push_back(Speed());
  if (config_.report.rule_pairs > 0) steps.push_back(Rules());
  if (config_.report.error_sentences > 0) steps.push_back(Errors());
  for (const auto& [test, part] : train_.tests) steps.push_back(Comparison(test, part));
  std::vector<uint32_t> sizes;
  for (const ConsensusRow& consensus : config_.consensus)
    if (std::find(consensus.rows.begin(), consensus.rows.end(), row_) != consensus.rows.end())
      sizes.push_back(consensus.combine.nbest);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  for (const uint32_t nbest : sizes)
    for (const auto& [test, part] : train_.tests)
      for (int run = 1; run <= training_.runs(); ++run) steps.push_back(NBest(test, part, run, nbest));
  return steps;
}

Step RowSteps::Rules() {
  const TrainingCorpus corpus = training_.Corpus();
  Step step;
  step.name = "rules";
  const auto limit = static_cast<uint64_t>(config_.report.rule_pairs);
  step.settings = fmt::format("pairs={} max_pair_rules={}\n{}", limit,
                              MaxPairRules(train_.system, corpus.max_pair_rules), ToToml(train_.system));
  step.inputs = {corpus.files.source, corpus.files.target, corpus.files.align};
  step.run = [this, corpus, limit](const StepContext& context) {
    ParallelCorpus pairs(corpus.files, corpus.format, corpus.source, context.reporter);
    Vocabulary source, target;
    SentencePair pair;
    uint64_t read = 0;
    bool trees = false;
    const auto next_pair = [&](IndexedPair* indexed) {
      if (read++ == limit || !pairs.Next(&pair)) return false;
      trees |= !pair.source.heads.empty();
      indexed->source = Indexed(pair.source.tokens, &source);
      indexed->target = Indexed(pair.target, &target);
      indexed->heads = pair.source.heads;
      indexed->tags = pair.source.tags;
      indexed->words = pair.source.tokens;
      indexed->links = pair.links;
      return true;
    };
    const RuleStatistics rules = CountRules(train_.system, next_pair, corpus.max_pair_rules);
    return RuleFacts{.pairs = rules.pairs,
                     .occurrences = rules.occurrences,
                     .rules = rules.rules,
                     .trees = trees,
                     .continuous = rules.continuous,
                     .dependency_connected = rules.dependency_connected,
                     .both = rules.both,
                     .neither = rules.neither};
  };
  return step;
}

Step RowSteps::Decoding(const std::string& name, int run) const {
  Step step;
  step.name = name;
  step.settings = ModelToml(train_.model());
  step.inputs = {training_.TablePath(), training_.LmPath()};
  if (train_.dev) step.inputs.push_back(training_.WeightsPath(run));
  return step;
}

std::vector<RowSteps::Measured> RowSteps::Decode(const DecodingModel& model, const std::vector<Sentence>& sentences,
                                                 size_t count, std::string_view step, const Reporter& reporter) const {
  Translator translator(model);
  std::vector<Measured> measured;
  for (size_t i = 0; i < std::min(count, sentences.size()); ++i) {
    const auto started = Clock::now();
    Translation best = std::move(translator.Translate(sentences[i], {.stop = StopCheck(reporter.stop)}).front());
    const double seconds = std::chrono::duration<double>(Clock::now() - started).count();
    measured.push_back({sentences[i].tokens.size(), seconds, std::move(best)});
    reporter.Progress(step, i + 1, std::min(count, sentences.size()));
  }
  return measured;
}

Step RowSteps::Speed() {
  const auto& [test, part] = train_.tests[config_.report.test];
  const PreparedText files = training_.Test(test, part);
  const auto count = static_cast<size_t>(config_.report.speed_sentences);
  Step step = Decoding("speed", kMeasuredRun);
  step.settings += fmt::format("\nsentences={} after an untimed one", count);
  step.inputs.push_back(files.source);
  step.outputs = {"speed.tsv"};
  step.run = [this, files, count](const StepContext& context) {
    const auto before = static_cast<double>(TrimmedResidentBytes());
    const ResourceMeter meter;
    const DevSet set = ReadPrepared(files.source, {}, context.reporter);
    const DecodingModel model = training_.OpenModel(training_.ConfigOfRun(kMeasuredRun).weights);
    Decode(model, set.sources, 1, "speed", context.reporter);  // the first touch of table and language model
    const std::vector<Measured> measured = Decode(model, set.sources, count, "speed", context.reporter);
    OutputFile file(train_.work_folder() + "/speed.tsv");
    file.Write("words\tmilliseconds\n");
    uint64_t words = 0;
    double seconds = 0;
    for (const Measured& one : measured) {
      file.Write(fmt::format("{}\t{:.3f}\n", one.words, 1000 * one.seconds));
      words += one.words;
      seconds += one.seconds;
    }
    file.Close();
    return SpeedFacts{.sentences = measured.size(),
                      .words = words,
                      .decoding_seconds = seconds,
                      .memory = static_cast<double>(meter.peak_bytes()) - before};
  };
  return step;
}

Step RowSteps::Errors() {
  const auto& [test, part] = train_.tests[config_.report.test];
  const PreparedText files = training_.Test(test, part);
  const auto count = static_cast<size_t>(config_.report.error_sentences);
  const int factor = config_.report.error_factor;
  Step step = Decoding("errors", kMeasuredRun);
  step.settings += fmt::format("\nsentences={} factor={}", count, factor);
  step.inputs.push_back(files.source);
  step.inputs.insert(step.inputs.end(), files.references.begin(), files.references.end());
  step.outputs = {"errors.tsv"};
  step.run = [this, files, count, factor](const StepContext& context) {
    const DevSet set = ReadPrepared(files.source, files.references, context.reporter);
    ModelConfig config = training_.ConfigOfRun(kMeasuredRun);
    const std::vector<Measured> normal =
        Decode(training_.OpenModel(config.weights), set.sources, count, "errors", context.reporter);
    config.search.beam = LargeBeam(config.search.beam, factor);
    config.search.pop_limit = LargeBeam(config.search.pop_limit, factor);
    const Model large_model(config, RuleTable::Open(training_.TablePath()), LanguageModel::Load(training_.LmPath()));
    const std::vector<Measured> large = Decode(large_model, set.sources, count, "errors", context.reporter);
    const BleuReferences references(set.references);
    BleuStatistics normal_bleu, large_bleu;
    ErrorFacts facts{.sentences = normal.size()};
    double gain = 0;
    OutputFile file(train_.work_folder() + "/errors.tsv");
    file.Write("words\tscore\tscore_large\n");
    for (size_t i = 0; i < normal.size(); ++i) {
      const double difference = large[i].best.score - normal[i].best.score;
      gain += difference;
      facts.improved += difference > 1e-3 ? 1 : 0;
      facts.worse += difference < -1e-3 ? 1 : 0;
      normal_bleu += references.Statistics(i, normal[i].best.tokens);
      large_bleu += references.Statistics(i, large[i].best.tokens);
      file.Write(fmt::format("{}\t{}\t{}\n", normal[i].words, normal[i].best.score, large[i].best.score));
    }
    file.Close();
    facts.mean_gain = normal.empty() ? 0 : gain / static_cast<double>(normal.size());
    facts.bleu = Bleu(normal_bleu);
    facts.bleu_large = Bleu(large_bleu);
    return facts;
  };
  return step;
}

Step RowSteps::NBest(const std::string& test, const TextPart& part, int run, uint32_t nbest) {
  const PreparedText files = training_.Test(test, part);
  const std::string path = NBestFile(config_, row_, test, run, nbest);
  const std::string name = fmt::format("nbest.{}.run{}.{}", test, run, nbest);
  Step step = Decoding(name, run);
  step.settings += fmt::format("\nnbest={}", nbest);
  step.inputs.push_back(files.source);
  step.outputs = {name + ".zst"};
  step.run = [this, files, path, name, run, nbest](const StepContext& context) {
    const DevSet set = ReadPrepared(files.source, {}, context.reporter);
    const DecodingModel model = training_.OpenModel(training_.ConfigOfRun(run).weights);
    OutputFile file(path);
    TranslatorPool(model, resources_.threads)
        .TranslateAll<std::string>(
            set.sources, 1, {.nbest = nbest, .distinct = true, .stop = StopCheck(context.reporter.stop)},
            [&](size_t sentence, std::vector<Translation>&& translations) {
              std::string lines;
              for (const std::string& line :
                   NBestLines(ToValue(model.system(), set.sources[sentence], translations, false), sentence))
                lines += line + "\n";
              return lines;
            },
            [&](size_t sentence, std::string&& lines) {
              file.Write(lines);
              context.reporter.Progress(name, sentence + 1, set.sources.size());
            });
    file.Close();
    return StepFacts{};
  };
  return step;
}

Step RowSteps::Comparison(const std::string& test, const TextPart& part) {
  ComparedOutputs compared{test, training_.Test(test, part).references, Outputs(config_, row_, test), {}};
  for (const size_t baseline : config_.baselines)
    compared.baselines.push_back(baseline == row_ ? std::vector<std::string>() : Outputs(config_, baseline, test));
  return ComparisonStep(compared, resources_.threads);
}

Step RowSteps::Explanation(const std::string& examples) {
  const auto& [test, part] = train_.tests[config_.report.test];
  const PreparedText files = training_.Test(test, part);
  Step step = Decoding("explain", kMeasuredRun);
  step.inputs.push_back(files.source);
  step.inputs.push_back(examples);
  step.outputs = {"explain.json"};
  step.run = [this, files, examples](const StepContext& context) {
    const DevSet set = ReadPrepared(files.source, {}, context.reporter);
    const DecodingModel model = training_.OpenModel(training_.ConfigOfRun(kMeasuredRun).weights);
    Translator translator(model);
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const ReportExample& example : ReadReportExamples(examples)) {
      const size_t sentence = example.sentence;
      if (sentence >= set.sources.size() || set.sources[sentence].tokens != example.source)
        throw Error(examples +
                    ": names other sentences than the test set has; remove it and start the same command again");
      const std::vector<Translation> found =
          translator.Translate(set.sources[sentence], {.stop = StopCheck(context.reporter.stop)});
      const graft::Sentence value = ToValue(model.system(), set.sources[sentence], found, /*derivation=*/true);
      nlohmann::ordered_json steps = nlohmann::ordered_json::array();
      for (const graft::Step& one : value.best.derivation) steps.push_back(DrawnStep(value.best.derivation, one));
      all.push_back({{"sentence", sentence},
                     {"target", found[0].tokens},
                     {"alignment", value.best.alignment},
                     {"steps", steps},
                     {"derivation", ExplanationOf(value, sentence)}});
    }
    OutputFile file(train_.work_folder() + "/explain.json");
    file.Write(all.dump(1) + "\n");
    file.Close();
    return StepFacts{};
  };
  return step;
}

}  // namespace graft::engine
