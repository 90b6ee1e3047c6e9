// How many rules the richest pairs of a corpus give in each system and variant: what the bound on the rules of one pair
// (src/rules/pair_bound.h) must leave alone.
//   pair_rules SOURCE.conllu TARGET ALIGN [PAIRS [MAX_PAIR_RULES]]
// A line for each system: the most rules of a pair, its number in the corpus, and how many pairs go over the bound.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "corpus/parallel_corpus.h"
#include "rules/extract.h"
#include "text/vocabulary.h"
#include "util/parallel_for.h"

namespace graft::engine {
namespace {

// Systems whose rules are among those of another one here are left out: SegGBMT's other graphs, and GramGBMT's.
std::vector<SystemOptions> Variants() {
  std::vector<SystemOptions> all = {{{"name", "pbmt"}},
                                    {{"name", "sdtu"}},
                                    {{"name", "tbmt"}},
                                    {{"name", "seggbmt-union"}},
                                    {{"name", "dep2str"}, {"floating", true}}};
  for (const SystemOptions& grammar : std::vector<SystemOptions>{{{"name", "hpbmt"}},
                                                                 {{"name", "serg"}},
                                                                 {{"name", "gramgbmt-b"}, {"graph", "dsg"}},
                                                                 {{"name", "gramgbmt-b"}, {"graph", "dbg"}}}) {
    all.push_back(grammar);
    all.push_back(grammar);
    all.back()["adjacent_nt"] = true;
    all.back()["mgs"] = 1;
  }
  return all;
}

std::string NameOf(const SystemSpec& spec) {
  std::string name = TitleOf(spec);
  if (spec.grammar.mgs > 0) name += fmt::format(" mgs {}{}", spec.grammar.mgs, spec.grammar.adjacent_nt ? " adj" : "");
  return name + (spec.blocks.floating ? " floating" : "");
}

std::vector<IndexedPair> Read(const CorpusFiles& files) {
  Vocabulary source, target;
  ParallelCorpus corpus(files, SourceFormatOf(files.source), {}, {});
  std::vector<IndexedPair> pairs;
  for (SentencePair pair; corpus.Next(&pair);) {
    IndexedPair& indexed = pairs.emplace_back();
    for (const std::string& word : pair.source.tokens) indexed.source.push_back(source.Add(word));
    for (const std::string& word : pair.target) indexed.target.push_back(target.Add(word));
    indexed.heads = pair.source.heads;
    indexed.tags = pair.source.tags;
    indexed.words = pair.source.tokens;
    indexed.links = pair.links;
  }
  return pairs;
}

struct Row {
  uint64_t most = 0, over = 0;
  size_t richest = 0;
};

Row Measure(const SystemSpec& spec, const std::vector<IndexedPair>& pairs, uint64_t max_rules) {
  LabelNumbers labels;
  RuleExtractor extractor(spec, &labels, max_rules);
  Row row;
  for (size_t k = 0; k < pairs.size(); ++k) {
    uint64_t rules = 0;
    if (!extractor.Extract(pairs[k], [&](const RuleOccurrence&, const UnitPair&) { ++rules; })) ++row.over;
    if (rules > row.most) row.richest = k;
    row.most = std::max(row.most, rules);
  }
  return row;
}

void Print(const std::vector<IndexedPair>& pairs, uint64_t max_rules) {
  fmt::print("| system | most rules of a pair | pair | words | pairs over the bound |\n|---|---|---|---|---|\n");
  const std::vector<SystemOptions> variants = Variants();
  std::mutex printing;
  ParallelFor(static_cast<int>(std::thread::hardware_concurrency()), variants.size(), [&](size_t k, int) {
    const SystemSpec spec = MakeSystemSpec(variants[variants.size() - 1 - k]);
    const Row row = Measure(spec, pairs, max_rules);
    const std::lock_guard lock(printing);
    fmt::print("| {} | {} | {} | {} | {} |\n", NameOf(spec), row.most, row.richest + 1,
               pairs[row.richest].source.size(), row.over);
    std::fflush(stdout);
  });
}

}  // namespace
}  // namespace graft::engine

int main(int argc, char** argv) {
  if (argc < 4 || argc > 6) {
    std::fprintf(stderr, "usage: pair_rules SOURCE.conllu TARGET ALIGN [PAIRS [MAX_PAIR_RULES]]\n");
    return 2;
  }
  try {
    const uint64_t limit = argc > 4 ? std::stoull(argv[4]) : 0;
    const uint64_t bound = argc > 5 ? std::stoull(argv[5]) : graft::engine::kMaxPairRulesOfSystem;
    graft::engine::Print(graft::engine::Read({argv[1], argv[2], argv[3], limit}), bound);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pair_rules: %s\n", error.what());
    return 1;
  }
  return 0;
}
