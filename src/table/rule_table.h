// An immutable, memory-mapped rule table: a trie over (symbol, signature) with target lists (format: table_format.h).
//
//   RuleTable table = RuleTable::Open("rules.graft");
//   if (auto node = table.Child(RuleTable::kRoot, word, signature))  // raw signature; one that no rule has is rejected
//   before any memory access
//     if (table.HasRules(*node)) table.ReadEntries(*node, &entries);
//
// Page 0, directory, sizes and small sections are checked by Open; every 64 KiB block of the large ones on first touch.
// Damage is an Error that names the file and the section. All methods are const and thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rule.h"
#include "rules/system_spec.h"
#include "table/table_writer.h"

namespace graft {

// A trie node. Level 0 nodes are first symbols; kRoot has level -1.
struct TrieNode {
  int32_t level = -1;
  uint32_t index = 0;
  friend auto operator<=>(const TrieNode&, const TrieNode&) = default;
};

class RuleTable {
 public:
  static constexpr TrieNode kRoot{};

  static RuleTable Open(const std::string& path);
  ~RuleTable();
  RuleTable(RuleTable&&) noexcept;
  RuleTable& operator=(RuleTable&&) noexcept;

  const SystemSpec& spec() const;
  ScoreCoding coding() const;
  bool has_counts() const;
  uint64_t rules() const;
  uint64_t source_sides() const;
  uint64_t nodes() const;
  uint64_t bytes() const;  // file size

  WordId source_words() const;  // size of the vocabulary
  WordId target_words() const;
  std::string_view SourceWord(WordId id) const;
  std::string_view TargetWord(WordId id) const;
  WordId FindSource(std::string_view word) const;  // kNoWord if absent
  const std::vector<std::string>& labels() const;
  const std::vector<std::string>& alignments() const;
  const std::vector<uint32_t>& signatures() const;

  // The child of `node` for a symbol (word id, or label id | kLabelBit) and a raw signature.
  std::optional<TrieNode> Child(TrieNode node, SourceSymbolId symbol, uint32_t signature) const;
  bool HasRules(TrieNode node) const;

  // The entries of a node in stored order, decoded into `entries` (reused). `entries` is empty when the node has none.
  void ReadEntries(TrieNode node, std::vector<TableEntry>* entries) const;

  // All source sides in table order: visit(source with raw signatures, node).
  void ForEachSource(const std::function<void(const std::vector<SourceSymbol>&, TrieNode)>& visit) const;

  // The header as the writer got it (for dump and prune).
  TableHeader header() const;

  // Checks every block; throws Error on the first damaged one.
  void Verify() const;

 private:
  RuleTable();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft
