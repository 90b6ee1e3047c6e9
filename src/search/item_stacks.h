// The common core of search with a grammar (paper, Algorithms 2 and 3): items made of rule matches and glue, recombined
// and pruned stack by stack. Chart, bottom-up and forest search decide which matches there are; what a match becomes is
// decided here.
//
//   place   what items must share to be recombined, besides their state towards the target side (the language model's,
//           or the words produced when a target string is given). Chart: a cell (label, span); bottom-up: (label,
//           coverage), for S items (coverage, end of the last X); forest: a node.
//   stack   the items that are pruned together. Chart, forest: one place; bottom-up: all places of a label and size.
//   group   the items of a finished place, best first: an axis of the cubes of later stacks.
//
// A driver adds places, then fills one stack after the other, tails first:
//
//   stacks.Reset(keep_arcs);
//   uint32_t place = stacks.AddPlace({.label = x});
//   match.first_tail = stacks.AddTails(…);
//   for (uint32_t survivor : stacks.Fill(rule_matches, glue_matches, limits)) …
//   const Hypergraph& graph = stacks.WriteGraph(goals, alternatives);
//
// Two kinds of stacks: BeamStacks (beam_stacks.h) search for the best translation, ForcedStacks (forced_stacks.h) for
// the derivations of a given one.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "model/search_options.h"
#include "search/hypergraph.h"
#include "search/target_lists.h"
#include "util/stop_counter.h"

namespace graft::engine {

inline constexpr uint32_t kNoPlace = UINT32_MAX;
inline constexpr uint32_t kNoGuard = UINT32_MAX;

struct Place {
  uint32_t label = 0;         // of X items
  float future = 0;           // added to the score of its items when a stack is pruned
  bool sentence = false;      // S items
  bool complete = false;      // S items over the whole sentence, ranked with </s>
  uint32_t position = 0;      // X items: the source word at which a non-terminal they fill stands among other symbols
  uint32_t guard = kNoGuard;  // of the places with one guard in a stack the best item is never pruned

  // Of the finished place.
  uint32_t first_item = 0;
  uint32_t item_count = 0;
  float best = -std::numeric_limits<float>::infinity();  // score of the best item
};

// What fills a non-terminal.
struct Tail {
  uint32_t place = kNoPlace;  // a finished X place
  uint32_t label = 0;         // what the rule calls it
};

// A rule's source side found in the sentence, with the targets of one left-hand side.
struct RuleMatch {
  const ScoredTargets* targets = nullptr;
  uint32_t place = kNoPlace;
  float step = 0;           // weighted gap feature
  uint32_t first_tail = 0;  // its non-terminals: ItemStacks::Tails
  uint32_t first_word = 0;  // its terminals: ItemStacks::Words
  uint16_t tail_count = 0;
  uint16_t word_count = 0;
  int16_t gap = 0;             // gap count
  int16_t head_position = -1;  // systems with roles: the word at which the head symbol stands, -1 without one
};

// S → X, or S → S X.
struct GlueMatch {
  uint32_t s = kNoPlace;  // none: S → X
  uint32_t x = kNoPlace;
  uint32_t place = kNoPlace;
  float step = 0;          // weighted glue penalty and glue distortion
  int16_t distortion = 0;  // glue distortion
  bool sure = false;       // its best combination enters the stack whatever the queue says
  bool silent = false;     // S → X that only puts <s> before a complete X: no rule, no step of a derivation
};

// How a stack is filled and pruned.
struct StackLimits {
  StackLimits() = default;
  // Those of a model's options: no limits but the beam and the threshold for exhaustive search.
  explicit StackLimits(const SearchOptions& options);

  uint64_t pops = UINT64_MAX;                                     // combinations taken from the queue
  size_t beam = SIZE_MAX;                                         // items kept
  float log_threshold = -std::numeric_limits<float>::infinity();  // relative to the best
  // Stop when the queue's best is below the worst item that would be kept. Costs nothing where estimates are good.
  bool stop_rule = false;
  // Bottom-up search: partial matches of one size that are extended further, best by estimate; 0 = all.
  int active = 0;
};

class ItemStacks {
 public:
  virtual ~ItemStacks() = default;

  // A new sentence; keeps memory. Without `keep_arcs` only the best way to make an item is remembered.
  virtual void Reset(bool keep_arcs, const StopCheck& stop);

  uint32_t AddPlace(const Place& place) {
    places_.push_back(place);
    return static_cast<uint32_t>(places_.size() - 1);
  }
  const Place& place(uint32_t id) const { return places_[id]; }
  uint32_t places() const { return static_cast<uint32_t>(places_.size()); }  // added so far; ids count up from 0
  // Source positions of a match's terminals, ascending, to be called before the match is filled in.
  uint32_t AddWords(std::span<const uint16_t> positions) {
    words_.insert(words_.end(), positions.begin(), positions.end());
    return static_cast<uint32_t>(words_.size() - positions.size());
  }
  // The non-terminals of a match in source order, likewise.
  uint32_t AddTails(std::span<const Tail> tails) {
    tails_.insert(tails_.end(), tails.begin(), tails.end());
    return static_cast<uint32_t>(tails_.size() - tails.size());
  }

  // Makes the items of one stack: all targets of matches without non-terminals and all of S → X, the best combinations
  // of the others. Prunes them and finishes their places. Returns the places that have items, in order of their best
  // item; valid until the next call. Matches are copied.
  virtual std::span<const uint32_t> Fill(std::span<const RuleMatch> rules, std::span<const GlueMatch> glue,
                                         const StackLimits& limits) = 0;

