// Corpora: CoNLL-U, plain text and Pharaoh links, by the readers of training and by `graft check`.
#include <algorithm>
#include <set>

#include "corpus/check.h"
#include "corpus/parallel_corpus.h"
#include "corpus/source_reader.h"
#include "fuzz/fuzz_target.h"
#include "graft/error.h"
#include "graph/dependency_graph.h"
#include "graph/projectivise.h"
#include "util/utf8.h"

namespace graft::engine::fuzz {
namespace {

// What every reader promises of a sentence.
void CheckSentence(const Sentence& sentence, SourceFormat format) {
  for (const std::string& token : sentence.tokens) {
    Require(!token.empty(), "an empty token");
    Require(IsValidUtf8(token), "a token that is not UTF-8");
  }
  if (format == SourceFormat::kText) {
    Require(sentence.heads.empty() && sentence.tags.empty(), "a tree from plain text");
    return;
  }
  const int n = sentence.size();
  Require(static_cast<int>(sentence.heads.size()) == n && static_cast<int>(sentence.tags.size()) == n &&
              static_cast<int>(sentence.relations.size()) == n,
          "columns of different lengths");
  for (int i = 0; i < n; ++i) {
    Require(sentence.heads[i] >= 0 && sentence.heads[i] <= n, "a head out of range");
    int at = i + 1, steps = 0;
    for (; at != 0 && steps <= n; ++steps) at = sentence.heads[at - 1];
    Require(at == 0, "a cycle");
  }
}

void CheckGraphs(const Sentence& sentence, bool projectivised) {
  const int n = sentence.size();
  if (n == 0 || n > kMaxSentenceWords) return;
  if (projectivised) {
    std::vector<int> heads = sentence.heads;
    Projectivise(&heads);
    Require(heads == sentence.heads, "a projective tree was changed");
  }
  for (const GraphKind kind : {GraphKind::kTree, GraphKind::kDsg, GraphKind::kDbg, GraphKind::kUnion})
    DependencyGraph(kind, n, sentence.heads);
}

// Sentences read before the end or an Error.
uint64_t ReadSource(const std::string& path, SourceFormat format, const SourceOptions& options) {
  uint64_t sentences = 0, line = 0;
  SourceReader reader(path, format, options, {});
  Sentence sentence;
  while (reader.Next(&sentence)) {
    ++sentences;
    Require(reader.line_number() > line, "lines that do not ascend");
    line = reader.line_number();
    CheckSentence(sentence, format);
    if (format == SourceFormat::kConllu) CheckGraphs(sentence, options.projectivise);
  }
  return sentences;
}

// `graft check` finds an error exactly where the readers stop.
CheckSummary Check(const CheckOptions& options) {
  uint64_t errors = 0;
  const CheckSummary summary = CheckCorpus(options,
                                           [&](const engine::Finding& finding) {
                                             Require(!finding.message.empty(), "a finding without a message");
                                             errors += finding.severity == Severity::kError ? 1 : 0;
                                           },
                                           {});
  Require(errors == summary.errors, "errors that were not counted");
  return summary;
}

void RunConllu(std::string_view bytes) {
  ByteSource source(bytes);
  const uint8_t flags = source.Byte();
  const SourceOptions options{.words = (flags & 1) != 0,
                              .upos = (flags & 2) != 0,
                              .projectivise = (flags & 4) != 0,
                              .lowercase = (flags & 8) != 0};
  const std::string path = WriteScratch("source.conllu", source.Rest());
  uint64_t sentences = 0;
  const bool taken = Accepts([&] { sentences = ReadSource(path, SourceFormat::kConllu, options); });
  if (taken)
    Require(SourceReader(path, SourceFormat::kConllu, options, {}).CountRest() == sentences,
            "another number of blocks");
  const CheckSummary summary = Check({.source = path, .format = SourceFormat::kConllu, .words = options.words});
  Require((summary.errors == 0) == (taken && sentences > 0), "check and reader disagree");
}

void RunText(std::string_view bytes) {
  const auto parts = SplitParts(bytes, 2);
  CheckOptions options;
  options.source = WriteScratch("text.source", parts[0]);
  options.target = WriteScratch("text.target", parts[1]);
  options.clean_folder = ScratchPath("clean");
  uint64_t sentences = 0, other = 0;
  const bool taken = Accepts([&] { sentences = ReadSource(options.source, SourceFormat::kText, {}); }) &&
                     Accepts([&] { other = ReadSource(options.target, SourceFormat::kText, {}); }) &&
                     sentences == other && sentences > 0;
  const CheckSummary summary = Check(options);
  Require((summary.errors == 0) == taken, "check and reader disagree");
  if (!summary.wrote_clean || summary.bad_pairs == summary.pairs) return;
  options.source = ScratchPath("clean/text.source");
  options.target = ScratchPath("clean/text.target");
  options.clean_folder.clear();
  Require(Check(options).errors == 0, "the clean copy has errors");
}

void RunLinks(std::string_view bytes) {
  const auto parts = SplitParts(bytes, 3);
  const CorpusFiles files = {WriteScratch("pairs.source", parts[0]), WriteScratch("pairs.target", parts[1]),
                             WriteScratch("pairs.align", parts[2])};
  uint64_t pairs = 0;
  const bool taken = Accepts([&] {
    ParallelCorpus corpus(files, SourceFormat::kText, {}, {});
    SentencePair pair;
    while (corpus.Next(&pair)) {
      ++pairs;
      Require(std::is_sorted(pair.links.begin(), pair.links.end()) &&
                  std::set<WordLink>(pair.links.begin(), pair.links.end()).size() == pair.links.size(),
              "links not sorted, or twice");
      std::string text;
      for (const WordLink& link : pair.links) {
        Require(link.source < pair.source.size() && link.target < pair.target.size(), "a link out of range");
        text += std::to_string(link.source) + "-" + std::to_string(link.target) + " ";
      }
      Require(ParseLinks(text, pair.source.size(), static_cast<int>(pair.target.size())) == pair.links,
              "links that do not read back");
    }
  });
  const CheckSummary summary = Check({.source = files.source, .target = files.target, .align = files.align});
  Require((summary.errors == 0) == (taken && pairs > 0), "check and reader disagree");
}

const bool registered = Register({"conllu", "CoNLL-U: the reader, its graphs, `graft check`", RunConllu}) &&
                        Register({"text", "plain parallel text: the reader, `graft check --write-clean`", RunText}) &&
                        Register({"links", "aligned pairs of text with Pharaoh links", RunLinks});

}  // namespace
}  // namespace graft::engine::fuzz
