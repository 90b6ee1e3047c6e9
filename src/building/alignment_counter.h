// Alignments within rules, counted by their text. Building looks one up for every distinct occurrence and there are
// tens of thousands of them, so the look-up is by packed links in a flat hash, and the text is made once.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "building/packed_rule.h"
#include "rules/rule_text.h"
#include "util/text_numbers.h"

namespace graft::engine {

// One per thread.
class AlignmentCounter {
 public:
  struct Alignment {
    uint64_t count = 0;
    uint32_t number = 0;
    std::string key;  // packed links, for systems with gaps also where these are
    std::string text;
  };

  AlignmentCounter(const PackedForm& form, TextNumbers* numbers) : form_(form), numbers_(numbers), slots_(1024) {}

  // The alignment of packed links in a rule with this source side; `count` is added to it. Valid for good.
  const Alignment& Count(std::string_view links, std::span<const SourceSymbol> source, uint64_t count) {
    key_.assign(links);
    if (form_.signatures ==
        SignatureKind::kGap) {  // in text a gap takes a position, so the same links may be different text
      uint32_t gaps = 0;
      for (size_t i = 0; i < source.size(); ++i) gaps |= source[i].signature << i;
      key_.push_back(static_cast<char>(gaps));
      key_.push_back(static_cast<char>(gaps >> 8));
    }
    const uint64_t hash = XXH3_64bits(key_.data(), key_.size());
    Slot* slot = Find(hash);
    if (slot->alignment == nullptr) {
      if (2 * (alignments_.size() + 1) > slots_.size()) {
        Grow();
        slot = Find(hash);
      }
      UnpackLinks(form_, links, &links_);
      std::string text = FormatLinks(form_.signatures, source, links_);
      const uint32_t number = numbers_->Number(text);
      alignments_.push_back({0, number, key_, std::move(text)});
      *slot = {hash, &alignments_.back()};
    }
    slot->alignment->count += count;
    return *slot->alignment;
  }

  // Adds this thread's counts to `counts`, by number.
  void AddTo(std::vector<uint64_t>* counts) const {
    for (const Alignment& alignment : alignments_) (*counts)[alignment.number] += alignment.count;
  }

 private:
  struct Slot {
    uint64_t hash = 0;
    Alignment* alignment = nullptr;
  };

  Slot* Find(uint64_t hash) {
    const size_t mask = slots_.size() - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      Slot& slot = slots_[i];
      if (slot.alignment == nullptr || (slot.hash == hash && slot.alignment->key == key_)) return &slot;
    }
  }

  void Grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.alignment == nullptr) continue;
      size_t i = slot.hash & mask;
      while (slots_[i].alignment != nullptr) i = (i + 1) & mask;
      slots_[i] = slot;
    }
  }

  PackedForm form_;
  TextNumbers* numbers_;
  std::vector<Slot> slots_;
  std::deque<Alignment> alignments_;  // stable addresses
  std::vector<RuleLink> links_;
  std::string key_;
};

}  // namespace graft::engine
