// Left-to-right beam search over coverage sets (paper, Algorithm 1).
//
// Stacks B_0..B_n by number of covered words. A hypothesis is extended by every unit that starts within the distortion
// limit of the first uncovered word and covers none of its words. Hypotheses with equal coverage, language model state
// and end of the last unit are recombined; each stack keeps the best `beam` by score plus future cost, and none below
// `threshold` times the best.
//
// Cube pruning: survivors are grouped by (coverage, end). A group and a unit make an edge, whose distortion, gap and
// future cost are computed once; its two axes are the group's hypotheses and the unit's options, best first. Candidates
// are scored with the language model when they are pushed, and the best `pop_limit` of a stack are popped. Exhaustive
// search makes every extension.
#pragma once

#include <cstdint>
#include <vector>

#include "search/best_keys.h"
#include "search/coverage.h"
#include "search/decoding_model.h"
#include "search/future_cost.h"
#include "search/hypergraph.h"
#include "search/key_queue.h"
#include "search/lm_states.h"
#include "search/option_set.h"
#include "util/hash_index.h"
#include "util/stop_counter.h"

namespace graft::engine {

// Which units may follow a hypothesis. Shared by search and forced decoding.
struct Reach {
  explicit Reach(const SearchOptions& options)
      : distortion_limit(options.distortion_limit), rule(options.distortion_rule) {}

  int distortion_limit;
  DistortionRule rule;

  int LastStart(Coverage coverage, int words) const {
    const int last = static_cast<int>(coverage.first_gap) + distortion_limit;
    return last < words ? last : words - 1;
  }
  // next: position after the last word of the last unit.
  bool Allows(Coverage coverage, int next, const Unit& unit) const {
    if (coverage.Overlaps(unit.start, unit.mask)) return false;
    if (rule == DistortionRule::kPaper) return true;
    const int gap = static_cast<int>(coverage.first_gap);
    if (Distance(unit.start, next) > distortion_limit) return false;
    return unit.start == gap || Distance(gap, unit.end + 1) <= distortion_limit;
  }
  static int Distance(int a, int b) { return a < b ? b - a : a - b; }
};

// Keep one per thread: it keeps its memory between sentences. Usage:
//   const Hypergraph& graph = search.Run(options, alternatives, stop);   // valid until the next Run
class LeftToRightSearch {
 public:
  explicit LeftToRightSearch(const DecodingModel& model);

  // `alternatives`: how many edges a node keeps at most; 1 writes only the best derivation. An empty graph: no
  // derivation (only without copies).
  const Hypergraph& Run(const OptionSet& options, uint32_t alternatives, const StopCheck& stop = {});

  const SearchStatistics& statistics() const { return statistics_; }

 private:
  struct Hypothesis {
    float score;
    float rank;  // score + future cost
    Coverage coverage;
    uint32_t state;
    uint32_t back;  // hypothesis it extends
    uint32_t unit;
    uint16_t option;  // of the unit
    uint16_t next;    // position after the last word of the unit
  };
  static_assert(sizeof(Hypothesis) == 32);
  struct Arc {           // an extension that made a hypothesis which another had made better
    uint32_t following;  // arc + 1, 0 = none
    uint32_t back;
    uint32_t unit;
    uint32_t option;
    float score;
    uint32_t created;  // order of creation, for ties
  };
  struct Member {  // a hypothesis of a group, with what scoring needs of it
    uint32_t id;
    uint32_t state;
    float score;
  };
  struct Group {
    Coverage coverage;
    uint16_t next;
    uint32_t first_member;
    uint32_t member_count;
  };
  struct Edge {  // a group extended by a unit; members and options as ranges, so that scoring touches neither group nor
                 // unit
    uint32_t first_member;
    uint32_t member_count;
    uint32_t first_option;
    uint32_t option_count;
    uint32_t unit;
    uint16_t next;  // after the unit
    float step;     // distortion and gap, weighted
    float future;   // of the new coverage
    Coverage coverage;
  };
  struct Candidate {
    float score;
    float rank;
    uint32_t edge;
    uint32_t state;
    uint32_t member;  // of the group
    uint32_t option;  // of the unit
  };

  class Found;  // what HypergraphWriter needs to know

  bool cube() const { return model_.search().algorithm == SearchAlgorithm::kCube; }
  float lm_weight() const { return model_.weights()[kLanguageModel]; }
  float StepScore(int next, const Unit& unit) const;  // weighted distortion and gap of a unit after position next - 1
  void Prune(std::vector<uint32_t>* stack);
  void MakeGroups(const std::vector<uint32_t>& stack);
  void OpenEdges(uint32_t first_group);
  void FillByCube(int covered);
  void PushCandidate(const Edge& edge, uint32_t edge_index, uint32_t member, uint32_t option);
  void PrefetchCorner(const Edge& edge) const;
  void ExpandExhaustively(const std::vector<uint32_t>& stack);
  void Insert(const Hypothesis& hypothesis, size_t covered);
  void Recombine(const Hypothesis& hypothesis, uint32_t id);
  void Reset(const OptionSet& options);
  void WriteGraph(uint32_t alternatives);

  const DecodingModel model_;
  const OptionSet* options_ = nullptr;
  const Reach reach_;
  float log_threshold_;
  bool keep_arcs_ = false;
  int words_ = 0;
  StopCounter stop_;

  FutureCost future_;
  LmStates states_;
  std::vector<Hypothesis> hypotheses_;
  std::vector<uint32_t> first_arc_;  // by hypothesis, arc + 1; only when arcs are kept
  std::vector<uint32_t> created_;    // by hypothesis, when its best extension was made; only when arcs are kept
  std::vector<Arc> arcs_;
  std::vector<std::vector<uint32_t>> stacks_;
  // Positions in a stack by (coverage, next, state), for recombination. Cube pruning fills one stack at a time and
  // needs one index; else there is one a stack.
  std::vector<HashIndex> indexes_;
  std::vector<Group> groups_;
  std::vector<Member> members_;
  HashIndex group_index_;  // of the groups of a stack by (coverage, next)
  std::vector<uint32_t> group_of_;
  std::vector<std::vector<Edge>> edges_;  // by covered words of the result
  std::vector<Candidate> candidates_;
  KeyQueue queue_;
  BestKeys best_keys_;
  Hypergraph graph_;
  SearchStatistics statistics_;
};

}  // namespace graft::engine
