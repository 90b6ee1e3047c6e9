#include "fuzz/targets/table_checks.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>

#include "building/dump.h"
#include "fuzz/fuzz_target.h"
#include "table/rule_table.h"

namespace graft::engine::fuzz {
namespace {

// The rules below a node, each found by its key alone: the opposite way to a dump, which walks the trie in its order.
class LookUps {
 public:
  explicit LookUps(const RuleTable& table) : table_(table) {
    for (WordId word = 0; word < table.source_words(); ++word) symbols_.push_back(word);
    for (uint32_t label = 0; label < table.labels().size(); ++label) symbols_.push_back(label | kLabelBit);
  }

  std::vector<std::string> All() {
    for (const SourceSymbolId symbol : symbols_)
      if (const auto node = table_.Child(RuleTable::kRoot, symbol, 0)) Visit(*node, {symbol, 0});
    std::sort(lines_.begin(), lines_.end());
    return std::move(lines_);
  }

 private:
  void Visit(TrieNode node, SourceSymbol last) {
    source_.push_back(last);
    if (table_.HasRules(node)) {
      table_.ReadEntries(node, &entries_);
      for (const TableEntry& entry : entries_) lines_.push_back(FormatDumpRule(table_, source_, entry));
    }
    if (table_.HasChildren(node))
      for (const SourceSymbolId symbol : symbols_)
        for (const uint32_t signature : table_.signatures())
          if (const auto child = table_.Child(node, symbol, signature)) Visit(*child, {symbol, signature});
    source_.pop_back();
  }

  const RuleTable& table_;
  std::vector<SourceSymbolId> symbols_;
  std::vector<SourceSymbol> source_;
  std::vector<TableEntry> entries_;
  std::vector<std::string> lines_;
};

}  // namespace

void CheckTable(const std::string& path) {
  const RuleTable table = RuleTable::Open(path);
  table.Verify();
  const std::string dump = ScratchPath("checked.dump"), restored = ScratchPath("checked.graft");
  DumpTable(table, dump);
  std::istringstream lines(ReadWhole(dump));
  std::vector<std::string> dumped;
  bool header = true;
  for (std::string line; std::getline(lines, line);) {
    if (!header) dumped.push_back(line);
    header = header && !line.empty();
  }
  Require(dumped.size() == table.rules(), "a dump with another number of rules");
  std::sort(dumped.begin(), dumped.end());
  if (table.rules() * (table.source_words() + table.labels().size()) * table.signatures().size() < 1'000'000)
    Require(LookUps(table).All() == dumped, "looking up finds other rules than the dump has");
  RestoreTable(dump, restored, {});
  Require(ReadWhole(path) == ReadWhole(restored), "a dump that restores other bytes");
}

}  // namespace graft::engine::fuzz
