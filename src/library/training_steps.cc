#include "graft/training_steps.h"

#include <fmt/format.h>

#include <memory>
#include <sstream>
#include <utility>

#include "align/align.h"
#include "align/align_table.h"
#include "building/build.h"
#include "building/table_options.h"
#include "corpus/check.h"
#include "corpus/check_table.h"
#include "library/resources.h"
#include "lm/estimate.h"
#include "lm/lm_table.h"
#include "model/model.h"
#include "model/model_new_table.h"
#include "table/rule_table.h"
#include "table/score_coding.h"
#include "tune/tune.h"
#include "tune/tune_table.h"
#include "util/option_check.h"
#include "util/output_file.h"
#include "util/toml_file.h"

namespace graft {
namespace {

using internal::MemoryOf;
using internal::ThreadsOf;

// A [system] table of `key=value` settings.
engine::SystemSpec SystemOf(const Settings& settings) {
  toml::table table;
  for (const std::string& setting : settings) engine::ApplyOverride(setting, &table);
  std::ostringstream text;
  text << table;
  return engine::SystemSpecFromToml(text.str());
}

Finding::Severity SeverityOf(engine::Severity severity) {
  switch (severity) {
    case engine::Severity::kError: return Finding::Severity::kError;
    case engine::Severity::kWarning: return Finding::Severity::kWarning;
    case engine::Severity::kNote: break;
  }
  return Finding::Severity::kNote;
}

TuneSummary Summarise(const engine::TuneResult& result) {
  TuneSummary summary;
  summary.best_run = result.best_run;
  summary.lines = engine::TuneSummary(result);
  for (const engine::TuneRun& run : result.runs) {
    summary.bleu.push_back(run.bleu);
    for (const engine::TuneIteration& row : run.iterations)
      summary.iterations.push_back({.run = row.run,
                                    .iteration = row.iteration,
                                    .bleu = row.bleu,
                                    .length_ratio = row.length_ratio,
                                    .seconds = row.seconds,
                                    .candidates = row.candidates});
  }
  return summary;
}

}  // namespace

CheckSummary CheckCorpus(const CheckOptions& options, const Reporter& reporter,
                         const std::function<void(const Finding&)>& found) {
  engine::CheckSettings(engine::CheckOptionTable(), options);
  const engine::CheckSummary summary = engine::CheckCorpus(
      {.source = options.source,
       .target = options.target,
       .align = options.align,
       .format = engine::ChooseFormat(options.format, options.source),
       .words = options.words,
       .clean_folder = options.clean_folder},
      [&](const engine::Finding& finding) {
        if (found) found({SeverityOf(finding.severity), finding.message});
      },
      reporter);
  return {summary.pairs, summary.bad_pairs, summary.errors, summary.warnings, summary.notes, summary.wrote_clean};
}

AlignSummary Align(const AlignOptions& options, const Reporter& reporter) {
  engine::CheckSettings(engine::AlignOptionTable(), options);
  engine::CheckSettings(engine::AlignVerbTable(), options);
  internal::RequireOneStdin({options.source, options.target, options.gold});
  engine::BitextFiles files;
  files.source = options.source;
  files.format = engine::ChooseFormat(options.format, options.source);
  files.source_options.lowercase = options.lowercase;
  files.source_options.words = options.words;
  files.target = options.target;
  files.limit = options.limit;
  const engine::AlignTotals totals = engine::AlignCorpus(files, options.output,
                                                         {.method = options.method,
                                                          .symmetrise = options.symmetrise,
                                                          .seed = options.seed,
                                                          .gold = options.gold,
                                                          .threads = ThreadsOf(options.threads),
                                                          .memory_bytes = MemoryOf(options.memory)},
                                                         reporter);
  AlignSummary summary{
      .pairs = totals.pairs,
      .empty = totals.empty,
      .too_long = totals.too_long,
      .links = totals.links,
      .text = fmt::format("{} pairs, {} links, {} skipped ({} with an empty side, {} over {} words)", totals.pairs,
                          totals.links, totals.skipped(), totals.empty, totals.too_long, engine::kMaxSentenceWords)};
  if (options.gold.empty()) return summary;
  summary.precision = totals.score.precision();
  summary.recall = totals.score.recall();
  summary.error_rate = totals.score.aer();
  summary.score_text = engine::Summary(totals.score);
  return summary;
}

TableSummary BuildTable(const TableOptions& options, const Reporter& reporter) {
  engine::CheckSettings(engine::TableOptionTable(), options);
  engine::CheckSettings(engine::CorpusRulesTable(), options);
  internal::RequireOneStdin({options.source, options.target, options.align});
  const engine::SystemSpec spec = SystemOf(options.system);
  const engine::TrainingCorpus corpus{
      .files = {.source = options.source, .target = options.target, .align = options.align},
      .format = engine::ChooseFormat(options.format, options.source, spec.reads_tree()),
      .source = spec.reading.options(options.lowercase),
      .max_pair_rules = options.max_pair_rules};
  const engine::WorkOptions work{
      .threads = ThreadsOf(options.threads), .memory_bytes = MemoryOf(options.memory), .temp_folder = ""};
  const engine::BuildOptions build{
      .spec = spec, .scores = engine::ParseScoreCoding(options.scores), .counts = options.counts, .keep = options.keep};
  engine::CheckTableOutput(options.output);
  engine::Occurrences found = engine::CountOccurrences(corpus, spec, work, reporter);
  const engine::OccurrenceTotals counted = found.totals;
  if (counted.pairs == 0) throw Error(options.source + ": the corpus is empty");
  const engine::TableTotals built = engine::BuildTable(std::move(found), build, work, options.output, reporter);
  return {.pairs = counted.pairs,
          .empty = counted.empty,
          .unlinked = counted.unlinked,
          .too_long = counted.too_long,
          .occurrences = counted.occurrences,
          .rules = built.rules,
          .source_sides = built.source_sides,
          .bytes = built.bytes,
          .bounded = counted.bounded,
          .corpus_text = engine::TotalsText(counted),
          .bounded_text = engine::BoundedText(counted),
          .text = engine::TotalsText(options.output, built)};
}

void EstimateLanguageModel(const LanguageModelOptions& options, const Reporter& reporter) {
  engine::CheckSettings(engine::LmOptionTable(), options);
  engine::EstimateLanguageModel(options.texts, options.output,
                                {.order = options.order,
                                 .prune = options.prune,
                                 .memory_bytes = MemoryOf(options.memory),
                                 .temp_folder = options.temp_folder,
                                 .lowercase = options.lowercase},
                                reporter);
}

void AssembleModel(const ModelFiles& files, const Reporter& reporter) {
  const engine::StopCheck stop(reporter.stop);
  engine::CheckSettings(engine::ModelNewTable(), files);
  engine::ModelConfig config;
  const engine::RuleTable table = engine::RuleTable::Open(files.table);
  table.Verify(stop);  // a damaged table is found before it is copied
  config.system = table.spec();
  if (!files.weights.empty()) engine::ReadWeightsFile(files.weights, &config);
  config.text.lowercase |= files.lowercase;
  if (!files.tokeniser.empty()) config.text.tokeniser = files.tokeniser;
  if (!files.languages.empty()) config.text.languages = files.languages;
  config.text.truecase |= !files.truecase_source.empty() || !files.truecase_target.empty();
  engine::WriteModel(files.output, {files.table, files.lm, files.truecase_source, files.truecase_target}, config, stop);
}

TuneSummary Tune(const TuneOptions& options, const Reporter& reporter,
                 const std::function<void(std::string_view)>& row) {
  engine::CheckSettings(engine::TuneOptionTable(), options);
  if (options.output == "-" && options.runs > 1)
    throw Error("several runs are written to several files; give the output a name, e.g. weights.toml");
  const std::unique_ptr<engine::Model> model = engine::Model::Load(options.model, options.settings, reporter);
  const engine::DevSet dev = engine::ReadDevSet(*model, options.source, options.references, reporter);
  { const engine::OutputFile writable(options.output); }  // fails now instead of after tuning
  TuneOptions tune = options;
  tune.threads = ThreadsOf(options.threads);
  engine::TuneListener listener;
  if (row) listener.row = [&](const engine::TuneIteration& iteration) { row(engine::TuneTableRow(iteration)); };
  // The weights of each run are written as it ends, so that a run that fails costs no other.
  std::vector<std::string> kept;
  if (tune.runs > 1)
    listener.run_ended = [&](int number, const engine::TuneRun& run) {
      kept.push_back(engine::RunWeightsPath(options.output, number));
      engine::WriteWeights(kept.back(), model->config(), run, tune.method);
    };
  if (row) row(engine::TuneTableHeader());
  try {
    const engine::TuneResult result = engine::Tune(*model, dev, tune, listener, reporter);
    engine::WriteWeights(options.output, model->config(), result.best(), result.method);
    return Summarise(result);
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    if (kept.empty()) throw;
    throw Error(fmt::format("{} (run {}); weights of the runs that ended are kept: {}", error.what(), kept.size() + 1,
                            fmt::join(kept, ", ")));
  }
}

}  // namespace graft
