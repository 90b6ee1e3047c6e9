#include "pipeline/train_steps.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "align/align.h"
#include "lm/estimate.h"
#include "pipeline/install.h"
#include "pipeline/prepare.h"
#include "pipeline/scoring.h"
#include "table/build.h"
#include "text/error.h"
#include "text/output_file.h"
#include "tune/tune.h"

namespace graft {
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
  AddTable();
  AddLm();
  if (config_.dev)
    for (int run = 1; run <= runs(); ++run) AddTune(run);
  for (const auto& test : config_.tests)
    for (int run = 1; run <= runs(); ++run) AddTest(test.first, test.second, run);
  AddModel();
}

std::string TrainSteps::TuneName(int run) { return fmt::format("tune.run{}", run); }
std::string TrainSteps::TestName(const std::string& test, int run) { return fmt::format("test.{}.run{}", test, run); }

SourceOptions TrainSteps::Reading() const {
  return {.words = config_.system.words, .upos = config_.system.upos, .projectivise = config_.system.projectivise};
}

std::vector<std::string> TrainSteps::TruecaseFiles() const {
  if (!config_.text.truecase) return {};
  return {kTruecaseParts.begin(), kTruecaseParts.end()};
}

TextProcessor TrainSteps::Processor(const Reporter& reporter) const {
  if (!config_.text.truecase) return TextProcessor(config_.text, {}, {});
  return TextProcessor(config_.text, Truecaser::Read(InWork(kTruecaseParts[0]), reporter),
                       Truecaser::Read(InWork(kTruecaseParts[1]), reporter));
}

std::string TrainSteps::SourceName(const std::string& part, const TextPart& text) const {
  return part + (SourceFormatOf(text.source) == SourceFormat::kConllu ? ".source.conllu.zst" : ".source.zst");
}

TrainSteps::Prepared TrainSteps::Outputs(const std::string& name, const TextPart& part) const {
  Prepared files{SourceName(name, part), {}};
  for (size_t r = 0; r < part.references.size(); ++r)
    files.references.push_back(fmt::format("{}.reference{}.zst", name, r + 1));
  return files;
}

std::string TrainSteps::TextSettings(const TextPart& part) const {
  return fmt::format(
      "format={} skip={} limit={} words={} upos={} projectivise={} lowercase={} truecase={} tokeniser={} languages={}",
      static_cast<int>(SourceFormatOf(part.source)), part.skip, part.limit, config_.system.words, config_.system.upos,
      config_.system.projectivise, config_.text.lowercase, config_.text.truecase, config_.text.tokeniser,
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
      const Truecasers casers = LearnCase(config_.corpus, Reading(), config_.text, context.reporter);
      casers.source.Write(InWork(kTruecaseParts[0]));
      casers.target.Write(InWork(kTruecaseParts[1]));
    }
    const bool for_lm = config_.lm_file.empty() && config_.lm_text.empty();
    const PreparedFiles files{
        InWork(SourceName("corpus", config_.corpus)), {InWork("corpus.target.zst")}, InWork(kLinks), for_lm};
    const PreparedTotals totals = PrepareTexts(config_.corpus, config_.align, Reading(), Processor(context.reporter),
                                               files, "corpus", context.reporter);
    return StepFacts{{"pairs", totals.pairs},
                     {"unusable", totals.unusable},
                     {"source_words", totals.source_words},
                     {"target_words", totals.target_words}};
  };
  steps_.push_back(std::move(step));
}

void TrainSteps::AddTexts(const std::string& name, const TextPart& part) {
  const Prepared outputs = Outputs(name, part);
  Step step;
  step.name = name;
  step.settings = TextSettings(part);
  step.inputs = part.references;
  step.inputs.push_back(part.source);
  for (const std::string& file : TruecaseFiles()) step.inputs.push_back(InWork(file));
  step.outputs = outputs.references;
  step.outputs.push_back(outputs.source);
  step.run = [this, name, part, outputs](const StepContext& context) {
    PreparedFiles files{InWork(outputs.source), {}, "", false};
    for (const std::string& file : outputs.references) files.references.push_back(InWork(file));
    const PreparedTotals totals =
        PrepareTexts(part, "", Reading(), Processor(context.reporter), files, name, context.reporter);
    return StepFacts{{"pairs", totals.pairs}};
  };
  steps_.push_back(std::move(step));
}

