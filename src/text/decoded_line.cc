#include "text/decoded_line.h"

#include <unicode/utf8.h>

#include "util/utf8.h"

namespace graft::engine {

void DecodedLine::Read(std::string_view line) {
  if (Decode(line)) return;
  clean_.clear();
  for (size_t i = 0; i < size(); ++i)
    if (classes_[i] != CharClass::kIgnored) clean_ += View(i, i + 1);
  Decode(clean_);
}

bool DecodedLine::Decode(std::string_view line) {
  text_ = line;
  characters_.clear();
  classes_.clear();
  offsets_.clear();
  bool all_kept = true;
  const auto length = IcuLength(line);
  for (int32_t at = 0; at < length;) {
    offsets_.push_back(static_cast<uint32_t>(at));
    UChar32 c = 0;
    U8_NEXT(line.data(), at, length, c);
    characters_.push_back(c < 0 ? U'\uFFFD' : static_cast<char32_t>(c));
    classes_.push_back(ClassOf(characters_.back()));
    all_kept &= classes_.back() != CharClass::kIgnored;
  }
  offsets_.push_back(static_cast<uint32_t>(length));
  return all_kept;
}

}  // namespace graft::engine
