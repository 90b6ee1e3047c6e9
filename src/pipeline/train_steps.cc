#include "pipeline/train_steps.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>

#include "align/align.h"
#include "building/build.h"
#include "graft/error.h"
#include "lm/estimate.h"
#include "pipeline/install.h"
#include "pipeline/prepare.h"
#include "pipeline/scoring.h"
#include "tune/tune.h"
#include "util/output_file.h"

namespace graft::engine {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTable = "rules.graft";
constexpr const char* kLm = "lm.bin";
constexpr const char* kLinks = "corpus.align.zst";

std::string WeightsName(int run) { return fmt::format("weights.run{}.toml", run); }

}  // namespace

TrainSteps::TrainSteps(const TrainConfig& config, const TrainResources& resources, const CorpusSize& size,
                       const std::function<void(std::string_view)>& log)
    : config_(config), resources_(resources), size_(size), log_(log) {
  // All texts come first: what is wrong with them is said before hours of work.
  AddCorpus();
  if (config_.dev) AddTexts("dev", *config_.dev);
  for (const auto& test : config_.tests) AddTexts("test." + test.first, test.second);
  if (config_.align.empty()) AddAlign();
  AddLm();
  shared_ = static_cast<ptrdiff_t>(steps_.size());
  AddTable();
  if (config_.dev)
    for (int run = 1; run <= runs(); ++run) AddTune(run);
  for (const auto& test : config_.tests)
    for (int run = 1; run <= runs(); ++run) AddTest(test.first, test.second, run);
  AddModel();
}

std::string TrainSteps::TuneName(int run) { return fmt::format("tune.run{}", run); }
std::string TrainSteps::TestName(const std::string& test, int run) { return fmt::format("test.{}.run{}", test, run); }

std::vector<std::string> TrainSteps::TruecaseFiles() const {
  if (!config_.text.truecase) return {};
  return {kTruecaseParts.begin(), kTruecaseParts.end()};
}

TextProcessor TrainSteps::Processor(const Reporter& reporter) const {
  if (!config_.text.truecase) return TextProcessor(config_.text, {}, {});
  return TextProcessor(config_.text, Truecaser::Read(Shared(kTruecaseParts[0]), reporter),
                       Truecaser::Read(Shared(kTruecaseParts[1]), reporter));
}

std::string TrainSteps::SourceName(const std::string& part, const TextPart& text) const {
  return part + (SourceFormatOf(text.source) == SourceFormat::kConllu ? ".source.conllu.zst" : ".source.zst");
}

PreparedText TrainSteps::Outputs(const std::string& name, const TextPart& part) const {
  PreparedText files{SourceName(name, part), {}};
  for (size_t r = 0; r < part.references.size(); ++r)
    files.references.push_back(fmt::format("{}.reference{}.zst", name, r + 1));
  return files;
}

std::string TrainSteps::TextSettings(const TextPart& part) const {
  return fmt::format(
      "format={} skip={} limit={} words={} upos={} projectivise={} lowercase={} truecase={} tokeniser={} languages={}",
      static_cast<int>(SourceFormatOf(part.source)), part.skip, part.limit, config_.reading.words, config_.reading.upos,
      config_.reading.projectivise, config_.text.lowercase, config_.text.truecase, config_.text.tokeniser,
      fmt::join(config_.text.languages, ","));
}

void TrainSteps::AddCorpus() {
  Step step;
  step.name = "corpus";
  step.settings = TextSettings(config_.corpus);
  step.inputs = {config_.corpus.source, config_.corpus.references[0]};
  step.outputs = {SourceName("corpus", config_.corpus), "corpus.target.zst"};
  if (!config_.align.empty()) {
    step.inputs.push_back(config_.align);
    step.outputs.emplace_back(kLinks);
  }
  for (const std::string& file : TruecaseFiles()) step.outputs.push_back(file);
  step.estimate = EstimateCorpus(config_, size_);
  step.run = [this](const StepContext& context) {
    if (config_.text.truecase) {
      const Truecasers casers = LearnCase(config_.corpus, config_.reading, config_.text, context.reporter);
      casers.source.Write(Shared(kTruecaseParts[0]));
      casers.target.Write(Shared(kTruecaseParts[1]));
    }
    const bool for_lm = config_.lm_file.empty() && config_.lm_text.empty();
    const PreparedFiles files{
        Shared(SourceName("corpus", config_.corpus)), {Shared("corpus.target.zst")}, Shared(kLinks), for_lm};
    const PreparedTotals totals =
        PrepareTexts({.part = config_.corpus, .align = config_.align, .reading = config_.reading},
                     Processor(context.reporter), files, "corpus", context.reporter);
    return CorpusFacts{.pairs = totals.pairs,
                       .unusable = totals.unusable,
                       .source_words = totals.source_words,
                       .target_words = totals.target_words};
  };
  steps_.push_back(std::move(step));
}

