// The texts of a training run, checked and put into the form the model is trained on: tokenised, cased, cut to the
// wanted pairs. Every later step reads only what is written here, so that none can treat text differently.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/source_reader.h"
#include "graft/reporter.h"
#include "pipeline/train_config.h"
#include "text/text_processor.h"

namespace graft::engine {

// What is read: `part`, and in step with it the links of `align` (empty: none). `reading` is how CoNLL-U is read.
struct GivenTexts {
  TextPart part;
  std::string align;
  SourceOptions reading;
};

// Files to write. Names decide about compression; the source's form (CoNLL-U or text) is that of the input.
struct PreparedFiles {
  std::string source;
  std::vector<std::string> references;
  std::string align;    // empty: no links are read
  bool for_lm = false;  // a language model is estimated from the first reference: words it cannot hold are Errors
};

struct PreparedTotals {
  uint64_t pairs = 0;
  uint64_t unusable = 0;  // an empty side, or more than kMaxSentenceWords words: kept in the files, skipped by training
  uint64_t source_words = 0;
  uint64_t target_words = 0;  // of the first reference
};

// Prepared CoNLL-U is read back as it stands: surface tokens, tags and projectivity are decided already.
inline constexpr SourceOptions kPreparedSource = {.words = false, .upos = false, .projectivise = false};

// Streams what is given into `files`. Files of different lengths, a part without sentences, links out of range and
// everything the readers object to are Errors with file and line. `step` is the name that progress is reported under.
PreparedTotals PrepareTexts(const GivenTexts& given, const TextProcessor& text, const PreparedFiles& files,
                            std::string_view step, const Reporter& reporter);

// Learns the usual case of words from the two sides of a corpus.
struct Truecasers {
  Truecaser source, target;
};
Truecasers LearnCase(const TextPart& corpus, const SourceOptions& reading, const TextOptions& options,
                     const Reporter& reporter);

// Text of the target language only, for language models.
void PrepareTargetText(const std::string& path, const TextProcessor& text, const std::string& output,
                       const Reporter& reporter);

}  // namespace graft::engine
