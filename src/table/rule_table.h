// An immutable, memory-mapped rule table: a trie over (symbol, signature) with target lists (format: table_format.h).
//
//   RuleTable table = RuleTable::Open("rules.graft");
//   if (auto node = table.Child(RuleTable::kRoot, word, signature))
//     if (table.HasRules(*node)) table.ReadTargets(*node, &targets);
//
// Page 0, directory, sizes and small sections are checked by Open, whose cost does not grow with the table; every 64
// KiB block of the large ones is checked on first touch. Damage is an Error that names the file and the section. All
// methods are const and thread-safe.
#pragma once

#include <compare>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "graft/error.h"
#include "rules/rule.h"
#include "rules/system_spec.h"
#include "table/score_coding.h"
#include "table/table_entry.h"
#include "table/target_list.h"
#include "util/stop_check.h"

namespace graft::engine {

// A trie node. Level 0 nodes are first symbols; kRoot has level -1.
struct TrieNode {
  int32_t level = -1;
  uint32_t index = 0;
  friend auto operator<=>(const TrieNode&, const TrieNode&) = default;
};

// Which children a node has.
struct TrieChildren {
  bool words = false;
  bool labels = false;
  bool any() const { return words || labels; }
};

class RuleTable {
 public:
  static constexpr TrieNode kRoot{};

  static RuleTable Open(const std::string& path);
  ~RuleTable();
  RuleTable(RuleTable&&) noexcept;
  RuleTable& operator=(RuleTable&&) noexcept;

  const std::string& path() const;
  const SystemSpec& spec() const;
  const ScoreCodec& codec() const;
  ScoreCoding coding() const { return codec().coding(); }
  bool has_counts() const;
  bool has_lhs() const;  // left-hand sides other than label 0
  uint64_t rules() const;
  uint64_t source_sides() const;
  uint64_t nodes() const;
  uint64_t bytes() const;      // file size
  std::string format() const;  // version, "1.0"

  // Of the source sides with 1, 2, … symbols.
  struct LevelStatistics {
    uint64_t nodes = 0, source_sides = 0, rules = 0;
  };
  std::vector<LevelStatistics> statistics() const;
  // Of the source sides with 0, 1, … non-terminals; empty for a table without labels.
  struct NonTerminalStatistics {
    uint64_t source_sides = 0, rules = 0;
  };
  std::vector<NonTerminalStatistics> nonterminal_statistics() const;
  // Every section with its size, in file order: where the bytes are.
  struct SectionSize {
    std::string name;
    uint64_t bytes = 0, items = 0;
  };
  std::vector<SectionSize> sections() const;

  WordId source_words() const;  // size of the vocabulary
  WordId target_words() const;
  std::string_view SourceWord(WordId id) const;
  std::string_view TargetWord(WordId id) const;
  WordId FindSource(std::string_view word) const;  // kNoWord if absent
  WordId FindTarget(std::string_view word) const;
  const std::vector<std::string>& labels() const;
  uint32_t alignment_count() const;
  const std::vector<std::string>& alignments() const;  // as text, by id; decoded on first use
  // The links of an alignment by positions as in its text: SDTU's gap marks count as symbols. Decoded on first use.
  std::span<const RuleLink> Links(uint32_t alignment) const;
  const std::vector<uint32_t>& signatures() const;

  // A trie step: symbol (word id, or label id | kLabelBit) and raw signature in one number. kNoKey if no rule has the
  // symbol or signature: found out without touching the table.
  static constexpr uint64_t kNoKey = UINT64_MAX;
  uint64_t Key(SourceSymbolId symbol, uint32_t signature) const;

  // The child of `node` for a key, or for a symbol and a raw signature.
  std::optional<TrieNode> Child(TrieNode node, uint64_t key) const;
  std::optional<TrieNode> Child(TrieNode node, SourceSymbolId symbol, uint32_t signature) const {
    return Child(node, Key(symbol, signature));
  }
  bool HasChildren(TrieNode node) const;
  TrieChildren Children(TrieNode node) const;  // not of kRoot
  bool HasRules(TrieNode node) const;

  // The entries of a node in stored order. Empty when the node has none.
  void ReadTargets(TrieNode node, TargetList* targets) const;

  // The same as the writer got them; for rewriting tables.
  void ReadEntries(TrieNode node, std::vector<TableEntry>* entries) const;

  // All source sides in table order: visit(source with raw signatures, node).
  using SourceVisitor = std::function<void(const std::vector<SourceSymbol>&, TrieNode)>;
  void ForEachSource(const SourceVisitor& visit) const;
  // The same with the entries of each, which the visitor may change.
  using EntriesVisitor = std::function<void(const std::vector<SourceSymbol>&, std::vector<TableEntry>*)>;
  void ForEachSource(const EntriesVisitor& visit) const;

  // The header as the writer got it (for dump and prune).
  TableHeader header() const;

  // Checks every block and that every source side can be read; throws Error on the first that is damaged, and Stopped
  // as `stop` says.
  void Verify(const StopCheck& stop = {}) const;

  // Throws Error if the file is not what it was when it was opened: somebody wrote to it. Cheap; to be called before
  // what was read is handed on.
  void CheckUnchanged() const;
  // The result of `work`, which reads the table, or that Error if somebody wrote to it meanwhile: whatever else went
  // wrong, be it a vector of an impossible length, is then only what came of it.
  template <class Work>
  std::invoke_result_t<Work> Unchanged(Work work) const {
    try {
      if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
        work();
        CheckUnchanged();
      } else {
        auto result = work();
        CheckUnchanged();
        return result;
      }
    } catch (const Stopped&) {
      throw;
    } catch (const std::exception&) {
      CheckUnchanged();
      throw;
    }
  }

 private:
  RuleTable();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft::engine
