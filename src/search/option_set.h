// The units of one sentence and their translations, pre-scored: everything search needs to know of the table.
//
// A target list is scored once per source side (weights, penalties, language model with the context at hand) and kept
// per thread; the best `table_limit` by that estimate stay, ties in stored order. A word without a one-word rule gets
// the copy option.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "corpus/sentence.h"
#include "graph/dependency_graph.h"
#include "search/model.h"
#include "table/matcher.h"

namespace graft {

struct TargetOption {
  float estimate =
      0;  // weighted table scores, penalties and lm_inside: all of its score but distortion and the left context
  float lm_inside = 0;  // natural log
  RuleScores scores;
  uint32_t first_word = 0;  // into OptionSet::words
  uint32_t word_count = 0;
  uint32_t alignment = 0;  // of the table; kCopyAlignment for a copied word
};
inline constexpr uint32_t kCopyAlignment = UINT32_MAX;

struct Unit {
  uint64_t mask = 0;  // bit i = position start + i
  uint16_t start = 0;
  uint16_t end = 0;   // last position
  uint16_t size = 0;  // words
  uint16_t gap = 0;   // words inside its gaps
  uint32_t first_option = 0;
  uint32_t option_count = 0;  // options by estimate, best first
  bool copied = false;

  bool contiguous() const { return gap == 0; }
};

class OptionSet {
 public:
  explicit OptionSet(const Model& model);

  // `sentence` in its own case. Valid until the next Build.
  void Build(const Sentence& sentence);

  int size() const { return words_in_sentence_; }
  std::span<const Unit> units() const { return units_; }
  std::span<const Unit> StartingAt(int position) const {
    return {units_.data() + first_unit_[position], units_.data() + first_unit_[position + 1]};
  }
  uint32_t IndexOf(const Unit& unit) const { return static_cast<uint32_t>(&unit - units_.data()); }
  const TargetOption& option(uint32_t id) const { return options_[id]; }
  float estimate(uint32_t id) const { return estimates_[id]; }  // option(id).estimate, densely
  const LmPhrase& phrase(uint32_t id) const { return phrases_[id]; }
  uint32_t options() const { return static_cast<uint32_t>(options_.size()); }
  // Target words of a table option; empty for a copied word.
  std::span<const WordId> Words(const TargetOption& option) const {
    return {words_.data() + option.first_word, option.word_count};
  }
  std::string_view TargetToken(const Unit& unit, const TargetOption& option, uint32_t index) const;

  const Sentence& sentence() const { return *sentence_; }
  const DependencyGraph& graph() const { return graph_; }
  uint64_t table_steps() const { return matcher_.steps(); }

 private:
  struct CachedList {
    std::vector<TargetOption> options;
    std::vector<LmPhrase> phrases;
    std::vector<WordId> words;
  };
  const CachedList& Prescored(TrieNode node);
  void AddTableUnit(const UnitMatch& match);
  void AddCopy(int position);

  const Model& model_;
  UnitMatcher matcher_;
  const Sentence* sentence_ = nullptr;
  int words_in_sentence_ = 0;
  DependencyGraph graph_;
  std::vector<std::string> looked_up_;  // tokens in the case of training
  std::vector<WordId> source_ids_;
  std::vector<UnitMatch> matches_;
  std::vector<Unit> units_;  // by start
  std::vector<uint32_t> first_unit_;
  std::vector<TargetOption> options_;
  std::vector<float> estimates_;
  std::vector<LmPhrase> phrases_;
  std::vector<WordId> words_;
  std::unordered_map<uint64_t, std::pair<uint32_t, uint32_t>> placed_;  // trie node -> its options in this sentence

  std::unordered_map<uint64_t, CachedList> cache_;  // scored with cached_weights_
  FeatureVector cached_weights_;
  size_t cached_options_ = 0;
  TargetList list_;
  std::vector<std::pair<float, uint32_t>> ranking_;
  std::vector<LmWord> lm_words_;
};

}  // namespace graft
