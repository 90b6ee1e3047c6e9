// The language model states of one sentence, interned: hypotheses hold a 4-byte id, recombination compares ids, and a
// join asked before is answered from a memo (hypotheses that differ only in coverage ask the same again and again).
#pragma once

#include <cstdint>
#include <vector>

#include "lm/language_model.h"
#include "util/hash_index.h"

namespace graft::engine {

class LmStates {
 public:
  struct Joined {
    float delta;  // natural log: what the left context adds to the phrase's inside score
    uint32_t state;
  };

  explicit LmStates(const LanguageModel& lm);

  void Reset();  // a new sentence; the begin state is id 0
  static constexpr uint32_t kBegin = 0;

  // `id` stands for the phrase until the next Reset.
  Joined Append(uint32_t state, uint32_t id, const LmPhrase& phrase) {
    ++asked_;
    const uint64_t key = static_cast<uint64_t>(state) << 32 | id;
    Slot& slot = memo_[SlotOf(key)];
    if (slot.key != key) {
      ++calls_;
      LmState next;
      const float delta = lm_.Append(states_[state], phrase, &next);
      slot = {key, {delta, Intern(next)}};
    }
    return slot.joined;
  }
  void Prefetch(uint32_t state, uint32_t id) const {
    __builtin_prefetch(&memo_[SlotOf(static_cast<uint64_t>(state) << 32 | id)]);
  }
  float End(uint32_t state) {
    if (end_[state] > 0) {
      ++calls_;
      end_[state] = lm_.ScoreEnd(states_[state]);
    }
    return end_[state];
  }
  float EndOf(uint32_t state) const { return end_[state] > 0 ? lm_.ScoreEnd(states_[state]) : end_[state]; }

  uint64_t asked() const { return asked_; }
  uint64_t calls() const { return calls_; }
  size_t size() const { return states_.size(); }

 private:
  static constexpr int kMemoBits = 14;
  struct Slot {
    uint64_t key;
    Joined joined;
  };
  static size_t SlotOf(uint64_t key) { return key * 0x9e3779b97f4a7c15ull >> (64 - kMemoBits); }
  uint32_t Intern(const LmState& state);

  const LanguageModel& lm_;
  std::vector<LmState> states_;
  std::vector<float> end_;  // 1 = not asked yet
  HashIndex index_;         // of states_
  std::vector<Slot> memo_;
  uint64_t asked_ = 0;
  uint64_t calls_ = 0;
};

}  // namespace graft::engine
