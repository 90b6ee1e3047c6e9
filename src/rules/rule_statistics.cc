#include "rules/rule_statistics.h"

#include <xxhash.h>

#include <span>
#include <vector>

#include "util/probed_cells.h"

namespace graft::engine {
namespace {

// What is known of one rule. Occurrences 0: an empty cell.
struct Cell {
  XXH128_hash_t key{};
  uint32_t occurrences = 0;
  uint32_t continuous = 0;
  uint32_t dependency_connected = 0;
};

class Rules {
 public:
  Cell& Find(XXH128_hash_t key) {
    if (4 * (size_ + 1) > 3 * cells_.size())
      cells_.Grow(
          1024, [](const Cell& cell) { return cell.occurrences != 0; },
          [](const Cell& cell) { return cell.key.low64; });
    Cell& cell = cells_.Probe(
        key.low64, [&](const Cell& known) { return known.occurrences == 0 || XXH128_isEqual(known.key, key); });
    if (cell.occurrences == 0) {
      cell.key = key;
      ++size_;
    }
    return cell;
  }
  std::span<const Cell> cells() const { return cells_.cells(); }

 private:
  ProbedCells<Cell> cells_;  // at most three quarters full
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

RuleStatistics CountRules(const SystemSpec& spec, const std::function<bool(IndexedPair* pair)>& next,
                          uint64_t max_pair_rules) {
  RuleStatistics statistics;
  Rules rules;
  KeyMaker key_of;
  LabelNumbers labels;
  RuleExtractor extractor(spec, &labels, max_pair_rules);
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
