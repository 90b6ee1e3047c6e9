#include "table/matcher.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "graft/error.h"
#include "rules/source_side.h"
#include "table/step_memo.h"
#include "table/table_format.h"
#include "util/stop_counter.h"

namespace graft::engine {

struct UnitMatcher::Impl {
  explicit Impl(const RuleTable& rule_table)
      : table(rule_table), kind(rule_table.spec().signature()), contiguous(rule_table.spec().contiguous()) {}

  void Extend(TrieNode node, int depth, uint64_t mask, int last_allowed);
  void Step(TrieNode node, int depth, uint64_t mask, int next, int last_allowed);

  const RuleTable& table;
  const SignatureKind kind;
  const bool contiguous;
  StepMemo memo;
  uint64_t steps = 0;

  // The call of Match that is under way.
  std::span<const WordId> words;
  const DependencyGraph* graph = nullptr;
  std::vector<UnitMatch>* matches = nullptr;
  StopCounter stop;
  std::vector<int> next_known;  // the first position from here on whose word the table knows
  std::array<int, table_format::kMaxLevels> unit{};
};

void UnitMatcher::Impl::Step(TrieNode node, int depth, uint64_t mask, int next, int last_allowed) {
  const std::span<const int> earlier(unit.data(), static_cast<size_t>(depth));
  const uint64_t key = table.Key(words[next], Signature(kind, *graph, earlier, next));
  if (key == RuleTable::kNoKey) return;
  stop.Step();
  const std::optional<TrieNode> child = memo.Child(node, key, [&] {
    ++steps;
    return table.Child(node, key);
  });
  if (!child) return;
  unit[static_cast<size_t>(depth)] = next;
  Extend(*child, depth + 1, mask | uint64_t{1} << (next - unit[0]), last_allowed);
}

void UnitMatcher::Impl::Extend(TrieNode node, int depth, uint64_t mask, int last_allowed) {
  const int last = unit[static_cast<size_t>(depth) - 1];
  if (table.HasRules(node))
    matches->push_back({node, mask, static_cast<uint16_t>(unit[0]), static_cast<uint16_t>(last)});
  if (last >= last_allowed || !table.HasChildren(node)) return;
  if (contiguous) {
    if (next_known[static_cast<size_t>(last) + 1] == last + 1) Step(node, depth, mask, last + 1, last_allowed);
    return;
  }
  for (int next = last; (next = next_known[static_cast<size_t>(next) + 1]) <= last_allowed;)
    Step(node, depth, mask, next, last_allowed);
}

UnitMatcher::UnitMatcher(const RuleTable& table) : impl_(std::make_unique<Impl>(table)) {}
UnitMatcher::~UnitMatcher() = default;

void UnitMatcher::Match(std::span<const WordId> words, const DependencyGraph& graph, int max_span,
                        std::vector<UnitMatch>* matches, const StopCheck& stop) {
  Impl& impl = *impl_;
  if (max_span > kMaxUnitSpan)
    throw Error("a unit may span " + std::to_string(kMaxUnitSpan) + " words at most, not " + std::to_string(max_span));
  const int size = static_cast<int>(words.size());
  const bool needs_graph = HasWordEdges(impl.kind);
  if (needs_graph && graph.size() != size)
    throw Error("a sentence of " + std::to_string(size) + " words has a graph of " + std::to_string(graph.size()));
  matches->clear();
  if (max_span < 1) return;
  impl.memo.Forget();
  impl.words = words;
  impl.graph = &graph;
  impl.matches = matches;
  impl.stop = StopCounter(stop);
  impl.next_known.assign(words.size() + 2, size);
  for (int i = size; i-- > 0;) {
    const auto at = static_cast<size_t>(i);
    impl.next_known[at] = words[at] < impl.table.source_words() ? i : impl.next_known[at + 1];
  }
  for (int start = 0; (start = impl.next_known[static_cast<size_t>(start)]) < size; ++start) {
    const size_t first = matches->size();
    impl.Step(RuleTable::kRoot, 0, 0, start, std::min(size, start + max_span) - 1);
    std::sort(matches->begin() + static_cast<ptrdiff_t>(first), matches->end(),
              [](const UnitMatch& a, const UnitMatch& b) { return a.mask < b.mask; });
  }
}

uint64_t UnitMatcher::steps() const { return impl_->steps; }

}  // namespace graft::engine
