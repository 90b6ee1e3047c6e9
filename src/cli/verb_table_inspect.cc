// graft table inspect: what a table holds, and the rules of one source side.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "building/dump.h"
#include "cli/common.h"
#include "cli/verb_table.h"
#include "graft/error.h"
#include "rules/rule_text.h"
#include "table/rule_table.h"
#include "util/output_file.h"
#include "util/utf8.h"

namespace graft::engine::cli {
namespace {

using Json = nlohmann::ordered_json;

double BytesPerRule(const RuleTable& table) {
  return table.rules() == 0 ? 0 : static_cast<double>(table.bytes()) / static_cast<double>(table.rules());
}

std::string AsText(const RuleTable& table) {
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

std::string AsJson(const RuleTable& table) {
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
  return json.dump(2) + "\n";
}

// The rules of every source side with these symbols, whatever its edges or gaps, as `dump` prints them.
class SourceFinder {
 public:
  explicit SourceFinder(const RuleTable& table) : table_(table) {}
  void AddWord(std::string_view word) { symbols_.push_back(table_.FindSource(word)); }
  // A word or non-terminal as `dump` prints it.
  void AddPrinted(std::string_view text) {
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
      AddWord(UnescapeWord(text));
      return;
    }
    if (text == "[*]" && table_.spec().signature() == SignatureKind::kGap) return;  // signatures say where gaps are
    const size_t comma = text.rfind(',');
    const std::string name = UnescapeWord(text.substr(1, std::min(comma, text.size() - 1) - 1));
    const auto label = std::find(table_.labels().begin(), table_.labels().end(), name);
    symbols_.push_back(label == table_.labels().end()
                           ? kNone
                           : static_cast<SourceSymbolId>(label - table_.labels().begin()) | kLabelBit);
  }
  std::string Find() {
    Walk(RuleTable::kRoot);
    return std::move(text_);
  }

 private:
  static constexpr SourceSymbolId kNone = kNoWord;

  void Walk(TrieNode node) {
    if (source_.size() == symbols_.size()) {
      table_.ReadEntries(node, &entries_);
      for (const TableEntry& entry : entries_) text_ += FormatDumpRule(table_, source_, entry) + '\n';
      return;
    }
    const SourceSymbolId symbol = symbols_[source_.size()];
    if (symbol == kNone) return;
    for (uint32_t signature : table_.signatures()) {
      const auto child = table_.Child(node, symbol, signature);
      if (!child) continue;
      source_.push_back({symbol, signature});
      Walk(*child);
      source_.pop_back();
    }
  }

  const RuleTable& table_;
  std::vector<SourceSymbolId> symbols_;
  std::vector<SourceSymbol> source_;
  std::vector<TableEntry> entries_;
  std::string text_;
};

struct Inspect {
  std::string table, source;
  std::vector<std::string> words;
  bool verify = false, json = false;

  void Run() const {
    if (json && !(words.empty() && source.empty()))
      throw Error("--json describes a table; it means nothing with words to look up");
    if (!words.empty() && !source.empty()) throw Error("give words or --source, not both");
    const RuleTable opened = RuleTable::Open(TablePath(table));
    if (verify) opened.Verify();
    OutputFile out("-");
    if (!words.empty() || !source.empty()) {
      SourceFinder finder(opened);
      for (const std::string& word : words) finder.AddWord(word);
      for (std::string_view text : SplitTokens(source)) finder.AddPrinted(text);
      const std::string rules = opened.Unchanged([&] { return finder.Find(); });
      if (rules.empty())
        throw Error(fmt::format("{}: no rule has the source `{}`{}", table,
                                source.empty() ? fmt::format("{}", fmt::join(words, " ")) : source,
                                source.empty() && !opened.labels().empty()
                                    ? "; sources with non-terminals are given whole: --source '[X,1] …'"
                                    : ""));
      out.Write(rules);
    } else {
      out.Write(opened.Unchanged([&] { return json ? AsJson(opened) : AsText(opened); }));
    }
    out.Close();
    if (verify) Note(table + ": every block is whole");
  }
};

}  // namespace

void AddTableInspect(CLI::App* table) {
  CLI::App* verb = table->add_subcommand("inspect", "What a table holds; with words, the rules of that source side");
  auto options = std::make_shared<Inspect>();
  verb->add_option("table", options->table, "Rule table, or a model with one")->type_name("TABLE")->required();
  verb->add_option("words", options->words, "Words of a source side, in order")->type_name("WORD…");
  verb->add_option("--source", options->source, "The source side as `dump` prints it, for one with non-terminals")
      ->type_name("TEXT");
  verb->add_flag("--verify", options->verify, "Check every block of the file");
  verb->add_flag("--json", options->json, "As JSON");
  verb->footer(
      "\nExamples:\n"
      "  graft table inspect rules.graft --verify\n"
      "  graft table inspect rules.graft ein Haus\n"
      "  graft table inspect rules.graft --source '[X,1] im Hintergrund'");
  verb->callback([options] { options->Run(); });
}

}  // namespace graft::engine::cli
