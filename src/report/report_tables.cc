#include "report/report_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "util/quantities.h"

namespace graft::engine {
namespace {

constexpr const char* kMarkOf[] = {"*", "+"};

bool IsMain(const ReportRow& row) { return !row.edge_labels && !row.nonterminal_variant && !row.other_variant; }

// System and variant: "SERG+POS", "SERG MGS=1".
std::string Title(const ReportRow& row) {
  return row.system + (row.variant.empty() || row.variant.starts_with('+') ? "" : " ") + row.variant;
}

std::string Count(double value) { return GroupDigits(static_cast<uint64_t>(std::llround(value))); }
std::string Percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// "beam 100, pop limit 400"
std::string Limits(const ExperimentReport& report, int factor) {
  const auto limit = [&](int value) { return value == 0 ? "unlimited" : fmt::format("{}", LargeBeam(value, factor)); };
  return fmt::format("beam {}, pop limit {}", limit(report.beam), limit(report.pop_limit));
}

// The first table of the paper, and with more columns the others: system, graph, rules, BLEU.
template <class Belongs>
ReportTable ScoreTable(const ExperimentReport& report, const std::string& title, bool with_mgs, Belongs belongs) {
  ReportTable table;
  table.title = title;
  table.scores = true;
  table.head = {"System", "Graph"};
  if (with_mgs) table.head.push_back("MGS");
  table.head.push_back("Rules");
  for (const std::string& test : report.tests) table.head.push_back("BLEU " + test);
  for (const ReportRow& row : report.rows) {
    if (!belongs(row)) continue;
    std::vector<std::string> cells = {Title(row), row.graph};
    if (with_mgs) cells.push_back(row.mgs > 0 ? fmt::format("{}", row.mgs) : "");
    cells.push_back(row.rules > 0 ? Count(row.rules) : "");
    for (const RowTest& test : row.tests) cells.push_back(fmt::format("{:.2f}{}", test.mean, test.Marks()));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// Whether a plain row has the system and graph of a row for which `varied` holds: the row to compare that one with.
template <class Varied>
bool IsCounterpart(const ExperimentReport& report, const ReportRow& row, Varied varied) {
  return IsMain(row) && !row.consensus &&
         std::any_of(report.rows.begin(), report.rows.end(), [&](const ReportRow& other) {
           return varied(other) && other.system == row.system && other.graph == row.graph;
         });
}

void AddScoreTables(const ExperimentReport& report, std::vector<ReportTable>* tables) {
  const auto edges = [](const ReportRow& row) { return row.edge_labels; };
  const auto nonterminals = [](const ReportRow& row) { return row.nonterminal_variant && !row.edge_labels; };
  const auto others = [](const ReportRow& row) {
    return row.other_variant && !row.nonterminal_variant && !row.edge_labels;
  };
  if (std::any_of(report.rows.begin(), report.rows.end(), IsMain))
    tables->push_back(ScoreTable(report, "Systems", false, IsMain));
  const auto add = [&](const char* title, bool with_mgs, const auto& varied) {
    if (std::none_of(report.rows.begin(), report.rows.end(), varied)) return;
    tables->push_back(ScoreTable(report, title, with_mgs, [&](const ReportRow& row) {
      return varied(row) || IsCounterpart(report, row, varied);
    }));
  };
  add("Edge labels", false, edges);
  add("Non-terminals: parts of speech, and the least number of words under one (MGS)", true, nonterminals);
  add("Other settings", false, others);
}

ReportTable CostTable(const ExperimentReport& report) {
  ReportTable table;
  table.title = "Speed and size";
  table.note = fmt::format(
      "Sentences a second: {}, one thread, {} unless a row has its own, weights of the first run, loading excluded. "
      "Memory: what translation adds to the process at most, mapped pages of table and language model included. Shared "
      "by all rows: word alignment {}, language model {}.",
      report.tests[report.measured_test], Limits(report, 1),
      report.links_given ? "given" : FormatDuration(report.align_seconds), FormatDuration(report.lm_seconds));
  table.head = {"System",       "Graph",    "Table built in", "Memory, building",   "Table",
                "Bytes a rule", "Tuned in", "Sentences/s",    "Memory, translating"};
  for (const ReportRow& row : report.rows) {
    if (row.consensus) continue;
    table.rows.push_back({Title(row), row.graph, FormatDuration(row.table_seconds),
                          FormatBytes(static_cast<uint64_t>(row.build_memory)),
                          FormatBytes(static_cast<uint64_t>(row.table_bytes)),
                          row.rules > 0 ? fmt::format("{:.1f}", row.table_bytes / row.rules) : "",
                          report.tuned ? FormatDuration(row.tune_seconds) : "",
                          row.sentences_per_second ? fmt::format("{:.1f}", *row.sentences_per_second) : "",
                          row.decode_memory > 0 ? FormatBytes(static_cast<uint64_t>(row.decode_memory)) : ""});
  }
  return table;
}

ReportTable ShareTable(const ExperimentReport& report) {
  ReportTable table;
  table.title = "Kinds of rules";
  double pairs = 0;
  for (const ReportRow& row : report.rows)
    if (row.shares) pairs = row.shares->pairs;
  table.note = fmt::format(
      "Shares of the distinct rules of {} pairs: those whose words are a run, those whose words are connected by "
      "dependency edges "
      "alone, both, and those that are neither, which only the mixture of both kinds of edges (or a gap) gives. Words "
      "under non-terminals count.",
      Count(pairs));
  table.head = {"System", "Graph", "Rules", "Continuous", "Dependency-connected", "Both", "Only by the mixture"};
  for (const ReportRow& row : report.rows)
    if (const std::optional<RuleShares>& shares = row.shares) {
      const auto of_trees = [&](double share) { return shares->trees ? Percent(share) : ""; };
      table.rows.push_back({Title(row), row.graph, Count(shares->rules), Percent(shares->continuous),
                            of_trees(shares->dependency), of_trees(shares->both), of_trees(shares->mixture)});
    }
  return table;
}

ReportTable LengthTable(const ExperimentReport& report) {
  ReportTable table;
  table.title = "Time against sentence length";
  table.note = "Mean milliseconds a sentence, one thread, by number of source words.";
  table.head = {"System", "Graph"};
  std::vector<LengthBin> used;
  for (const LengthBin& bin : LengthBins())
    if (std::any_of(report.rows.begin(), report.rows.end(),
                    [&](const ReportRow& row) { return MeanMilliseconds(row, bin.first, bin.last) >= 0; }))
      used.push_back(bin);
  for (const LengthBin& bin : used)
    table.head.push_back(bin.last == std::numeric_limits<int>::max() ? fmt::format("{}+", bin.first)
                                                                     : fmt::format("{}-{}", bin.first, bin.last));
  for (const ReportRow& row : report.rows) {
    if (row.sentence_milliseconds.empty()) continue;
    std::vector<std::string> cells = {Title(row), row.graph};
    for (const LengthBin& bin : used) {
      const double mean = MeanMilliseconds(row, bin.first, bin.last);
      cells.push_back(mean < 0 ? "" : fmt::format("{:.1f}", mean));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

ReportTable ErrorTable(const ExperimentReport& report) {
  ReportTable table;
  table.title = "Search errors";
  table.note = fmt::format(
      "Sentences of {} with a beam and a pop limit {} times as large ({} unless a row has its own): how many get a "
      "better model score, by how much the score of a sentence rises on average, and what that does to BLEU of these "
      "sentences.",
      report.tests[report.measured_test], report.error_factor, Limits(report, report.error_factor));
  table.head = {"System", "Graph", "Sentences", "Better score", "Mean gain", "BLEU", "BLEU, large beam"};
  for (const ReportRow& row : report.rows)
    if (row.errors && row.errors->sentences > 0)
      table.rows.push_back({Title(row), row.graph, Count(row.errors->sentences),
                            Percent(row.errors->improved / row.errors->sentences),
                            fmt::format("{:.4f}", row.errors->mean_gain), fmt::format("{:.2f}", row.errors->bleu),
                            fmt::format("{:.2f}", row.errors->bleu_large)});
  return table;
}

ReportTable SignificanceTable(const ExperimentReport& report) {
  ReportTable table;
  table.title = "Runs and significance";
  table.note =
      "s_sel: standard deviation by choice of the test sentences (bootstrap); s_opt: over the tuning runs; Δ and p: "
      "difference to a baseline and its p by stratified approximate randomisation.";
  table.head = {"System", "Graph", "Dev BLEU", "Iterations"};
  for (const std::string& test : report.tests) {
    for (const char* what : {"runs", "s_sel", "s_opt"}) table.head.push_back(fmt::format("{}: {}", test, what));
    for (size_t k = 0; k < report.baselines.size(); ++k) {
      table.head.push_back("Δ " + report.BaselineName(k));
      table.head.push_back("p");
    }
  }
  for (const ReportRow& row : report.rows) {
    std::vector<std::string> cells = {Title(row), row.graph,
                                      row.dev_bleu.empty() ? "" : fmt::format("{:.2f}", MeanOf(row.dev_bleu)),
                                      fmt::format("{}", fmt::join(row.tune_iterations, " "))};
    for (const RowTest& test : row.tests) {
      cells.push_back(fmt::format("{:.2f}", fmt::join(test.bleu, " ")));
      cells.push_back(fmt::format("{:.2f}", test.s_sel));
      cells.push_back(test.s_opt ? fmt::format("{:.2f}", *test.s_opt) : "");
      for (const std::optional<BaselineContrast>& contrast : test.contrasts) {
        cells.push_back(contrast ? fmt::format("{:+.2f}", contrast->difference) : "");
        cells.push_back(contrast ? fmt::format("{:.4f}", contrast->p) : "");
      }
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

std::string RowTest::Marks() const {
  std::string marks;
  for (size_t k = 0; k < contrasts.size() && k < std::size(kMarkOf); ++k)
    if (contrasts[k] && contrasts[k]->better && contrasts[k]->p <= kSignificantP) marks += kMarkOf[k];
  return marks;
}

std::string RowName(const ReportRow& row) {
  std::string name = row.system;
  for (const std::string& part : {row.graph, row.variant})
    if (!part.empty()) name += " " + part;
  return name;
}

std::string ExperimentReport::BaselineName(size_t k) const { return RowName(rows[baselines[k]]); }

const std::vector<LengthBin>& LengthBins() {
  static const std::vector<LengthBin> bins = {{1, 5},   {6, 10},  {11, 15},
                                              {16, 20}, {21, 25}, {26, 30},
                                              {31, 40}, {41, 60}, {61, std::numeric_limits<int>::max()}};
  return bins;
}

double MeanOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double MeanMilliseconds(const ReportRow& row, int first, int last) {
  double sum = 0;
  int count = 0;
  for (const auto& [words, milliseconds] : row.sentence_milliseconds) {
    if (words < first || words > last) continue;
    sum += milliseconds;
    ++count;
  }
  return count == 0 ? -1 : sum / count;
}

std::vector<ReportTable> ReportTables(const ExperimentReport& report) {
  std::vector<ReportTable> tables;
  AddScoreTables(report, &tables);
  for (ReportTable& table : std::vector<ReportTable>{SignificanceTable(report), CostTable(report), ShareTable(report),
                                                     LengthTable(report), ErrorTable(report)})
    if (!table.rows.empty()) tables.push_back(std::move(table));
  return tables;
}

std::string ReportLegend(const ExperimentReport& report) {
  std::string text = fmt::format("{} training pairs ({} source words, {} target words)", Count(report.pairs),
                                 Count(report.source_words), Count(report.target_words));
  if (report.tuned)
    text += fmt::format(
        "; weights tuned on {} sentences, {} run{} of at most {} iterations. BLEU is the mean of the runs (",
        Count(report.dev_sentences), report.runs, report.runs == 1 ? "" : "s", report.iterations);
  else
    text += "; weights not tuned. BLEU is with the weights that systems start with (";
  text += "sacreBLEU, tok:none, on text as trained).";
  for (size_t k = 0; k < report.baselines.size(); ++k)
    text +=
        fmt::format(" {} significantly better than {} (p ≤ {}).", kMarkOf[k], report.BaselineName(k), kSignificantP);
  text += fmt::format(" All of it took {} of work.", FormatDuration(report.total_seconds));
  return text;
}

}  // namespace graft::engine
