// What a search with a grammar finds in a sentence (paper, Algorithms 2 and 3), as plain values: items and the rule
// applications that derive them. The words used here and in all searches with a grammar:
//
//   item         [X, C] or [S, C]: a partial translation of the source words C
//   cell         the items that are recombined if they show the same state to the target side (that of the language
//                model, or the words produced when a target string is given). Chart: a label and a span; bottom-up: a
//                label and a coverage, for S items a coverage and the end of the last X; forest: a node
//   stack        the items that are pruned together. Chart, forest: one cell; bottom-up: all X or all S cells of a size
//   group        the items of a finished cell, best first: an axis of the cubes of later stacks
//   match        where a rule's source side was found in the sentence, or glue: not yet which target, nor which items
//   tail         what fills a non-terminal: a cell in a match, an item in an application
//   application  a match with one of its targets and an item for each tail: one way to derive an item, and an edge of
//                the hypergraph later
//   arc          an application whose item was derived in a better way: kept for k-best lists
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/target_lists.h"

namespace graft::engine {

inline constexpr uint32_t kNoCell = UINT32_MAX;
inline constexpr uint32_t kNoGuard = UINT32_MAX;

struct Cell {
  uint32_t label = 0;         // of X items
  float future = 0;           // added to the score of its items when a stack is pruned
  bool sentence = false;      // S items
  bool complete = false;      // S items over the whole sentence, ranked with </s>
  uint32_t position = 0;      // X items: the source word at which a non-terminal they fill stands among other symbols
  uint32_t guard = kNoGuard;  // of the cells with one guard in a stack the best item is never pruned

  // Of the finished cell.
  uint32_t first_item = 0;
  uint32_t item_count = 0;
  float best = -std::numeric_limits<float>::infinity();  // score of the best item
};

// What fills a non-terminal of a match.
struct Tail {
  uint32_t cell = kNoCell;  // a finished X cell
  uint32_t label = 0;       // what the rule calls it
};

// A rule's source side found in the sentence, with the targets of one left-hand side.
struct RuleMatch {
  const ScoredTargets* targets = nullptr;
  uint32_t cell = kNoCell;  // of the items it derives
  float step = 0;           // weighted gap feature
  uint32_t first_tail = 0;  // its non-terminals: ItemStore::Tails
  uint32_t first_word = 0;  // its terminals: ItemStore::Words
  uint16_t tail_count = 0;
  uint16_t word_count = 0;
  int16_t gap = 0;             // gap count
  int16_t head_position = -1;  // systems with roles: the word at which the head symbol stands, -1 without one
};

// S → X, or S → S X.
struct GlueMatch {
  uint32_t s = kNoCell;  // none: S → X
  uint32_t x = kNoCell;
  uint32_t cell = kNoCell;  // of the items it derives
  float step = 0;           // weighted glue penalty and glue distortion
  int16_t distortion = 0;   // glue distortion
  bool guaranteed = false;  // its best application enters the stack whatever the queue says
  bool border = false;      // S → X that only puts <s> before a complete X: no rule, no step of a derivation
};

// Which match an application is of: a rule, or glue with the highest bit set.
using MatchId = uint32_t;
inline constexpr MatchId kGlueBit = 1u << 31;

struct Application {
  float score = 0;  // of the item derived this way
  float lm = 0;     // what the language model adds to the inside scores of target and tails
  MatchId match = 0;
  uint32_t option = 0;      // of the match's list of targets
  uint32_t first_tail = 0;  // ItemStore::TailItems
  uint32_t created = 0;     // order of creation, for ties
};

struct Item {
  Application best;    // the best application
  uint32_t first_arc;  // the others: ItemStore::arc, 0 = none
  uint32_t state;      // towards the target side; what it means is known to the stacks that made the item
};

struct Arc {
  Application application;
  uint32_t following;  // the next arc of the item, 0 = none
};

// All of a sentence. Numbers count up from 0 unless said otherwise.
class ItemStore {
 public:
  void Reset();  // a new sentence; keeps memory

  uint32_t AddCell(const Cell& cell) {
    cells_.push_back(cell);
    return static_cast<uint32_t>(cells_.size() - 1);
  }
  Cell& cell(uint32_t id) { return cells_[id]; }
  const Cell& cell(uint32_t id) const { return cells_[id]; }
  uint32_t cells() const { return static_cast<uint32_t>(cells_.size()); }

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
  std::span<const uint16_t> Words(const RuleMatch& match) const {
    return {words_.data() + match.first_word, match.word_count};
  }
  std::span<const Tail> Tails(const RuleMatch& match) const {
    return {tails_.data() + match.first_tail, match.tail_count};
  }
  // The cell that the k-th tail of a match, in source order, is filled from.
  const Cell& TailCell(const RuleMatch& match, size_t k) const { return cells_[tails_[match.first_tail + k].cell]; }
  const Cell& TailCell(MatchId match, size_t k) const {
    if ((match & kGlueBit) == 0) return TailCell(rules_[match], k);
    return cells_[k == 0 ? glue(match).s : glue(match).x];
  }
  size_t TailCount(MatchId match) const {
    if ((match & kGlueBit) != 0) return glue(match).s == kNoCell ? 1 : 2;
    return rules_[match].tail_count;
  }

  // Copies the matches of a stack behind those of earlier stacks.
  void AddMatches(std::span<const RuleMatch> rules, std::span<const GlueMatch> glue);
  const RuleMatch& rule(MatchId match) const { return rules_[match]; }
  const GlueMatch& glue(MatchId match) const { return glue_[match & ~kGlueBit]; }
  MatchId rules() const { return static_cast<MatchId>(rules_.size()); }
  MatchId glues() const { return static_cast<MatchId>(glue_.size()) | kGlueBit; }

  // The items that an application is made of, in source order.
  std::span<const uint32_t> TailItems(const Application& application) const {
    return {tail_items_.data() + application.first_tail, TailCount(application.match)};
  }
  uint32_t AddTailItems(std::span<const uint32_t> items) {
    const auto first = static_cast<uint32_t>(tail_items_.size());
    for (const uint32_t item : items) tail_items_.push_back(item);  // few: cheaper than to insert a range
    return first;
  }
  // Puts other items in place of all that were added from `first` on.
  uint32_t tail_items() const { return static_cast<uint32_t>(tail_items_.size()); }
  void ReplaceTailItems(uint32_t first, std::span<const uint32_t> items) {
    tail_items_.resize(first);
    tail_items_.insert(tail_items_.end(), items.begin(), items.end());
  }

  uint32_t AddArc(const Application& application, uint32_t following) {
    arcs_.push_back({application, following});
    return static_cast<uint32_t>(arcs_.size());
  }
  const Arc& arc(uint32_t id) const { return arcs_[id - 1]; }  // arcs count from 1

  // Finished items; a tail comes before what is made of it.
  std::vector<Item>& items() { return items_; }
  const std::vector<Item>& items() const { return items_; }
  const Item& item(uint32_t id) const { return items_[id]; }

 private:
  std::vector<Cell> cells_;
  std::vector<uint16_t> words_;
  std::vector<Tail> tails_;
  std::vector<RuleMatch> rules_;
  std::vector<GlueMatch> glue_;
  std::vector<Item> items_;
  std::vector<Arc> arcs_;
  std::vector<uint32_t> tail_items_;
};

}  // namespace graft::engine
