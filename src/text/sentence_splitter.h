// Sentences of a text as people write it.
//
// A sentence ends at a line end, and after a final mark (. ! ? … 。 ！ ？ । and runs of them) with the quotes and
// brackets that close behind it, if white space follows (marks as wide as a Chinese character need none) and the text
// does not go on with a small letter. Whether a dot is a final mark or belongs to an abbreviation, an initial or an
// ordinal is what the tokeniser says. When in doubt a sentence goes on: a model copes with two sentences in one better
// than with half of one.
#pragma once

#include <string_view>
#include <vector>

#include "text/token_ranges.h"
#include "text/tokeniser.h"

namespace graft::engine {

// In order, without the white space around them; none is empty. Throws Stopped as `stop` says.
std::vector<TextRange> SplitSentences(const Tokeniser& tokeniser, std::string_view text, const StopCheck& stop = {});

// What look like sentences to whoever has no time for tokens: they end at line ends, and at . ! ? before white space.
// From byte `begin` on.
std::vector<TextRange> SplitRoughly(std::string_view text, size_t begin);

}  // namespace graft::engine
