#include "search/item_graph.h"

#include <algorithm>
#include <vector>

#include "search/hypergraph_writer.h"
#include "search/packed_key.h"

namespace graft::engine {
namespace {

// Items as HypergraphWriter wants them.
class FoundItems {
 public:
  using Incoming = Application;

  FoundItems(const ItemStore& store, bool scores_applications, float lm_weight)
      : store_(store), scores_applications_(scores_applications), lm_weight_(lm_weight) {}

  size_t size() const { return store_.items().size(); }
  size_t survivors() const { return store_.items().size(); }
  uint32_t Survivor(size_t i) const { return static_cast<uint32_t>(i); }
  void AddIncoming(uint32_t item, std::vector<Application>* incoming) const {
    incoming->push_back(store_.item(item).best);
    for (uint32_t a = store_.item(item).first_arc; a != 0; a = store_.arc(a).following)
      incoming->push_back(store_.arc(a).application);
  }
  std::span<const uint32_t> Tails(const Application& application) const { return store_.TailItems(application); }

  HyperEdge Edge(const Application& application) const {
    HyperEdge edge;
    edge.lm = application.lm;
    edge.unit = application.match & ~kGlueBit;
    if ((application.match & kGlueBit) != 0) {
      const GlueMatch& glue = store_.glue(application.match);
      edge.kind = glue.border ? EdgeKind::kBorder : EdgeKind::kGlue;
      edge.jump = glue.distortion;
      edge.score = glue.step + lm_weight_ * edge.lm;
      return edge;
    }
    const RuleMatch& match = store_.rule(application.match);
    const TargetOption& option = match.targets->options[application.option];
    edge.kind = EdgeKind::kRule;
    edge.option = application.option;
    edge.gap = match.gap;
    if (scores_applications_) edge.lm += option.lm_inside;
    edge.score = option.estimate + match.step + lm_weight_ * (edge.lm - option.lm_inside);
    return edge;
  }

 private:
  const ItemStore& store_;
  const bool scores_applications_;
  const float lm_weight_;
};

}  // namespace

void WriteItemGraph(const ItemStore& store, const ItemStacks& stacks, const ItemGraphOptions& options,
                    StopCounter* stop, Hypergraph* graph) {
  std::vector<uint64_t> complete;
  for (const uint32_t goal : options.goals)
    for (uint32_t i = 0; i < store.cell(goal).item_count; ++i) {
      const uint32_t item = store.cell(goal).first_item + i;
      const Item& found = store.item(item);
      complete.push_back(PackedKey(found.best.score + options.lm_weight * stacks.EndScore(found.state), item));
    }
  std::sort(complete.begin(), complete.end(), std::greater<>());
  if (complete.size() > options.alternatives) complete.resize(options.alternatives);
  std::vector<GoalTail> tails;
  for (const uint64_t key : complete) {
    const float lm = stacks.EndScore(store.item(IdOf(key)).state);
    tails.push_back({IdOf(key), lm, options.lm_weight * lm});
  }
  FoundItems found(store, stacks.scores_applications(), options.lm_weight);
  HypergraphWriter(found, options.alternatives, stop).Write(tails, graph);
}

}  // namespace graft::engine
