#include "table/table_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "util/utf8.h"

namespace graft::engine {
namespace {

using Json = nlohmann::ordered_json;

double BytesPerRule(const RuleTable& table) {
  return table.rules() == 0 ? 0 : static_cast<double>(table.bytes()) / static_cast<double>(table.rules());
}

}  // namespace

std::string TableText(const RuleTable& table) {
  std::string text;
  const auto line = [&](std::string_view name, const auto& value) { text += fmt::format("{:<16}{}\n", name, value); };
  line("table", table.path());
  const std::string spec = ToToml(table.spec());
  for (std::string_view setting : SplitFields(spec, "\n"))
    if (!setting.empty()) line("system", setting);
  line("scores", ScoreCodingName(table.coding()));
  line("counts", table.has_counts() ? "stored" : "not stored");
  line("rules", table.rules());
  line("source sides", table.source_sides());
  line("nodes", table.nodes());
  line("source words", table.source_words());
  line("target words", table.target_words());
  if (!table.labels().empty()) line("labels", table.labels().size());
  if (!table.labels().empty()) line("left-hand sides", table.has_lhs() ? "labelled" : "X");
  line("signatures", table.signatures().size());
  line("alignments", table.alignment_count());
  line("bytes", table.bytes());
  line("bytes per rule", fmt::format("{:.2f}", BytesPerRule(table)));
  text += "\nsymbols     nodes  source sides       rules\n";
  const auto levels = table.statistics();
  for (size_t i = 0; i < levels.size(); ++i)
    text += fmt::format("{:>7}{:>10}{:>14}{:>12}\n", i + 1, levels[i].nodes, levels[i].source_sides, levels[i].rules);
  const auto nonterminals = table.nonterminal_statistics();
  if (!nonterminals.empty()) text += "\nnon-terminals     source sides       rules\n";
  for (size_t i = 0; i < nonterminals.size(); ++i)
    text += fmt::format("{:>13}{:>17}{:>12}\n", i, nonterminals[i].source_sides, nonterminals[i].rules);
  text += "\nsection        bytes       items\n";
  for (const auto& section : table.sections())
    text += fmt::format("{:<8}{:>12}{:>12}\n", section.name, section.bytes, section.items);
  return text;
}

std::string TableJson(const RuleTable& table) {
  Json json;
  json["table"] = table.path();
  const std::string spec = ToToml(table.spec());
  for (std::string_view setting : SplitFields(spec, "\n")) {
    const size_t equals = setting.find(" = ");
    if (equals == std::string_view::npos) continue;
    json["system"][std::string(setting.substr(0, equals))] = Json::parse(setting.substr(equals + 3));
  }
  json["scores"] = ScoreCodingName(table.coding());
  json["counts"] = table.has_counts();
  json["rules"] = table.rules();
  json["source_sides"] = table.source_sides();
  json["nodes"] = table.nodes();
  json["source_words"] = table.source_words();
  json["target_words"] = table.target_words();
  if (!table.labels().empty()) json["labels"] = table.labels().size();
  if (!table.labels().empty()) json["labelled_left_hand_sides"] = table.has_lhs();
  json["signatures"] = table.signatures().size();
  json["alignments"] = table.alignment_count();
  json["bytes"] = table.bytes();
  json["bytes_per_rule"] = BytesPerRule(table);
  for (const auto& level : table.statistics())
    json["levels"].push_back({{"nodes", level.nodes}, {"source_sides", level.source_sides}, {"rules", level.rules}});
  for (const auto& count : table.nonterminal_statistics())
    json["non_terminals"].push_back({{"source_sides", count.source_sides}, {"rules", count.rules}});
  for (const auto& section : table.sections())
    json["sections"].push_back({{"name", section.name}, {"bytes", section.bytes}, {"items", section.items}});
  // The path, and names of sections that a later version may have, need not be UTF-8.
  return json.dump(2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n";
}

}  // namespace graft::engine