void TrainSteps::AddTexts(const std::string& name, const TextPart& part) {
  const PreparedText outputs = Outputs(name, part);
  Step step;
  step.name = name;
  step.settings = TextSettings(part);
  step.inputs = part.references;
  step.inputs.push_back(part.source);
  for (const std::string& file : TruecaseFiles()) step.inputs.push_back(Shared(file));
  step.outputs = outputs.references;
  step.outputs.push_back(outputs.source);
  step.run = [this, name, part, outputs](const StepContext& context) {
    PreparedFiles files{Shared(outputs.source), {}, "", false};
    for (const std::string& file : outputs.references) files.references.push_back(Shared(file));
    const PreparedTotals totals = PrepareTexts({.part = part, .align = "", .reading = config_.reading},
                                               Processor(context.reporter), files, name, context.reporter);
    return TextFacts{.pairs = totals.pairs};
  };
  steps_.push_back(std::move(step));
}

void TrainSteps::AddAlign() {
  BitextFiles files;
  files.source = Shared(SourceName("corpus", config_.corpus));
  files.format = SourceFormatOf(files.source);
  files.source_options = kPreparedSource;
  files.target = Shared("corpus.target.zst");
  Step step;
  step.name = "align";
  step.settings = fmt::format("method={} symmetrise={} seed={}", config_.aligning.method, config_.aligning.symmetrise,
                              config_.aligning.seed);
  step.inputs = {files.source, files.target};
  step.outputs = {kLinks};
  step.estimate = {EstimateAlignMemory(size_.pairs, size_.source_words, size_.target_words), 2 * size_.target_words};
  step.run = [this, files](const StepContext& context) {
    const AlignOptions options{.method = config_.aligning.method,
                               .symmetrise = config_.aligning.symmetrise,
                               .seed = config_.aligning.seed,
                               .threads = resources_.threads,
                               .memory_bytes = resources_.memory_bytes};
    const AlignTotals totals = AlignCorpus(files, Shared(kLinks), options, context.reporter);
    return AlignFacts{.pairs = totals.pairs, .links = totals.links};
  };
  steps_.push_back(std::move(step));
}

void TrainSteps::AddTable() {
  const TrainingCorpus corpus = Corpus();
  Step step;
  step.name = "table";
  step.settings = fmt::format("max_pair_rules={}\n{}", MaxPairRules(config_.system, config_.max_pair_rules),
                              ToToml(config_.system));
  step.inputs = {corpus.files.source, corpus.files.target, corpus.files.align};
  step.outputs = {kTable};
  step.estimate = EstimateTable(config_.system, size_, resources_.memory_bytes);
  step.run = [this, corpus](const StepContext& context) {
    const WorkOptions work{resources_.threads, resources_.memory_bytes, config_.work_folder()};
    Occurrences occurrences = CountOccurrences(corpus, config_.system, work, context.reporter);
    const OccurrenceTotals read = occurrences.totals;
    const TableTotals totals =
        BuildTable(std::move(occurrences), {.spec = config_.system}, work, TablePath(), context.reporter);
    if (read.bounded > 0)
      context.reporter.Warn(BoundedText(read) + " (corpus.max_pair_rules); `graft check` names pairs hardly aligned");
    return TableFacts{.rules = totals.rules, .bytes = totals.bytes, .skipped = read.skipped(), .bounded = read.bounded};
  };
  steps_.push_back(std::move(step));
}

