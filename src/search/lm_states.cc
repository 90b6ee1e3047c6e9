#include "search/lm_states.h"

#include <algorithm>

namespace graft::engine {
namespace {

uint64_t Hash(const LmState& state) {
  uint64_t hash = state.length;
  for (unsigned i = 0; i < state.length; ++i) hash = (hash ^ state.words[i]) * 0x9e3779b97f4a7c15ull;
  return hash ^ hash >> 29;
}

}  // namespace

LmStates::LmStates(const LanguageModel& lm) : lm_(lm), memo_(size_t{1} << kMemoBits) { Reset(); }

void LmStates::Reset() {
  asked_ = calls_ = 0;
  states_.clear();
  end_.clear();
  if (index_.size() > size_t{1} << 14 || index_.empty())
    index_ = std::vector<uint32_t>(size_t{1} << 12, 0);
  else
    std::fill(index_.begin(), index_.end(), 0);
  std::fill(memo_.begin(), memo_.end(), Slot{UINT64_MAX, {0, 0}});
  Intern(lm_.BeginState());
}

uint32_t LmStates::Intern(const LmState& state) {
  size_t mask = index_.size() - 1;
  size_t slot = Hash(state) & mask;
  for (; index_[slot] != 0; slot = (slot + 1) & mask)
    if (SameState(states_[index_[slot] - 1], state)) return index_[slot] - 1;
  states_.push_back(state);
  end_.push_back(1);
  const auto id = static_cast<uint32_t>(states_.size() - 1);
  index_[slot] = id + 1;
  if (states_.size() * 2 > index_.size()) {
    std::vector<uint32_t> grown(index_.size() * 2, 0);
    mask = grown.size() - 1;
    for (uint32_t i = 0; i < states_.size(); ++i) {
      size_t place = Hash(states_[i]) & mask;
      while (grown[place] != 0) place = (place + 1) & mask;
      grown[place] = i + 1;
    }
    index_ = std::move(grown);
  }
  return id;
}

}  // namespace graft::engine
