// Sections of strings: labels (LABL), vocabularies with a hash over the words (SVOC, TVOC).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/section.h"
#include "text/vocabulary.h"

namespace graft::engine {

class SectionWriter;

void WriteStrings(std::span<const std::string> strings, SectionWriter* out);
std::vector<std::string> ReadStrings(const Section& section);  // UTF-8 without LF, else Error

// Throws Error for a word that occurs twice.
void WriteWords(std::span<const std::string> words, SectionWriter* out);

// The words of a table, read in place: a look-up walks the slots of the file through checked accesses, and ends in a
// damaged one too, which util/probed_cells.h would not.
class MappedWords {
 public:
  MappedWords() = default;
  explicit MappedWords(Section section);

  WordId size() const { return size_; }
  std::string_view Word(WordId id) const;    // id < size() and UTF-8 without LF, else Error
  WordId Find(std::string_view word) const;  // kNoWord if absent
  const Section& section() const { return section_; }

 private:
  Section section_;
  WordId size_ = 0;
  uint64_t slots_ = 0, slots_at_ = 0, bytes_at_ = 0;
};

}  // namespace graft::engine
