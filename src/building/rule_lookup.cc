#include "building/rule_lookup.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "building/dump.h"
#include "rules/rule_text.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

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

}  // namespace

std::string RulesOf(const RuleTable& table, std::span<const std::string> words) {
  SourceFinder finder(table);
  for (const std::string& word : words) finder.AddWord(word);
  return finder.Find();
}

std::string RulesOfPrinted(const RuleTable& table, std::string_view source) {
  SourceFinder finder(table);
  for (const std::string_view text : SplitTokens(source)) finder.AddPrinted(text);
  return finder.Find();
}

}  // namespace graft::engine
