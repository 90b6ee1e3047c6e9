// Source sentences from CoNLL-U or plain tokenised text.
//
// A token is a surface token: a multiword range (`3-4 im`) counts as one token that takes the form of the range and the
// tag, head and relation of that of its words which is nearest to the root (smallest depth; tie: first). Empty nodes
// (`5.1`) and comments are skipped; heads are renumbered. Several roots are accepted. A block of comments without words
// is an empty sentence; further blank lines are ignored. In plain text every line is a sentence. Structural problems (a
// head out of range, a cycle, ids out of order, a wrong number of columns) are an Error with file and line.
#pragma once

#include <climits>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "corpus/sentence.h"
#include "graft/reporter.h"
#include "util/line_reader.h"

namespace graft::engine {

enum class SourceFormat { kConllu, kText };

struct SourceOptions {
  bool words = false;                   // syntactic words instead of surface tokens
  bool upos = false;                    // tag = UPOS; otherwise XPOS unless it is "_", then UPOS
  bool projectivise = true;             // lift non-projective arcs (graph/projectivise.h)
  int longest_projectivised = INT_MAX;  // but not in sentences of more words, which will not be used
  bool lowercase = false;
};

// CoNLL-U is what is named so (.conllu or .conll, compression suffix removed), and what begins as CoNLL-U does: with a
// line of ten columns whose first is 1 or a range from 1, after nothing but comments and blank lines. Everything else
// is plain text. Only regular files are looked into.
SourceFormat SourceFormatOf(const std::string& path);

// The form of what people give to be read: what they say it is, "conllu" or "text"; else, where that is empty, what
// name and content say. Stdin is CoNLL-U where trees are read. `opened` is the file where it is open already: of a
// stream, which can be read once, it is asked for the content. Throws Error for any other form.
SourceFormat ChooseFormat(const std::string& given, const std::string& file, bool reads_tree = false,
                          LineReader* opened = nullptr);

class SourceReader {
 public:
  SourceReader(const std::string& path, SourceFormat format, const SourceOptions& options, const Reporter& reporter);
  SourceReader(LineReader lines, SourceFormat format, const SourceOptions& options, const Reporter& reporter);
  ~SourceReader();

  bool Next(Sentence* sentence);
  uint64_t CountRest();          // reads to the end; how many sentences Next has not given, none of them checked
  uint64_t line_number() const;  // first line of the sentence just read
  const std::string& name() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft::engine
