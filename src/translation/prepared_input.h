// What is to be translated as search takes it: sentences found, tokens cut, trees read, and where each of them stands
// in what was given.
#pragma once

#include <string>
#include <vector>

#include "corpus/sentence.h"
#include "corpus/source_reader.h"
#include "graft/input.h"
#include "model/model.h"
#include "text/token_ranges.h"
#include "translation/values.h"
#include "util/stop_check.h"

namespace graft::engine {

struct PreparedSentence {
  Sentence sentence;
  TextRange range;                // of the sentence, in PreparedInput::source
  std::vector<TextRange> tokens;  // likewise
};

struct PreparedInput {
  std::string source;  // the text given; of other inputs their tokens with single spaces, a sentence a line
  std::vector<PreparedSentence> sentences;
  Writing writing = Writing::kText;
  bool cut_short = false;  // there was no time for all of it

  // What stands between sentence `index - 1` and sentence `index`; before the first and after the last for 0 and size.
  std::string_view Between(size_t index) const;
};

// Throws Error for an input that the model does not read, for CoNLL-U and trees that are none, and for more than
// kMostLineBytes. `reading`: how CoNLL-U is read. Throws Stopped when asked to stop; where the time ends first, what is
// left of a text is cut into sentences roughly and has no tokens, and what is left of trees keeps the heads it has.
PreparedInput Prepare(const Model& model, const SourceOptions& reading, const Input& input, const StopCheck& stop = {});

}  // namespace graft::engine
