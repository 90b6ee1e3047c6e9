// ALGN: the word alignments of rules, `0-0 1-2` as text, one byte a link in the file (an average corpus of 30,000 pairs
// has 60,000 of them).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "table/section.h"
#include "table/section_writer.h"

namespace graft::engine {

void WriteAlignments(std::span<const std::string> alignments, SectionWriter* out);
std::vector<std::string> ReadAlignments(const Section& section);

}  // namespace graft::engine