void TrainSteps::AddAlign() {
  BitextFiles files;
  files.source = InWork(SourceName("corpus", config_.corpus));
  files.format = SourceFormatOf(files.source);
  files.source_options = kPreparedSource;
  files.target = InWork("corpus.target.zst");
  Step step;
  step.name = "align";
  step.settings =
      fmt::format("method={} symmetrise={} seed={}", config_.align_method, config_.symmetrise, config_.align_seed);
  step.inputs = {files.source, files.target};
  step.outputs = {kLinks};
  step.estimate = {EstimateAlignMemory(size_.pairs, size_.source_words, size_.target_words), 2 * size_.target_words};
  step.run = [this, files](const StepContext& context) {
    const AlignOptions options{.method = config_.align_method,
                               .symmetrisation = ParseSymmetrisation(config_.symmetrise),
                               .seed = config_.align_seed,
                               .threads = resources_.threads,
                               .memory_bytes = resources_.memory_bytes};
    const AlignTotals totals = AlignCorpus(files, InWork(kLinks), options, context.reporter);
    return StepFacts{{"pairs", totals.pairs}, {"links", totals.links}};
  };
  steps_.push_back(std::move(step));
}

void TrainSteps::AddTable() {
  TrainingCorpus corpus;
  corpus.files = {InWork(SourceName("corpus", config_.corpus)), InWork("corpus.target.zst"), InWork(kLinks)};
  corpus.format = SourceFormatOf(corpus.files.source);
  corpus.source = kPreparedSource;
  Step step;
  step.name = "table";
  step.settings = ToToml(config_.system);
  step.inputs = {corpus.files.source, corpus.files.target, corpus.files.align};
  step.outputs = {kTable};
  step.estimate = EstimateTable(config_.system, size_, resources_.memory_bytes);
  step.run = [this, corpus](const StepContext& context) {
    const WorkOptions work{resources_.threads, resources_.memory_bytes, config_.work_folder()};
    Occurrences occurrences = CountOccurrences(corpus, config_.system, work, context.reporter);
    const OccurrenceTotals read = occurrences.totals;
    const TableTotals totals =
        BuildTable(std::move(occurrences), {.spec = config_.system}, work, InWork(kTable), context.reporter);
    return StepFacts{{"rules", totals.rules}, {"bytes", totals.bytes}, {"skipped", read.skipped()}};
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
    step.run = [this](const StepContext&) {
      LanguageModel::WriteBinary(config_.lm_file, InWork(kLm));
      return StepFacts{};
    };
  } else {
    step.settings = fmt::format("order={} prune={}", config_.lm_order, fmt::join(config_.lm_prune, ","));
    step.inputs = config_.lm_text;
    if (config_.lm_text.empty()) {
      step.inputs = {InWork("corpus.target.zst")};
    } else {
      step.settings += " " + TextSettings({});
      for (const std::string& file : TruecaseFiles()) step.inputs.push_back(InWork(file));
    }
    step.estimate = EstimateLm(config_.lm_order, size_.target_words, resources_.memory_bytes);
    step.run = [this](const StepContext& context) {
      std::vector<std::string> texts = {InWork("corpus.target.zst")};
      if (!config_.lm_text.empty()) {
        texts.clear();
        const TextProcessor processor = Processor(context.reporter);
        for (size_t i = 0; i < config_.lm_text.size(); ++i) {
          texts.push_back(InWork(fmt::format("lm.text.tmp{}.{}", getpid(), i)));
          PrepareTargetText(config_.lm_text[i], processor, texts.back(), context.reporter);
        }
      }
      EstimateLanguageModel(texts, InWork(kLm),
                            {.order = config_.lm_order,
                             .prune = config_.lm_prune,
                             .memory_bytes = resources_.memory_bytes,
                             .temp_folder = config_.work_folder()},
                            context.reporter);
      std::error_code ignored;
      if (!config_.lm_text.empty())
        for (const std::string& text : texts) fs::remove(text, ignored);
      return StepFacts{{"bytes", static_cast<double>(fs::file_size(InWork(kLm)))}};
    };
  }
  steps_.push_back(std::move(step));
}

Model* TrainSteps::OpenModel() {
  if (!model_)
    model_ =
        std::make_unique<Model>(config_.model(), RuleTable::Open(InWork(kTable)), LanguageModel::Load(InWork(kLm)));
  model_->set_weights(config_.weights);
  return model_.get();
}