  // More edges than allowed (forced decoding only): the driver should give up.
  bool too_large() const { return too_large_; }

  // The hypergraph over the items of the `goals`, at most `alternatives` edges a node; empty if they have none. An edge
  // of kind kRule has its match in rule(edge.unit) and its target in option edge.option of the match's list; an edge of
  // kind kGlue its match in glue(edge.unit). Silent glue is of kind kBorder.
  const Hypergraph& WriteGraph(std::span<const uint32_t> goals, uint32_t alternatives);

  const RuleMatch& rule(uint32_t id) const { return rules_[id]; }
  const GlueMatch& glue(uint32_t id) const { return glue_[id]; }
  std::span<const uint16_t> Words(const RuleMatch& match) const {
    return {words_.data() + match.first_word, match.word_count};
  }
  std::span<const Tail> Tails(const RuleMatch& match) const {
    return {tails_.data() + match.first_tail, match.tail_count};
  }
  const SearchStatistics& statistics() const { return statistics_; }

 protected:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint32_t kGlueBit = 1u << 31;  // of Way::match

  // One way to make an item.
  struct Way {
    float score;          // of the item made this way
    float lm;             // what the language model adds to the inside scores of option and tails
    uint32_t match;       // rule, or glue with kGlueBit
    uint32_t option;      // of the match's list
    uint32_t first_tail;  // ItemsOf
    uint32_t created;     // order of creation, for ties
  };
  struct Item {  // finished
    Way way;     // the best
    uint32_t first_arc;
    uint32_t state;
  };
  struct Arc {
    Way way;
    uint32_t following;  // arc + 1, 0 = none
  };
  struct Made {  // an item of the stack under construction
    Way way;
    float rank;
    uint32_t place;
    uint32_t first_arc;  // arc + 1, 0 = none
  };

  explicit ItemStacks(const DecodingModel& model) : model_(model) {}

  // The items that a way is made of, in source order: as many as its match has tails.
  std::span<const uint32_t> ItemsOf(const Way& way) const {
    return {way_items_.data() + way.first_tail, TailCount(way.match)};
  }
  uint32_t AddItems(std::span<const uint32_t> items) {
    const auto first = static_cast<uint32_t>(way_items_.size());
    for (const uint32_t item : items) way_items_.push_back(item);  // few: cheaper than to insert a range
    return first;
  }
  size_t TailCount(uint32_t match) const {
    if ((match & kGlueBit) != 0) return glue_[match & ~kGlueBit].s == kNoPlace ? 1 : 2;
    return rules_[match].tail_count;
  }
  // The place that the k-th non-terminal of a rule is filled from.
  const Place& TailPlace(const RuleMatch& match, size_t k) const { return places_[tails_[match.first_tail + k].place]; }

  // Opens a stack: copies its matches behind those of earlier stacks.
  void Open(std::span<const RuleMatch> rules, std::span<const GlueMatch> glue);
  // Recombines with the item of the same place for which same(its index in made_) holds, or makes a new one. Returns
  // whether it is new.
  template <class Same>
  bool Insert(uint64_t hash, const Made& made, Same same) {
    const auto tag = static_cast<uint32_t>(hash >> 32);
    const size_t mask = index_.size() - 1;
    size_t slot = hash & mask;
    for (; index_[slot].id != 0; slot = (slot + 1) & mask) {
      const uint32_t id = index_[slot].id - 1;
      if (index_[slot].tag != tag || made_[id].place != made.place || !same(id)) continue;
      Recombine(made, &made_[id]);
      return false;
    }
    ++statistics_.new_hypotheses;
    index_[slot] = {tag, static_cast<uint32_t>(made_.size() + 1)};
    hashes_.push_back(hash);
    made_.push_back(made);
    made_.back().way.created = created_++;
    if (made_.size() * 2 > index_.size()) GrowIndex();
    return true;
  }
  // Prunes made_ and finishes its places; the survivors in the order of their new ids (groups one after the other, best
  // first) as indexes into made_. States are then the caller's to set, from first_item on.
  std::span<const uint32_t> Close(const StackLimits& limits);
  std::span<const uint32_t> finished() const { return finished_; }

  // What </s> adds for a complete item of the given state, natural log.
  virtual float End(uint32_t state) const = 0;
  // Whether the language model's part of a score lies in the steps; else all of it in the edges into the goal.
  virtual bool scored_by_steps() const = 0;

  const DecodingModel model_;
  StopCounter stop_;
  bool keep_arcs_ = true;
  bool too_large_ = false;
  std::vector<Place> places_;
  std::vector<RuleMatch> rules_;
  std::vector<GlueMatch> glue_;
  uint32_t first_rule_ = 0, first_glue_ = 0;  // of the open stack
  std::vector<Item> items_;                   // finished
  std::vector<Arc> arcs_;
  std::vector<Made> made_;
  uint32_t created_ = 0;
  SearchStatistics statistics_;

 private:
  struct Slot {
    uint32_t tag;
    uint32_t id;  // index into made_ + 1
  };
  void Recombine(const Made& made, Made* known);
  void GrowIndex();
  void SelectSurvivors(const StackLimits& limits);
  void DropLosersItems();

  std::vector<uint16_t> words_;
  std::vector<Tail> tails_;
  std::vector<uint32_t> way_items_, kept_items_;
  uint32_t first_item_ = 0;  // of the open stack, in way_items_
  std::vector<Slot> index_;
  std::vector<uint64_t> hashes_;  // of made_
  std::vector<uint64_t> keys_, guarded_;
  std::vector<uint32_t> survivors_, finished_;
  Hypergraph graph_;
};

}  // namespace graft::engine
