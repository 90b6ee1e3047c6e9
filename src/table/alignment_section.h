// ALGN: the word alignments of rules, `0-0 1-2` as text, one byte a link in the file (an average corpus of 30,000 pairs
// has 60,000 of them).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rules/rule.h"
#include "table/section.h"

namespace graft::engine {

class SectionWriter;

void WriteAlignments(std::span<const std::string> alignments, SectionWriter* out);

// The alignments of a table by id, decoded on first use, which any thread may make.
class AlignmentSection {
 public:
  explicit AlignmentSection(Section section);
  ~AlignmentSection();

  uint32_t size() const { return static_cast<uint32_t>(section_.items()); }
  const std::vector<std::string>& texts() const;
  std::span<const RuleLink> Links(uint32_t alignment) const;  // positions as in the text; alignment < size()
  const Section& section() const { return section_; }

 private:
  struct Decoded;

  Section section_;
  std::unique_ptr<Decoded> decoded_;
};

}  // namespace graft::engine
