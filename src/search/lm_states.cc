#include "search/lm_states.h"

#include <algorithm>

namespace graft::engine {
namespace {

constexpr size_t kKeptSlots = size_t{1} << 14;  // of the index, between sentences

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
  index_.Clear(kKeptSlots);
  std::fill(memo_.begin(), memo_.end(), Slot{UINT64_MAX, {0, 0}});
  Intern(lm_.BeginState());
}

uint32_t LmStates::Intern(const LmState& state) {
  const auto [id, fresh] = index_.Insert(Hash(state), [&](uint32_t known) { return SameState(states_[known], state); });
  if (fresh) {
    states_.push_back(state);
    end_.push_back(1);
  }
  return id;
}

}  // namespace graft::engine