void TrainSteps::AddLm() {
  Step step;
  step.name = "lm";
  step.outputs = {kLm};
  if (!config_.lm_file.empty()) {
    step.settings = "file";
    step.inputs = {config_.lm_file};
    step.run = [this](const StepContext& context) {
      LanguageModel::WriteBinary(config_.lm_file, LmPath(), StopCheck(context.reporter.stop));
      return StepFacts{};
    };
  } else {
    step.settings = fmt::format("order={} prune={}", config_.lm.order, fmt::join(config_.lm.prune, ","));
    step.inputs = config_.lm_text;
    if (config_.lm_text.empty()) {
      step.inputs = {Shared("corpus.target.zst")};
    } else {
      step.settings += " " + TextSettings({});
      for (const std::string& file : TruecaseFiles()) step.inputs.push_back(Shared(file));
    }
    step.estimate = EstimateLm(config_.lm.order, size_.target_words, resources_.memory_bytes);
    step.run = [this](const StepContext& context) {
      std::vector<std::string> texts = {Shared("corpus.target.zst")};
      if (!config_.lm_text.empty()) {
        texts.clear();
        const TextProcessor processor = Processor(context.reporter);
        for (size_t i = 0; i < config_.lm_text.size(); ++i) {
          texts.push_back(Shared(fmt::format("lm.text.tmp{}.{}", getpid(), i)));
          PrepareTargetText(config_.lm_text[i], processor, texts.back(), context.reporter);
        }
      }
      EstimateLanguageModel(texts, LmPath(),
                            {.order = config_.lm.order,
                             .prune = config_.lm.prune,
                             .memory_bytes = resources_.memory_bytes,
                             .temp_folder = config_.shared_folder()},
                            context.reporter);
      std::error_code ignored;
      if (!config_.lm_text.empty())
        for (const std::string& text : texts) fs::remove(text, ignored);
      return LmFacts{.bytes = fs::file_size(LmPath())};
    };
  }
  steps_.push_back(std::move(step));
}

std::string TrainSteps::TablePath() const { return InWork(kTable); }
std::string TrainSteps::LmPath() const { return Shared(kLm); }
std::string TrainSteps::WeightsPath(int run) const { return InWork(WeightsName(run)); }
std::string TrainSteps::TestOutput(const std::string& test, int run) const {
  return InWork(TestName(test, run) + ".out");
}

TrainingCorpus TrainSteps::Corpus() const {
  TrainingCorpus corpus;
  corpus.files = {Shared(SourceName("corpus", config_.corpus)), Shared("corpus.target.zst"), Shared(kLinks)};
  corpus.format = SourceFormatOf(corpus.files.source);
  corpus.source = kPreparedSource;
  corpus.max_pair_rules = config_.max_pair_rules;
  return corpus;
}

PreparedText TrainSteps::Test(const std::string& test, const TextPart& part) const {
  const PreparedText outputs = Outputs("test." + test, part);
  PreparedText files{Shared(outputs.source), {}};
  for (const std::string& file : outputs.references) files.references.push_back(Shared(file));
  return files;
}

ModelConfig TrainSteps::ConfigOfRun(int run) const {
  ModelConfig config = config_.model();
  if (config_.dev) ReadWeightsFile(WeightsPath(run), &config);
  return config;
}

DecodingModel TrainSteps::OpenModel(const FeatureVector& weights) {
  if (!model_)
    model_ = std::make_unique<Model>(config_.model(), RuleTable::Open(TablePath()), LanguageModel::Load(LmPath()));
  return {*model_, model_->search(), weights};
}

