// LIST: the target sides of source sides, as stored and as read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rules/rule.h"
#include "table/score_coding.h"
#include "table/section.h"

namespace graft::engine {

// The targets of a source side, decoded, without a heap block for each. Reuse it: it keeps its memory.
struct TargetList {
  struct Entry {
    uint32_t begin = 0, end = 0;  // in symbols
    uint32_t alignment = 0;       // id
    uint32_t lhs = 0;             // label id
    RuleScores scores;
    RuleCount count_target = 0, count_source = 0, count_joint = 0;  // 0 without counts
  };
  std::vector<TargetSymbol> symbols;
  std::vector<Entry> entries;

  std::span<const TargetSymbol> Target(const Entry& entry) const {
    return {symbols.data() + entry.begin, symbols.data() + entry.end};
  }
  void clear() {
    symbols.clear();
    entries.clear();
  }
};

// The section with all lists of a table.
class TargetListSection {
 public:
  // What the numbers of an entry must be below, and what entries have.
  struct Form {
    uint32_t target_words = 0, alignments = 0, labels = 0;
    bool counts = false, lhs = false;
  };

  TargetListSection() = default;
  TargetListSection(Section lists, Form form, ScoreCodec codec);

  // The list that starts at `offset`; `targets` is empty before.
  void Read(uint64_t offset, TargetList* targets) const;

  const Section& section() const { return lists_; }
  const ScoreCodec& codec() const { return codec_; }
  const Form& form() const { return form_; }

 private:
  class Cursor;
  void ReadGroup(Cursor* cursor, uint32_t lhs, TargetList* targets) const;
  const uint8_t* DecodeEntry(const uint8_t* at, uint32_t length, TargetList* targets, TargetList::Entry* entry) const;

  Section lists_;
  Form form_;
  ScoreCodec codec_{ScoreCoding::kQ16};
};

}  // namespace graft::engine
