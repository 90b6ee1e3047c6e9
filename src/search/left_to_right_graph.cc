// The hypergraph of left-to-right search.
#include <algorithm>

#include "search/hypergraph_writer.h"
#include "search/left_to_right.h"

namespace graft::engine {

// The survivors, stack by stack: tails first, while a recombined hypothesis may be older than its tail.
class LeftToRightSearch::Found {
 public:
  struct Incoming {
    float score;
    uint32_t created;
    uint32_t back, unit, option;
  };

  explicit Found(LeftToRightSearch* search) : search_(*search) {
    for (size_t covered = 0; covered <= static_cast<size_t>(search_.words_); ++covered)
      order_.insert(order_.end(), search_.stacks_[covered].begin(), search_.stacks_[covered].end());
  }

  size_t size() const { return search_.hypotheses_.size(); }
  size_t survivors() const { return order_.size(); }
  uint32_t Survivor(size_t i) const { return order_[i]; }
  void AddIncoming(uint32_t id, std::vector<Incoming>* incoming) const {
    const Hypothesis& h = search_.hypotheses_[id];
    incoming->push_back({h.score, search_.keep_arcs_ ? search_.created_[id] : 0, h.back, h.unit, h.option});
    if (!search_.keep_arcs_) return;
    for (uint32_t a = search_.first_arc_[id]; a != 0; a = search_.arcs_[a - 1].following) {
      const Arc& arc = search_.arcs_[a - 1];
      incoming->push_back({arc.score, arc.created, arc.back, arc.unit, arc.option});
    }
  }
  // The empty hypothesis extends none.
  std::span<const uint32_t> Tails(const Incoming& extension) const {
    return {&extension.back, extension.unit == kNoUnit ? size_t{0} : size_t{1}};
  }
  HyperEdge Edge(const Incoming& extension) const {
    HyperEdge edge;
    if (extension.unit == kNoUnit) return edge;
    const Hypothesis& tail = search_.hypotheses_[extension.back];
    const OptionSet& options = *search_.options_;
    const Unit& unit = options.units()[extension.unit];
    edge.kind = EdgeKind::kUnit;
    edge.unit = extension.unit;
    edge.option = unit.first_option + extension.option;
    const TargetOption& option = options.option(edge.option);
    const float delta = search_.states_.Append(tail.state, edge.option, options.phrase(edge.option)).delta;
    edge.lm = option.lm_inside + delta;
    edge.jump = static_cast<int16_t>(Reach::Distance(unit.start, tail.next));
    edge.gap = static_cast<int16_t>(unit.gap);
    edge.score = option.estimate + search_.StepScore(tail.next, unit) + search_.lm_weight() * delta;
    return edge;
  }

 private:
  LeftToRightSearch& search_;
  std::vector<uint32_t> order_;
};

void LeftToRightSearch::WriteGraph(uint32_t alternatives) {
  const std::vector<uint32_t>& complete = stacks_[static_cast<size_t>(words_)];
  std::vector<GoalTail> goals;
  for (size_t i = 0; i < std::min<size_t>(complete.size(), alternatives); ++i) {
    const float lm = states_.End(hypotheses_[complete[i]].state);
    goals.push_back({complete[i], lm, lm_weight() * lm});
  }
  Found found(this);
  HypergraphWriter(found, alternatives, &stop_).Write(goals, &graph_);
}

}  // namespace graft::engine
