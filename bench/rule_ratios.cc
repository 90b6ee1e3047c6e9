// How many rules each segmentation system has on a corpus, beside the paper's ratios, and what kinds of rules the
// bigram graph gives.
//   rule_ratios SOURCE.conllu TARGET ALIGN [--lowercase]
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "corpus/parallel_corpus.h"
#include "rules/rule_statistics.h"
#include "text/vocabulary.h"

namespace graft::engine {
namespace {

struct Row {
  const char* name;
  const char* system;
  const char* graph;
  double paper_zh, paper_de;  // rules of the system / rules of PBMT
};
constexpr Row kRows[] = {
    {"PBMT", "pbmt", "", 1, 1},
    {"SDTU", "sdtu", "", 224.0 / 69, 352.0 / 107},
    {"TBMT", "tbmt", "", 122.0 / 69, 151.0 / 107},
    {"SegGBMT Tree", "seggbmt", "tree", 42.0 / 69, 73.0 / 107},
    {"SegGBMT DSG", "seggbmt", "dsg", 62.0 / 69, 93.0 / 107},
    {"SegGBMT DBG", "seggbmt", "dbg", 99.0 / 69, 153.0 / 107},
};

std::vector<IndexedPair> Read(const CorpusFiles& files, bool lowercase) {
  Vocabulary source, target;
  ParallelCorpus corpus(files, SourceFormatOf(files.source), {.lowercase = lowercase}, {});
  std::vector<IndexedPair> pairs;
  for (SentencePair pair; corpus.Next(&pair);) {
    IndexedPair indexed;
    for (const std::string& word : pair.source.tokens) indexed.source.push_back(source.Add(word));
    for (const std::string& word : pair.target) indexed.target.push_back(target.Add(word));
    indexed.heads = pair.source.heads;
    indexed.links = pair.links;
    pairs.push_back(std::move(indexed));
  }
  return pairs;
}

void Print(const std::vector<IndexedPair>& pairs) {
  fmt::print("| system | rules | of PBMT's | paper zh | paper de |\n|---|---|---|---|---|\n");
  uint64_t pbmt = 0;
  RuleStatistics dbg;
  for (const Row& row : kRows) {
    SystemOptions options;
    options["name"] = row.system;
    if (*row.graph != 0) options["graph"] = row.graph;
    size_t next = 0;
    const RuleStatistics statistics = CountRules(MakeSystemSpec(options), [&](IndexedPair* pair) {
      if (next == pairs.size()) return false;
      *pair = pairs[next++];
      return true;
    });
    if (pbmt == 0) pbmt = statistics.rules;
    if (std::strcmp(row.graph, "dbg") == 0) dbg = statistics;
    fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} |\n", row.name, statistics.rules,
               static_cast<double>(statistics.rules) / static_cast<double>(pbmt), row.paper_zh, row.paper_de);
    std::fflush(stdout);
  }
  fmt::print("\nContinuous DBG rules / PBMT rules: {:.2f} (paper: about 1)\n",
             static_cast<double>(dbg.continuous) / static_cast<double>(pbmt));
  fmt::print("\n| share of DBG rules | here | paper |\n|---|---|---|\n");
  fmt::print("| continuous | {:.1f} % | about 70 % |\n", 100 * dbg.Share(dbg.continuous));
  fmt::print("| connected by dependency edges | {:.1f} % | 42-48 % |\n", 100 * dbg.Share(dbg.dependency_connected));
  fmt::print("| both | {:.1f} % | over 30 % |\n", 100 * dbg.Share(dbg.both));
  fmt::print("| only by the mixture | {:.1f} % | 15-17 % |\n", 100 * dbg.Share(dbg.neither));
}

}  // namespace
}  // namespace graft::engine

int main(int argc, char** argv) {
  const bool lowercase = argc == 5 && std::strcmp(argv[4], "--lowercase") == 0;
  if (argc != 4 && !lowercase) {
    std::fprintf(stderr, "usage: rule_ratios SOURCE.conllu TARGET ALIGN [--lowercase]\n");
    return 2;
  }
  try {
    graft::engine::Print(graft::engine::Read({argv[1], argv[2], argv[3]}, lowercase));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rule_ratios: %s\n", error.what());
    return 1;
  }
  return 0;
}
