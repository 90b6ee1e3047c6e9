#include "rules/rule_statistics.h"

#include <xxhash.h>

#include <algorithm>
#include <vector>

namespace graft::engine {
namespace {

// What is known of one rule. Occurrences 0: an empty cell.
struct Cell {
  XXH128_hash_t key;
  uint32_t occurrences;
  uint32_t continuous;
  uint32_t dependency_connected;
};

class Rules {
 public:
  Cell& Find(XXH128_hash_t key) {
    if (4 * (size_ + 1) > 3 * cells_.size()) Grow();
    Cell& cell = CellOf(key);
    if (cell.occurrences == 0) {
      cell.key = key;
      ++size_;
    }
    return cell;
  }
  const std::vector<Cell>& cells() const { return cells_; }

 private:
  Cell& CellOf(XXH128_hash_t key) {
    size_t at = key.low64 & (cells_.size() - 1);
    while (cells_[at].occurrences != 0 && !XXH128_isEqual(cells_[at].key, key)) at = (at + 1) & (cells_.size() - 1);
    return cells_[at];
  }
  void Grow() {
    std::vector<Cell> old(std::max<size_t>(1024, 2 * cells_.size()));
    old.swap(cells_);
    for (const Cell& cell : old)
      if (cell.occurrences != 0) CellOf(cell.key) = cell;
  }

  std::vector<Cell> cells_;  // open addressing, power of two
  size_t size_ = 0;
};

class KeyMaker {
 public:
  XXH128_hash_t operator()(const RuleOccurrence& rule) {
    numbers_.clear();
    numbers_.push_back(rule.lhs);
    numbers_.push_back(static_cast<uint32_t>(rule.source.size()));  // where the target begins
    for (const SourceSymbol& symbol : rule.source) {
      numbers_.push_back(symbol.symbol);
      numbers_.push_back(symbol.signature);
    }
    numbers_.insert(numbers_.end(), rule.target.begin(), rule.target.end());
    return XXH3_128bits(numbers_.data(), numbers_.size() * sizeof(uint32_t));
  }

 private:
  std::vector<uint32_t> numbers_;
};

}  // namespace

RuleStatistics CountRules(const SystemSpec& spec, const std::function<bool(IndexedPair* pair)>& next) {
  RuleStatistics statistics;
  Rules rules;
  KeyMaker key_of;
  LabelNumbers labels;
  RuleExtractor extractor(spec, &labels);
  IndexedPair pair;
  DependencyGraph tree;
  const auto count = [&](const RuleOccurrence& rule, const UnitPair& where) {
    const int words = where.unit.size();
    const bool continuous = where.unit.last() - where.unit.first() + 1 == words;
    const bool connected = words == 1 || (tree.size() > 0 && tree.IsConnected(where.unit));
    Cell& cell = rules.Find(key_of(rule));
    ++cell.occurrences;
    cell.continuous += continuous ? 1 : 0;
    cell.dependency_connected += connected ? 1 : 0;
    ++statistics.occurrences;
  };
  while (next(&pair)) {
    ++statistics.pairs;
    const bool extractable = !pair.links.empty() && pair.source.size() <= size_t{kMaxSentenceWords};
    tree = extractable && !pair.heads.empty()
               ? DependencyGraph(GraphKind::kTree, static_cast<int>(pair.source.size()), pair.heads)
               : DependencyGraph();
    extractor.Extract(pair, count);
  }
  for (const Cell& cell : rules.cells()) {
    if (cell.occurrences == 0) continue;
    const bool continuous = 2 * uint64_t{cell.continuous} >= cell.occurrences;
    const bool connected = 2 * uint64_t{cell.dependency_connected} >= cell.occurrences;
    ++statistics.rules;
    statistics.continuous += continuous ? 1 : 0;
    statistics.dependency_connected += connected ? 1 : 0;
    statistics.both += continuous && connected ? 1 : 0;
    statistics.neither += !continuous && !connected ? 1 : 0;
  }
  return statistics;
}

}  // namespace graft::engine
