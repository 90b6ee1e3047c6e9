// An experiment as Markdown, CSV and JSON.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/experiment_report.h"
#include "report/report_tables.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

using Json = nlohmann::ordered_json;

std::string MarkdownCell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("|*_`[\\~").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c == '<' ? std::string("&lt;") : c == '&' ? std::string("&amp;") : std::string(1, c);
  }
  return escaped;
}

std::string MarkdownLine(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + MarkdownCell(cell) + " |";
  return line + "\n";
}

std::string CsvCell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string Number(double value) { return fmt::format("{:.12g}", value); }
std::string Number(const std::optional<double>& value) { return value ? Number(*value) : ""; }

int64_t Whole(double value) { return std::llround(value); }

Json ToJson(const RowTest& test, const ExperimentReport& report) {
  Json json{{"bleu", test.mean}, {"runs", test.bleu}, {"s_sel", test.s_sel}, {"marks", test.Marks()}};
  json["s_opt"] = test.s_opt ? Json(*test.s_opt) : Json(nullptr);
  json["against"] = Json::array();
  for (size_t k = 0; k < test.contrasts.size(); ++k)
    if (const std::optional<BaselineContrast>& contrast = test.contrasts[k])
      json["against"].push_back({{"baseline", report.rows[report.baselines[k]].id},
                                 {"delta", contrast->difference},
                                 {"p", contrast->p},
                                 {"p_bootstrap", contrast->p_bootstrap},
                                 {"better", contrast->better}});
  return json;
}

Json ToJson(const ReportRow& row, const ExperimentReport& report) {
  Json json{{"id", row.id},
            {"system", row.system},
            {"graph", row.graph},
            {"variant", row.variant},
            {"consensus", row.consensus}};
  Json tests = Json::object();
  for (size_t t = 0; t < row.tests.size(); ++t) tests[report.tests[t]] = ToJson(row.tests[t], report);
  json["dev_bleu"] = row.dev_bleu;
  json["tests"] = tests;
  if (row.consensus) return json;
  json["rules"] = Whole(row.rules);
  json["mgs"] = row.mgs > 0 ? Json(Whole(row.mgs)) : Json(nullptr);
  json["tune_iterations"] = std::vector<int>(row.tune_iterations.begin(), row.tune_iterations.end());
  json["table_bytes"] = Whole(row.table_bytes);
  json["table_seconds"] = row.table_seconds;
  json["table_memory"] = Whole(row.build_memory);
  json["tune_seconds"] = row.tune_seconds;
  if (row.sentences_per_second) json["sentences_per_second"] = *row.sentences_per_second;
  json["translation_memory"] = Whole(row.decode_memory);
  json["sentence_milliseconds"] = row.sentence_milliseconds;
  if (row.shares) {
    const auto of_trees = [&](double share) { return row.shares->trees ? Json(share) : Json(nullptr); };
    json["shares"] = {
        {"pairs", Whole(row.shares->pairs)},    {"rules", Whole(row.shares->rules)},
        {"continuous", row.shares->continuous}, {"dependency_connected", of_trees(row.shares->dependency)},
        {"both", of_trees(row.shares->both)},   {"only_by_the_mixture", of_trees(row.shares->mixture)}};
  }
  if (row.errors)
    json["search_errors"] = {{"sentences", Whole(row.errors->sentences)},
                             {"better_score", Whole(row.errors->improved)},
                             {"mean_gain", row.errors->mean_gain},
                             {"bleu", row.errors->bleu},
                             {"bleu_large_beam", row.errors->bleu_large}};
  Json examples = Json::array();
  for (const DrawnDerivation& drawn : row.examples)
    examples.push_back({{"translation", JoinTokens(drawn.target)}, {"derivation", drawn.text}});
  json["examples"] = examples;
  return json;
}

}  // namespace

std::string ReportMarkdown(const ExperimentReport& report) {
  std::string text = "# " + MarkdownCell(report.name) + "\n\n" + ReportLegend(report) + "\n";
  for (const ReportTable& table : ReportTables(report)) {
    text += "\n## " + table.title + "\n\n" + MarkdownLine(table.head) + "|";
    for (size_t i = 0; i < table.head.size(); ++i) text += i < 2 ? "---|" : "---:|";
    text += "\n";
    for (const std::vector<std::string>& row : table.rows) text += MarkdownLine(row);
    if (!table.note.empty()) text += "\n" + table.note + "\n";
  }
  if (!report.examples.empty())
    text += fmt::format("\n## Sentences on which systems differ\n\nOf {}, counted from 0.\n",
                        MarkdownCell(report.tests[report.measured_test]));
  for (size_t e = 0; e < report.examples.size(); ++e) {
    const ReportExample& example = report.examples[e];
    text += fmt::format("\n### Sentence {}\n\n* source: {}\n* reference: {}\n", example.sentence,
                        MarkdownCell(JoinTokens(example.source)), MarkdownCell(example.reference));
    for (const ReportRow& row : report.rows)
      if (e < row.examples.size())
        text += fmt::format("* {}: {}\n", MarkdownCell(RowName(row)), MarkdownCell(JoinTokens(row.examples[e].target)));
    text += "\n<details><summary>derivations</summary>\n";
    for (const ReportRow& row : report.rows)
      if (e < row.examples.size())
        text += "\n" + MarkdownCell(RowName(row)) + "\n\n~~~~\n" + row.examples[e].text + "~~~~\n";
    text += "\n</details>\n";
  }
  return text;
}

