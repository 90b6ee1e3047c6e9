#include "pipeline/experiment_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "pipeline/report_files.h"
#include "pipeline/train_steps.h"

namespace graft::engine {
namespace {

// How a row differs from the plain system with its graph.
void DescribeVariant(const ExperimentRow& source, ReportRow* row) {
  const SystemSpec& system = source.train.system;
  const SystemSpec plain = PlainSystem(system);
  row->edge_labels = system.edge_labels;
  row->nonterminal_variant = system.grammar.pos || system.grammar.mgs != plain.grammar.mgs;
  row->mgs = system.grammar.mgs;
  if (system.edge_labels) row->variant += "+EdgeLabel";
  if (system.grammar.pos) row->variant += "+POS";
  const auto add = [&](const std::string& text) { row->variant += (row->variant.empty() ? "" : ", ") + text; };
  if (system.grammar.mgs != plain.grammar.mgs) add(fmt::format("MGS={}", system.grammar.mgs));
  SystemSpec rest = system;
  rest.edge_labels = plain.edge_labels;
  rest.grammar.pos = plain.grammar.pos;
  rest.grammar.mgs = plain.grammar.mgs;
  const std::vector<std::string> others = OwnSettings(rest);
  const bool named = source.id != RowId(system);
  row->other_variant = !others.empty() || named;
  for (const std::string& setting : others) add(setting);
  for (const std::string& setting : source.own_search) add(setting);
  if (named) row->variant += (row->variant.empty() ? "(" : " (") + source.id + ")";  // the user's own name for it
}

RowTest TestOf(const ExperimentConfig& config, const ExperimentFacts& facts, const std::string& stage,
               const std::string& test) {
  RowTest result;
  const StepReport* report = facts.Find(stage, "compare." + test);
  if (report == nullptr) return result;
  const auto found = report->facts.As<ComparisonFacts>();
  result.mean = found.mean;
  result.s_sel = found.s_sel;
  result.s_opt = found.s_opt;
  result.bleu = found.bleu;
  result.contrasts.resize(config.baselines.size());
  for (size_t k = 0; k < std::min(found.against.size(), result.contrasts.size()); ++k)
    if (const auto& against = found.against[k])
      result.contrasts[k] = {against->delta, against->p, against->p_bootstrap, against->better};
  return result;
}

std::optional<RuleShares> SharesOf(const RuleFacts& facts) {
  if (facts.rules == 0) return std::nullopt;
  const auto rules = static_cast<double>(facts.rules);
  const auto share = [&](uint64_t part) { return static_cast<double>(part) / rules; };
  return RuleShares{.pairs = static_cast<double>(facts.pairs),
                    .rules = rules,
                    .continuous = share(facts.continuous),
                    .trees = facts.trees,
                    .dependency = share(facts.dependency_connected),
                    .both = share(facts.both),
                    .mixture = share(facts.neither)};
}

ReportRow RowOf(const ExperimentConfig& config, const ExperimentFacts& facts, const ExperimentRow& source,
                const std::vector<ReportExample>& examples) {
  ReportRow row;
  const TrainConfig& train = source.train;
  row.id = source.id;
  row.system = train.system.title;
  row.graph = GraphTitle(train.system);
  DescribeVariant(source, &row);
  const auto table_facts = facts.Of<TableFacts>(row.id, "table");
  row.rules = static_cast<double>(table_facts.rules);
  row.table_bytes = static_cast<double>(table_facts.bytes);
  row.table_seconds = facts.Seconds(row.id, "table");
  if (const StepReport* table = facts.Find(row.id, "table")) row.build_memory = static_cast<double>(table->peak_bytes);
  for (int run = 1; train.dev && run <= train.tune.runs; ++run) {
    const std::string tune = TrainSteps::TuneName(run);
    row.tune_seconds += facts.Seconds(row.id, tune);
    const auto tuned = facts.Of<TuneFacts>(row.id, tune);
    row.dev_bleu.push_back(tuned.bleu);
    row.tune_iterations.push_back(tuned.iterations);
  }
  for (const auto& test : train.tests) row.tests.push_back(TestOf(config, facts, row.id, test.first));
  if (const StepReport* report = facts.Find(row.id, "speed")) {
    const auto speed = report->facts.As<SpeedFacts>();
    if (speed.sentences > 0 && speed.decoding_seconds > 0)
      row.sentences_per_second = static_cast<double>(speed.sentences) / speed.decoding_seconds;
    row.decode_memory = speed.memory;
    row.sentence_milliseconds = ReadSpeed(train.work_folder() + "/speed.tsv");
  }
  row.shares = SharesOf(facts.Of<RuleFacts>(row.id, "rules"));
  if (const StepReport* report = facts.Find(row.id, "errors")) {
    const auto errors = report->facts.As<ErrorFacts>();
    row.errors = SearchErrors{static_cast<double>(errors.sentences), static_cast<double>(errors.improved),
                              errors.mean_gain, errors.bleu, errors.bleu_large};
  }
  if (facts.Find(row.id, "explain") != nullptr)
    row.examples = ReadDerivations(train.work_folder() + "/explain.json", examples);
  return row;
}

}  // namespace

void ExperimentFacts::Add(const std::string& stage, StepReport report) {
  std::string name = report.name;
  stages_[stage].insert_or_assign(std::move(name), std::move(report));
}

const StepReport* ExperimentFacts::Find(const std::string& stage, const std::string& step) const {
  const auto steps = stages_.find(stage);
  if (steps == stages_.end()) return nullptr;
  const auto found = steps->second.find(step);
  return found == steps->second.end() ? nullptr : &found->second;
}

double ExperimentFacts::Seconds(const std::string& stage, const std::string& step) const {
  const StepReport* report = Find(stage, step);
  return report == nullptr ? 0 : report->seconds;
}

double ExperimentFacts::TotalSeconds() const {
  double seconds = 0;
  for (const auto& stage : stages_)
    for (const auto& step : stage.second) seconds += step.second.seconds;
  return seconds;
}

ExperimentReport MakeReport(const ExperimentConfig& config, const ExperimentFacts& facts, const std::string& examples) {
  const TrainConfig& common = config.common();
  ExperimentReport report;
  report.name = std::filesystem::path(config.output).filename().string();
  for (const auto& test : common.tests) report.tests.push_back(test.first);
  report.tuned = common.dev.has_value();
  report.runs = report.tuned ? common.tune.runs : 1;
  report.iterations = common.tune.iterations;
  const auto corpus = facts.Of<CorpusFacts>("shared", "corpus");
  report.pairs = static_cast<double>(corpus.pairs);
  report.source_words = static_cast<double>(corpus.source_words);
  report.target_words = static_cast<double>(corpus.target_words);
  report.dev_sentences = static_cast<double>(facts.Of<TextFacts>("shared", "dev").pairs);
  report.align_seconds = facts.Seconds("shared", "align");
  report.lm_seconds = facts.Seconds("shared", "lm");
  report.total_seconds = facts.TotalSeconds();
  report.links_given = !common.align.empty();
  report.beam = config.search.beam;
  report.pop_limit = config.search.pop_limit;
  report.measured_test = config.report.test;
  report.error_factor = config.report.error_factor;
  if (config.report.examples > 0) report.examples = ReadReportExamples(examples);
  for (const ExperimentRow& row : config.rows) report.rows.push_back(RowOf(config, facts, row, report.examples));
  report.baselines = config.baselines;
  for (const ConsensusRow& consensus : config.consensus) {
    ReportRow& row = report.rows.emplace_back();
    row.id = consensus.id;
    row.consensus = true;
    row.system = fmt::format("Consensus of {}", consensus.rows.size());
    if (config.consensus.size() > 1) row.system += " (" + consensus.id + ")";
    for (const auto& test : common.tests) row.tests.push_back(TestOf(config, facts, row.id, test.first));
  }
  return report;
}

}  // namespace graft::engine
