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
#include "util/hash_index.h"
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

  AlignmentCounter(const PackedForm& form, TextNumbers* numbers) : form_(form), numbers_(numbers) {}

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
    const auto [index, fresh] = index_.Insert(hash, [&](uint32_t known) { return alignments_[known].key == key_; });
    if (fresh) {
      UnpackLinks(form_, links, &links_);
      std::string text = FormatLinks(form_.signatures, source, links_);
      const uint32_t number = numbers_->Number(text);
      alignments_.push_back({0, number, key_, std::move(text)});
    }
    Alignment& alignment = alignments_[index];
    alignment.count += count;
    return alignment;
  }

  // Adds this thread's counts to `counts`, by number.
  void AddTo(std::vector<uint64_t>* counts) const {
    for (const Alignment& alignment : alignments_) (*counts)[alignment.number] += alignment.count;
  }

 private:
  PackedForm form_;
  TextNumbers* numbers_;
  HashIndex index_;
  std::deque<Alignment> alignments_;  // stable addresses
  std::vector<RuleLink> links_;
  std::string key_;
};

}  // namespace graft::engine