void TrainSteps::AddTune(int run) {
  const PreparedText dev = Outputs("dev", *config_.dev);
  Step step;
  step.name = TuneName(run);
  step.settings = fmt::format("method={} iterations={} seed={}\n{}", config_.tune.method, config_.tune.iterations,
                              config_.tune.seed + static_cast<uint64_t>(run) - 1, ModelToml(config_.model()));
  if (config_.tune.nbest != graft::TuneOptions().nbest) step.settings += fmt::format("\nnbest={}", config_.tune.nbest);
  step.inputs = {TablePath(), LmPath(), Shared(dev.source)};
  for (const std::string& file : dev.references) step.inputs.push_back(Shared(file));
  step.outputs = {WeightsName(run)};
  step.estimate =
      EstimateDecoding(EstimateTable(config_.system, size_, resources_.memory_bytes),
                       EstimateLm(config_.lm.order, size_.target_words, resources_.memory_bytes), resources_.threads);
  step.estimate.memory_bytes += EstimateTuningPool(size_);
  step.run = [this, run, dev](const StepContext& context) {
    std::vector<std::string> references;
    for (const std::string& file : dev.references) references.push_back(Shared(file));
    const DevSet set = ReadPrepared(Shared(dev.source), references, context.reporter);
    graft::TuneOptions options = config_.tune;  // one of its runs
    options.runs = 1;
    options.seed += static_cast<uint64_t>(run) - 1;
    options.threads = resources_.threads;
    if (log_) log_(TuneTableHeader());
    const auto log_row = [this, run](TuneIteration row) {
      row.run = run;
      if (log_) log_(TuneTableRow(row));
    };
    const TuneResult result = Tune(OpenModel(config_.weights), set, options, {.row = log_row}, context.reporter);
    OutputFile file(WeightsPath(run));
    file.Write(WeightsToml(config_.model(), result.best(), result.method));
    file.Close();
    return TuneFacts{.bleu = result.best().bleu,
                     .iterations = static_cast<int>(result.best().iterations.size()),
                     .best_iteration = result.best().best_iteration};
  };
  steps_.push_back(std::move(step));
}

void TrainSteps::AddTest(const std::string& test, const TextPart& part, int run) {
  const PreparedText files = Test(test, part);
  Step step;
  step.name = TestName(test, run);
  step.settings = ModelToml(config_.model());
  step.inputs = {TablePath(), LmPath(), files.source};
  step.inputs.insert(step.inputs.end(), files.references.begin(), files.references.end());
  if (config_.dev) step.inputs.push_back(WeightsPath(run));
  step.outputs = {TestName(test, run) + ".out"};
  step.estimate =
      EstimateDecoding(EstimateTable(config_.system, size_, resources_.memory_bytes),
                       EstimateLm(config_.lm.order, size_.target_words, resources_.memory_bytes), resources_.threads);
  step.run = [this, test, run, files](const StepContext& context) {
    const DevSet set = ReadPrepared(files.source, files.references, context.reporter);
    const double bleu = TranslateAndScore(OpenModel(ConfigOfRun(run).weights), set, resources_.threads,
                                          TestOutput(test, run), TestName(test, run), context.reporter);
    return TestFacts{.bleu = bleu};
  };
  steps_.push_back(std::move(step));
}

void TrainSteps::AddModel() {
  const fs::path output = fs::absolute(config_.output).lexically_normal();
  Step step;
  step.name = "model";
  step.settings = ModelToml(config_.model());
  step.inputs = {TablePath(), LmPath()};
  for (const std::string& file : TruecaseFiles()) step.inputs.push_back(Shared(file));
  if (config_.dev)
    for (int run = 1; run <= runs(); ++run) step.inputs.push_back(WeightsPath(run));
  for (const std::string& input : step.inputs) step.outputs.push_back((output / fs::path(input).filename()).string());
  step.outputs.push_back((output / "model.toml").string());
  step.run = [this](const StepContext& context) { return InstallModel(context); };
  steps_.push_back(std::move(step));
}

ModelFacts TrainSteps::InstallModel(const StepContext& context) {
  ModelConfig config = config_.model();
  std::vector<std::string> parts = {TablePath(), LmPath()};
  for (const std::string& file : TruecaseFiles()) parts.push_back(Shared(file));
  int best_run = 1;
  if (config_.dev) {
    double best = -1;
    for (int run = 1; run <= runs(); ++run) {
      parts.push_back(WeightsPath(run));
      const double bleu = context.FactsOf<TuneFacts>(TuneName(run)).bleu;
      if (bleu > best) best_run = run;
      best = std::max(best, bleu);
    }
    ReadWeightsFile(WeightsPath(best_run), &config);
  }
  InstallParts(config_.work_folder(), parts, config_.output, config, context.reporter);
  return ModelFacts{.best_run = best_run};
}

void RemoveOldRuns(const std::string& folder, int runs) {
  static const std::regex kName(R"((test\..+|weights|nbest\..+)\.run([0-9]+)\.(out|toml|[0-9]+\.zst))");
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    std::smatch match;
    const std::string name = entry.path().filename().string();
    if (std::regex_match(name, match, kName) && std::strtol(match[2].str().c_str(), nullptr, 10) > runs)
      fs::remove(entry.path(), ignored);
  }
}

}  // namespace graft::engine
