// CoNLL-U, one sentence block at a time. Reading a block and understanding it are separate, so that `graft check` can
// name every problem of a block, go on with the next, and copy blocks unchanged.
//
//   ConlluParser parser(options);
//   while (ReadConlluBlock(&lines, &block)) {
//     problems.clear();
//     parser.Parse(block, &sentence, &problems);  // sentence is good if there are no problems
//   }
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/sentence.h"
#include "corpus/source_reader.h"
#include "util/line_reader.h"
#include "util/stop_check.h"

namespace graft::engine {

// The lines between two blank lines, each ended by LF.
struct ConlluBlock {
  uint64_t first_line = 0;
  std::string text;
};

// The next block, blank lines before it skipped; false at the end of the file. Throws Error for one of more than
// kMostLineBytes (util/size_limits.h).
bool ReadConlluBlock(LineReader* lines, ConlluBlock* block);

// What is wrong with one line, without file name and advice.
struct LineProblem {
  uint64_t line;
  std::string message;
};

class ConlluParser {
 public:
  explicit ConlluParser(const SourceOptions& options) : options_(options) {}

  // Appends the problems of the block, at most 1,000 and one that says so, in order of lines. Heads are looked at once
  // the ids are in order, cycles once the heads are in range. Throws Stopped as `stop` says.
  void Parse(const ConlluBlock& block, Sentence* sentence, std::vector<LineProblem>* problems,
             const StopCheck& stop = {});

 private:
  struct Word {
    std::string_view form, tag, relation;
    int head = 0;
    int depth = 0;  // 1 = root; set by FindDepths
    int token = 0;  // 1-based; set by Fold
    uint64_t line = 0;
  };
  struct Range {  // `3-4 im`
    int first, last;
    std::string_view form;
    uint64_t line;
  };

  void MakeProjective(const ConlluBlock& block, const StopCheck& stop, Sentence* sentence);
  void ParseLine(std::string_view line, uint64_t number);
  bool ParseRange(std::string_view id, std::string_view form, uint64_t line);
  void CheckEnd();
  void FindDepths();
  void Fold(Sentence* sentence);
  void Report(uint64_t line, std::string message);

  SourceOptions options_;
  std::vector<LineProblem>* problems_ = nullptr;
  std::vector<Word> words_;
  std::vector<Range> ranges_;
  std::vector<int> path_;
  bool ids_in_order_ = true;
  size_t reported_ = 0;  // problems of the block
};

}  // namespace graft::engine
