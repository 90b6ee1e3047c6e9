#include "search/forced_units.h"

#include <algorithm>
#include <bit>

#include "search/coverage.h"
#include "search/hypergraph_writer.h"
#include "search/left_to_right.h"
#include "search/mix_hash.h"
#include "util/hash_index.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

struct State {
  Coverage coverage;
  uint32_t produced;  // words of the target string
  uint32_t next;      // position after the last word of the last unit
  friend bool operator==(const State&, const State&) = default;
  uint64_t Hash() const { return MixHash(coverage.key(), static_cast<uint64_t>(produced) << 32 | next); }
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

// The language model's sums over the first words of a string, and over all with </s>.
struct TargetScores {
  TargetScores(const DecodingModel& model, const std::vector<std::string>& target) : sums(target.size() + 1, 0) {
    LmState state = model.lm().BeginState();
    for (size_t i = 0; i < target.size(); ++i) {
      LmState following;
      const std::string word = model.lowercase() ? Lowercase(target[i]) : target[i];
      sums[i + 1] = sums[i] + model.lm().Score(state, model.lm().Word(word), &following);
      state = following;
    }
    end = model.lm().ScoreEnd(state);
  }

  std::vector<float> sums;  // by number of words
  float end = 0;
};

// Extends every state by every unit that goes on with the string. It is also what HypergraphWriter needs to know.
class UnitForcing {
 public:
  struct Incoming {
    float score = 0;  // edges stay in the order in which they were found
    uint32_t created = 0;
    uint32_t back = 0, unit = kNoUnit, option = 0;
    int16_t jump = 0;
  };

  UnitForcing(const DecodingModel& model, const OptionSet& options, const std::vector<std::string>& target,
              StopCounter* stop)
      : model_(model),
        options_(options),
        reach_(model.search()),
        target_(target),
        occurrences_(model, options, target, stop),
        scores_(model, target),
        stop_(*stop),
        stacks_(static_cast<size_t>(options.size()) + 1) {
    for (const Unit& unit : options.units()) useful_.push_back(occurrences_.Anywhere(unit) ? 1 : 0);
    incoming_[Find({Coverage::Empty(), 0, 0}, 0)].push_back({});
  }

  // Whether that took no more than `max_edges`.
  bool Run(uint64_t max_edges) {
    edges_left_ = max_edges;
    for (size_t covered = 0; covered + 1 < stacks_.size(); ++covered)
      for (size_t i = 0; i < stacks_[covered].size(); ++i)
        if (!Extend(stacks_[covered][i], covered)) return false;
    for (const std::vector<uint32_t>& stack : stacks_) order_.insert(order_.end(), stack.begin(), stack.end());
    return true;
  }

  // The states that cover the sentence and produce the string.
  std::vector<GoalTail> Goals() const {
    std::vector<GoalTail> goals;
    for (const uint32_t id : stacks_.back())
      if (states_[id].produced == target_.size())
        goals.push_back({id, scores_.end, model_.weights()[kLanguageModel] * scores_.end});
    return goals;
  }

  size_t size() const { return states_.size(); }
  size_t survivors() const { return order_.size(); }
  uint32_t Survivor(size_t i) const { return order_[i]; }
  void AddIncoming(uint32_t id, std::vector<Incoming>* incoming) const {
    incoming->insert(incoming->end(), incoming_[id].begin(), incoming_[id].end());
  }
  // The empty state extends none.
  std::span<const uint32_t> Tails(const Incoming& extension) const {
    return {&extension.back, extension.unit == kNoUnit ? size_t{0} : size_t{1}};
  }
  HyperEdge Edge(const Incoming& extension) const {
    HyperEdge edge;
    if (extension.unit == kNoUnit) return edge;
    const FeatureVector& w = model_.weights();
    const TargetOption& option = options_.option(extension.option);
    const uint32_t produced = states_[extension.back].produced;
    edge.kind = EdgeKind::kUnit;
    edge.unit = extension.unit;
    edge.option = extension.option;
    edge.lm = scores_.sums[produced + option.word_count] - scores_.sums[produced];
    edge.jump = extension.jump;
    edge.gap = static_cast<int16_t>(options_.units()[extension.unit].gap);
    edge.score =
        option.estimate + w[kLanguageModel] * (edge.lm - option.lm_inside) - w[kJump] * edge.jump - w[kGap] * edge.gap;
    return edge;
  }

 private:
  // The number of a state; a new one joins the stack of those with so many covered words.
  uint32_t Find(const State& state, size_t covered) {
    const auto [id, fresh] = index_.Insert(state.Hash(), [&](uint32_t known) { return states_[known] == state; });
    if (fresh) {
      states_.push_back(state);
      incoming_.emplace_back();
      stacks_[covered].push_back(id);
    }
    return id;
  }

  bool Extend(uint32_t id, size_t covered) {
    const State state = states_[id];
    const int last = reach_.LastStart(state.coverage, options_.size());
    for (int start = static_cast<int>(state.coverage.first_gap); start <= last; ++start) {
      stop_.Step();
      for (const Unit& unit : options_.StartingAt(start)) {
        if (useful_[options_.IndexOf(unit)] == 0 || !reach_.Allows(state.coverage, static_cast<int>(state.next), unit))
          continue;
        for (uint32_t o = unit.first_option; o < unit.first_option + unit.option_count; ++o)
          if (occurrences_.At(o, state.produced) && !AddEdge(id, covered, unit, o)) return false;
      }
    }
    return true;
  }

  bool AddEdge(uint32_t id, size_t covered, const Unit& unit, uint32_t option) {
    if (edges_left_-- == 0) return false;
    const State& state = states_[id];
    const int jump = Reach::Distance(unit.start, static_cast<int>(state.next));
    const uint32_t reached = Find({state.coverage.With(unit.start, unit.mask),
                                   state.produced + options_.option(option).word_count, unit.end + 1u},
                                  covered + unit.size);
    std::vector<Incoming>& incoming = incoming_[reached];
    incoming.push_back({.created = static_cast<uint32_t>(incoming.size()),
                        .back = id,
                        .unit = options_.IndexOf(unit),
                        .option = option,
                        .jump = static_cast<int16_t>(jump)});
    return true;
  }

  const DecodingModel& model_;
  const OptionSet& options_;
  const Reach reach_;
  const std::vector<std::string>& target_;
  const Occurrences occurrences_;
  const TargetScores scores_;
  StopCounter& stop_;
  std::vector<char> useful_;  // by unit: some option stands in the string
  std::vector<State> states_;
  std::vector<std::vector<Incoming>> incoming_;  // by state
  HashIndex index_;                              // of states_
  std::vector<std::vector<uint32_t>> stacks_;    // by covered words
  std::vector<uint32_t> order_;                  // all stacks
  uint64_t edges_left_ = 0;
};

}  // namespace

ForcedResult ForceUnits(const DecodingModel& model, const OptionSet& options, const ForcedTarget& target,
                        StopCounter* stop, Hypergraph* graph) {
  UnitForcing forcing(model, options, target.words, stop);
  if (!forcing.Run(target.max_edges)) return ForcedResult::kTooLarge;
  HypergraphWriter(forcing, UINT32_MAX, stop).Write(forcing.Goals(), graph);
  return graph->empty() ? ForcedResult::kNotDerivable : ForcedResult::kDerived;
}

}  // namespace graft::engine