void TrainSteps::AddTune(int run) {
  const Prepared dev = Outputs("dev", *config_.dev);
  Step step;
  step.name = TuneName(run);
  step.settings = fmt::format("method={} iterations={} seed={}\n{}", config_.tune_method, config_.tune_iterations,
                              config_.tune_seed + static_cast<uint64_t>(run) - 1, ModelToml(config_.model()));
  step.inputs = {InWork(kTable), InWork(kLm), InWork(dev.source)};
  for (const std::string& file : dev.references) step.inputs.push_back(InWork(file));
  step.outputs = {WeightsName(run)};
  step.estimate =
      EstimateDecoding(EstimateTable(config_.system, size_, resources_.memory_bytes),
                       EstimateLm(config_.lm_order, size_.target_words, resources_.memory_bytes), resources_.threads);
  step.estimate.memory_bytes += EstimateTuningPool(size_);
  step.run = [this, run, dev](const StepContext& context) {
    std::vector<std::string> references;
    for (const std::string& file : dev.references) references.push_back(InWork(file));
    const DevSet set = ReadPrepared(InWork(dev.source), references, context.reporter);
    const TuneOptions options{.method = config_.tune_method,
                              .seed = config_.tune_seed + static_cast<uint64_t>(run) - 1,
                              .iterations = config_.tune_iterations,
                              .threads = resources_.threads};
    if (log_) log_(TuneTableHeader());
    const TuneResult result = Tune(
        OpenModel(), set, options,
        [this, run](TuneIteration row) {
          row.run = run;
          if (log_) log_(TuneTableRow(row));
        },
        context.reporter);
    OutputFile file(InWork(WeightsName(run)));
    file.Write(WeightsToml(config_.model(), result.best(), result.method));
    file.Close();
    return StepFacts{{"bleu", result.best().bleu},
                     {"iterations", static_cast<double>(result.best().iterations.size())},
                     {"best_iteration", result.best().best_iteration}};
  };
  steps_.push_back(std::move(step));
}

void TrainSteps::AddTest(const std::string& test, const TextPart& part, int run) {
  const Prepared files = Outputs("test." + test, part);
  Step step;
  step.name = TestName(test, run);
  step.settings = ModelToml(config_.model());
  step.inputs = {InWork(kTable), InWork(kLm), InWork(files.source)};
  for (const std::string& file : files.references) step.inputs.push_back(InWork(file));
  if (config_.dev) step.inputs.push_back(InWork(WeightsName(run)));
  step.outputs = {TestName(test, run) + ".out"};
  step.estimate =
      EstimateDecoding(EstimateTable(config_.system, size_, resources_.memory_bytes),
                       EstimateLm(config_.lm_order, size_.target_words, resources_.memory_bytes), resources_.threads);
  step.run = [this, test, run, files](const StepContext& context) {
    std::vector<std::string> references;
    for (const std::string& file : files.references) references.push_back(InWork(file));
    const DevSet set = ReadPrepared(InWork(files.source), references, context.reporter);
    ModelConfig with_weights = config_.model();
    if (config_.dev) ReadWeightsFile(InWork(WeightsName(run)), &with_weights);
    Model* model = OpenModel();
    model->set_weights(with_weights.weights);
    const double bleu = TranslateAndScore(*model, set, resources_.threads, InWork(TestName(test, run) + ".out"),
                                          TestName(test, run), context.reporter);
    return StepFacts{{"bleu", bleu}};
  };
  steps_.push_back(std::move(step));
}

void TrainSteps::AddModel() {
  const fs::path output = fs::absolute(config_.output).lexically_normal();
  Step step;
  step.name = "model";
  step.settings = ModelToml(config_.model());
  step.inputs = {InWork(kTable), InWork(kLm)};
  for (const std::string& file : TruecaseFiles()) step.inputs.push_back(InWork(file));
  if (config_.dev)
    for (int run = 1; run <= runs(); ++run) step.inputs.push_back(InWork(WeightsName(run)));
  for (const std::string& input : step.inputs) step.outputs.push_back((output / fs::path(input).filename()).string());
  step.outputs.push_back((output / "model.toml").string());
  step.run = [this](const StepContext& context) { return InstallModel(context); };
  steps_.push_back(std::move(step));
}

StepFacts TrainSteps::InstallModel(const StepContext& context) {
  ModelConfig config = config_.model();
  std::vector<std::string> parts = {kTable, kLm};
  for (const std::string& file : TruecaseFiles()) parts.push_back(file);
  int best_run = 1;
  if (config_.dev) {
    double best = -1;
    for (int run = 1; run <= runs(); ++run) {
      parts.push_back(WeightsName(run));
      const double bleu = context.Fact(TuneName(run), "bleu");
      if (bleu > best) best_run = run;
      best = std::max(best, bleu);
    }
    ReadWeightsFile(InWork(WeightsName(best_run)), &config);
  }
  InstallParts(config_.work_folder(), parts, config_.output, config, context.reporter);
  return StepFacts{{"best_run", best_run}};
}

}  // namespace graft
