#include "graft/training_steps.h"

#include <fmt/format.h>

#include <memory>
#include <sstream>
#include <utility>

#include "align/align.h"
#include "building/build.h"
#include "corpus/check.h"
#include "library/resources.h"
#include "lm/estimate.h"
#include "model/model.h"
#include "table/rule_table.h"
#include "table/score_coding.h"
#include "tune/tune.h"
#include "util/output_file.h"
#include "util/toml_file.h"

namespace graft {
namespace {

using internal::MemoryOf;
using internal::ThreadsOf;

engine::SourceFormat FormatOf(const std::string& format, const std::string& file) {
  if (format.empty()) return engine::SourceFormatOf(file);
  if (format == "conllu") return engine::SourceFormat::kConllu;
  if (format == "text") return engine::SourceFormat::kText;
  throw Error("unknown format `" + format + "` of " + file + "; it is conllu or text");
}

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
  const engine::CheckSummary summary = engine::CheckCorpus(
      {.source = options.source,
       .target = options.target,
       .align = options.align,
       .format = FormatOf(options.format, options.source),
       .words = options.words,
       .clean_folder = options.clean_folder},
      [&](const engine::Finding& finding) {
        if (found) found({SeverityOf(finding.severity), finding.message});
      },
      reporter);
  return {summary.pairs, summary.bad_pairs, summary.errors, summary.warnings, summary.notes, summary.wrote_clean};
}

AlignSummary Align(const AlignOptions& options, const Reporter& reporter) {
  engine::BitextFiles files;
  files.source = options.source;
  files.format = FormatOf(options.format, options.source);
  files.source_options.lowercase = options.lowercase;
  files.source_options.words = options.words;
  files.target = options.target;
  files.limit = options.limit;
  const engine::AlignTotals totals =
      engine::AlignCorpus(files, options.output,
                          {.method = options.method,
                           .symmetrisation = engine::ParseSymmetrisation(options.symmetrise),
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
  const engine::SystemSpec spec = SystemOf(options.system);
  const engine::TrainingCorpus corpus{
      .files = {.source = options.source, .target = options.target, .align = options.align},
      .format = FormatOf(options.format, options.source),
      .source = spec.reading.options(options.lowercase),
      .max_pair_rules = options.max_pair_rules};
  const engine::WorkOptions work{
      .threads = ThreadsOf(options.threads), .memory_bytes = MemoryOf(options.memory), .temp_folder = ""};
  engine::CheckWritable(options.output);
  engine::Occurrences found = engine::CountOccurrences(corpus, spec, work, reporter);
  const engine::OccurrenceTotals counted = found.totals;
  if (counted.pairs == 0) throw Error(options.source + ": the corpus is empty");
  const engine::TableTotals built = engine::BuildTable(std::move(found),
                                                       {.spec = spec,
                                                        .scores = engine::ParseScoreCoding(options.scores),
                                                        .counts = options.counts,
                                                        .keep = options.keep},
                                                       work, options.output, reporter);
  return {counted.pairs, counted.empty,      counted.unlinked, counted.too_long, counted.occurrences,
          built.rules,   built.source_sides, built.bytes,      counted.bounded};
}

void EstimateLanguageModel(const LanguageModelOptions& options, const Reporter& reporter) {
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
  if (options.output == "-" && options.runs > 1)
    throw Error("several runs are written to several files; name one with -o, e.g. weights.toml");
  const std::unique_ptr<engine::Model> model = engine::Model::Load(options.model, options.settings, reporter);
  const engine::DevSet dev = engine::ReadDevSet(*model, options.source, options.references, reporter);
  { const engine::OutputFile writable(options.output); }  // fails now instead of after tuning
  engine::TuneOptions tune{.method = options.method,
                           .runs = options.runs,
                           .seed = options.seed,
                           .iterations = options.iterations,
                           .nbest = options.nbest,
                           .threads = ThreadsOf(options.threads),
                           .nbest_folder = options.nbest_folder};
  // The weights of each run are written as it ends, so that a run that fails costs no other.
  std::vector<std::string> kept;
  if (tune.runs > 1)
    tune.run_ended = [&](int number, const engine::TuneRun& run) {
      kept.push_back(engine::RunWeightsPath(options.output, number));
      engine::WriteWeights(kept.back(), model->config(), run, tune.method);
    };
  if (row) row(engine::TuneTableHeader());
  try {
    const engine::TuneResult result = engine::Tune(
        *model, dev, tune,
        [&](const engine::TuneIteration& iteration) {
          if (row) row(engine::TuneTableRow(iteration));
        },
        reporter);
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
