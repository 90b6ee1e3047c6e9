#include "search/forced.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "search/coverage.h"
#include "search/left_to_right.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

struct State {
  Coverage coverage;
  uint32_t produced;  // words of the target string
  uint32_t next;      // position after the last word of the last unit
  friend bool operator==(const State&, const State&) = default;
};
struct StateHash {
  size_t operator()(const State& s) const {
    return (s.coverage.key() ^ (static_cast<uint64_t>(s.produced) << 32 | s.next) * 0x9e3779b97f4a7c15ull) *
           0xbf58476d1ce4e5b9ull;
  }
};

// Where in the target string an option's words stand.
class Occurrences {
 public:
  Occurrences(const DecodingModel& model, const OptionSet& options, const std::vector<std::string>& target,
              StopCounter* stop)
      : at_(options.options()) {
    for (const Unit& unit : options.units())
      for (uint32_t o = unit.first_option; o < unit.first_option + unit.option_count; ++o) {
        if (!at_[o].empty()) continue;
        stop->Step();
        const TargetOption& option = options.option(o);
        for (size_t start = 0; start + option.word_count <= target.size(); ++start) {
          uint32_t same = 0;
          while (same < option.word_count &&
                 Matches(model, options.TargetToken(unit, option, same), target[start + same], unit.copied))
            ++same;
          if (same == option.word_count) at_[o].push_back(static_cast<uint32_t>(start));
        }
      }
  }
  bool At(uint32_t option, uint32_t start) const {
    return std::binary_search(at_[option].begin(), at_[option].end(), start);
  }
  bool Anywhere(const Unit& unit) const {
    for (uint32_t o = unit.first_option; o < unit.first_option + unit.option_count; ++o)
      if (!at_[o].empty()) return true;
    return false;
  }

 private:
  static bool Matches(const DecodingModel& model, std::string_view token, const std::string& wanted, bool copied) {
    return token == wanted || (copied && model.lowercase() && Lowercase(token) == wanted);
  }
  std::vector<std::vector<uint32_t>> at_;
};

}  // namespace

ForcedResult ForceDecode(const DecodingModel& model, const OptionSet& options, const std::vector<std::string>& target,
                         uint64_t max_edges, StopCounter* stop, Hypergraph* graph) {
  graph->Clear();
  const Occurrences occurrences(model, options, target, stop);
  std::vector<float> lm_sum(target.size() + 1, 0);  // of the first words
  LmState lm_state = model.lm().BeginState();
  for (size_t i = 0; i < target.size(); ++i) {
    LmState following;
    const std::string word = model.lowercase() ? Lowercase(target[i]) : target[i];
    lm_sum[i + 1] = lm_sum[i] + model.lm().Score(lm_state, model.lm().Word(word), &following);
    lm_state = following;
  }

  struct Edge {
    uint32_t tail, unit, option;
    int16_t jump;
  };
  const int words = options.size();
  std::vector<State> states{{Coverage::Empty(), 0, 0}};
  std::vector<std::vector<Edge>> incoming(1);
  std::unordered_map<State, uint32_t, StateHash> index{{states[0], 0}};
  std::vector<std::vector<uint32_t>> stacks(static_cast<size_t>(words) + 1);
  stacks[0].push_back(0);
  std::vector<char> useful;
  for (const Unit& unit : options.units()) useful.push_back(occurrences.Anywhere(unit) ? 1 : 0);
  const Reach reach{model.search()};
  uint64_t edges = 0;
  for (int covered = 0; covered < words; ++covered)
    for (uint32_t id : stacks[static_cast<size_t>(covered)]) {
      const State state = states[id];
      const int last = reach.LastStart(state.coverage, words);
      for (int start = static_cast<int>(state.coverage.first_gap); start <= last; ++start) {
        stop->Step();
        for (const Unit& unit : options.StartingAt(start)) {
          if (useful[options.IndexOf(unit)] == 0 || !reach.Allows(state.coverage, static_cast<int>(state.next), unit))
            continue;
          for (uint32_t o = unit.first_option; o < unit.first_option + unit.option_count; ++o) {
            if (!occurrences.At(o, state.produced)) continue;
            if (++edges > max_edges) return ForcedResult::kTooLarge;
            const State reached{state.coverage.With(unit.start, unit.mask),
                                state.produced + options.option(o).word_count, unit.end + 1u};
            const auto [found, fresh] = index.try_emplace(reached, static_cast<uint32_t>(states.size()));
            if (fresh) {
              states.push_back(reached);
              incoming.emplace_back();
              stacks[static_cast<size_t>(covered) + unit.size].push_back(found->second);
            }
            incoming[found->second].push_back(
                {id, options.IndexOf(unit), o,
                 static_cast<int16_t>(Reach::Distance(unit.start, static_cast<int>(state.next)))});
          }
        }
      }
    }

  // Keep what leads to a complete state, tails before heads: by covered words.
  std::vector<char> reached(states.size(), 0);
  std::vector<uint32_t> complete;
  for (uint32_t id : stacks[static_cast<size_t>(words)])
    if (states[id].produced == target.size()) complete.push_back(id);
  if (complete.empty()) return ForcedResult::kNotDerivable;
  for (uint32_t id : complete) reached[id] = 1;
  for (int covered = words; covered > 0; --covered)
    for (uint32_t id : stacks[static_cast<size_t>(covered)])
      if (reached[id] != 0)
        for (const Edge& edge : incoming[id]) reached[edge.tail] = 1;

  const FeatureVector& w = model.weights();
  std::vector<uint32_t> node_of(states.size(), 0);
  for (const auto& stack : stacks)
    for (uint32_t id : stack) {
      if (reached[id] == 0) continue;
      node_of[id] = static_cast<uint32_t>(graph->nodes.size());
      const auto first_edge = static_cast<uint32_t>(graph->edges.size());
      if (id == 0) graph->edges.push_back({});
      for (const Edge& way : incoming[id]) {
        const TargetOption& option = options.option(way.option);
        const Unit& unit = options.units()[way.unit];
        HyperEdge edge;
        edge.first_tail = static_cast<uint32_t>(graph->tails.size());
        edge.tail_count = 1;
        graph->tails.push_back(node_of[way.tail]);
        edge.kind = EdgeKind::kUnit;
        edge.unit = way.unit;
        edge.option = way.option;
        const uint32_t produced = states[way.tail].produced;
        edge.lm = lm_sum[produced + option.word_count] - lm_sum[produced];
        edge.jump = way.jump;
        edge.gap = static_cast<int16_t>(unit.gap);
        edge.score = option.estimate + w[kLanguageModel] * (edge.lm - option.lm_inside) - w[kJump] * edge.jump -
                     w[kGap] * edge.gap;
        graph->edges.push_back(edge);
      }
      graph->nodes.push_back({first_edge, static_cast<uint32_t>(graph->edges.size()) - first_edge});
    }
  const auto first_edge = static_cast<uint32_t>(graph->edges.size());
  for (uint32_t id : complete) {
    HyperEdge edge;
    edge.first_tail = static_cast<uint32_t>(graph->tails.size());
    edge.tail_count = 1;
    graph->tails.push_back(node_of[id]);
    edge.lm = model.lm().ScoreEnd(lm_state);
    edge.score = w[kLanguageModel] * edge.lm;
    graph->edges.push_back(edge);
  }
  graph->nodes.push_back({first_edge, static_cast<uint32_t>(graph->edges.size()) - first_edge});
  return ForcedResult::kDerived;
}

}  // namespace graft::engine
