// The units of one sentence and their translations, pre-scored (target_lists.h): everything left-to-right search needs
// to know of the table. A word without a one-word rule gets the copy option.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "search/sentence_input.h"
#include "search/target_lists.h"
#include "table/matcher.h"

namespace graft::engine {

static_assert(kMaxUnitSpan <= kCoverageWindow);  // a unit fits in the window of a hypothesis

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
  explicit OptionSet(const DecodingModel& model);

  // `sentence` in its own case. Valid until the next Build.
  void Build(const Sentence& sentence, const StopCheck& stop = {});

  int size() const { return input_.size(); }
  std::span<const Unit> units() const { return units_; }
  std::span<const Unit> StartingAt(int position) const {
    return {units_.data() + first_unit_[position], units_.data() + first_unit_[position + 1]};
  }
  uint32_t IndexOf(const Unit& unit) const { return static_cast<uint32_t>(&unit - units_.data()); }
  const TargetOption& option(uint32_t id) const { return options_[id]; }
  float estimate(uint32_t id) const { return estimates_[id]; }  // option(id).estimate, densely
  const LmPhrase& phrase(uint32_t id) const { return phrases_[id]; }
  uint32_t options() const { return static_cast<uint32_t>(options_.size()); }
  std::string_view TargetToken(const Unit& unit, const TargetOption& option, uint32_t index) const;

  const Sentence& sentence() const { return input_.sentence(); }
  const DependencyGraph& graph() const { return input_.graph(); }
  uint64_t table_steps() const { return matcher_.steps(); }

 private:
  void AddOptions(const ScoredTargets& list);
  void AddTableUnit(const UnitMatch& match);
  void AddCopy(int position);

  const DecodingModel model_;
  UnitMatcher matcher_;
  SentenceInput input_;
  TargetLists lists_;
  std::vector<UnitMatch> matches_;
  std::vector<Unit> units_;  // by start
  std::vector<uint32_t> first_unit_;
  std::vector<TargetOption> options_;
  std::vector<float> estimates_;
  std::vector<LmPhrase> phrases_;
  std::vector<TargetSymbol> symbols_;
  std::unordered_map<uint64_t, std::pair<uint32_t, uint32_t>> placed_;  // trie node -> its options in this sentence
};

}  // namespace graft::engine
