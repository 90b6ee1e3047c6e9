// One link of a Pharaoh alignment.
#pragma once

#include <string>
#include <string_view>

#include "corpus/parallel_corpus.h"

namespace graft::engine {

// Reads `i-j`. False, with what is wrong in `problem`, when it is something else or out of range. A negative number of
// words means that it is not known; then that side is not checked.
bool ParseLink(std::string_view text, int source_words, int target_words, WordLink* link, std::string* problem);

}  // namespace graft::engine
