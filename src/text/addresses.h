// Web and mail addresses and file paths, which no tokeniser should take apart.
#pragma once

#include <cstddef>

#include "text/decoded_line.h"

namespace graft::engine {

// The end of an address that begins at `at`, within the characters [begin, end) between two spaces; `at` if there is
// none. Punctuation of the sentence around it is not part of it.
size_t FindAddressEnd(const DecodedLine& line, size_t begin, size_t end, size_t at);

}  // namespace graft::engine