std::string ReportCsv(const ExperimentReport& report) {
  std::vector<std::string> head = {"id",   "system", "graph", "variant", "rules",
                                   "test", "bleu",   "marks", "s_sel",   "s_opt"};
  for (int run = 1; run <= report.runs; ++run) head.push_back(fmt::format("bleu_run{}", run));
  for (const size_t baseline : report.baselines)
    for (const char* what : {"delta_", "p_", "p_bootstrap_"}) head.push_back(what + report.rows[baseline].id);
  for (const char* name :
       {"mgs", "dev_bleu", "table_bytes", "table_seconds", "table_memory", "tune_seconds", "sentences_per_second",
        "translation_memory", "continuous", "dependency_connected", "both", "only_by_the_mixture",
        "better_score_large_beam", "mean_gain_large_beam", "bleu_of_these", "bleu_of_these_large_beam"})
    head.emplace_back(name);
  for (std::string& cell : head) cell = CsvCell(cell);
  std::string text = fmt::format("{}\n", fmt::join(head, ","));
  for (const ReportRow& row : report.rows)
    for (size_t t = 0; t < row.tests.size(); ++t) {
      const RowTest& test = row.tests[t];
      std::vector<std::string> cells = {
          row.id,          row.system,        row.graph,    row.variant,        row.consensus ? "" : Number(row.rules),
          report.tests[t], Number(test.mean), test.Marks(), Number(test.s_sel), Number(test.s_opt)};
      for (const double bleu : test.bleu) cells.push_back(Number(bleu));
      for (const std::optional<BaselineContrast>& contrast : test.contrasts) {
        cells.push_back(contrast ? Number(contrast->difference) : "");
        cells.push_back(contrast ? Number(contrast->p) : "");
        cells.push_back(contrast ? Number(contrast->p_bootstrap) : "");
      }
      const auto add = [&](bool has, double value) { cells.push_back(has ? Number(value) : ""); };
      add(row.mgs > 0, row.mgs);
      add(!row.dev_bleu.empty(), MeanOf(row.dev_bleu));
      add(!row.consensus, row.table_bytes);
      add(!row.consensus, row.table_seconds);
      add(!row.consensus, row.build_memory);
      add(!row.dev_bleu.empty(), row.tune_seconds);
      cells.push_back(Number(row.sentences_per_second));
      add(row.decode_memory > 0, row.decode_memory);
      const RuleShares shares = row.shares.value_or(RuleShares{});
      add(row.shares.has_value(), shares.continuous);
      for (const double share : {shares.dependency, shares.both, shares.mixture}) add(shares.trees, share);
      const SearchErrors errors = row.errors.value_or(SearchErrors{});
      add(errors.sentences > 0, errors.sentences > 0 ? errors.improved / errors.sentences : 0);
      for (const double value : {errors.mean_gain, errors.bleu, errors.bleu_large}) add(errors.sentences > 0, value);
      for (std::string& cell : cells) cell = CsvCell(cell);
      text += fmt::format("{}\n", fmt::join(cells, ","));
    }
  return text;
}

std::string ReportJson(const ExperimentReport& report) {
  Json json{{"name", report.name},
            {"pairs", Whole(report.pairs)},
            {"source_words", Whole(report.source_words)},
            {"target_words", Whole(report.target_words)},
            {"dev_sentences", Whole(report.dev_sentences)},
            {"runs", report.runs},
            {"iterations", report.iterations},
            {"baselines", Json::array()},
            {"tests", report.tests},
            {"measured_test", report.tests[report.measured_test]},
            {"align_seconds", report.links_given ? Json(nullptr) : Json(report.align_seconds)},
            {"lm_seconds", report.lm_seconds},
            {"total_seconds", report.total_seconds}};
  for (const size_t baseline : report.baselines) json["baselines"].push_back(report.rows[baseline].id);
  json["rows"] = Json::array();
  for (const ReportRow& row : report.rows) json["rows"].push_back(ToJson(row, report));
  json["examples"] = Json::array();
  for (const ReportExample& example : report.examples)
    json["examples"].push_back(
        {{"sentence", example.sentence}, {"source", JoinTokens(example.source)}, {"reference", example.reference}});
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace graft::engine
