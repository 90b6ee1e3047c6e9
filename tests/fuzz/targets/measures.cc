// What is measured: gold links, and metrics over any lines.
#include <algorithm>
#include <cmath>

#include "align/alignment_score.h"
#include "eval/bleu_tokeniser.h"
#include "eval/metric.h"
#include "eval/test_set.h"
#include "fuzz/fuzz_target.h"
#include "util/utf8.h"

namespace graft::engine::fuzz {
namespace {

void RunGoldLinks(std::string_view bytes) {
  const auto parts = SplitParts(bytes, 3);
  BitextFiles files;
  files.source = WriteScratch("gold.source", parts[0]);
  files.target = WriteScratch("gold.target", parts[1]);
  const std::string path = WriteScratch("gold.links", parts[2]);
  Accepts([&] {
    const Bitext bitext = ReadBitext(files, {});
    const std::vector<GoldLinks> gold = ReadGoldLinks(path, bitext, {});
    Require(gold.size() == bitext.pairs(), "another number of lines");
    AlignmentScore same;
    for (size_t pair = 0; pair < gold.size(); ++pair) {
      for (const auto* links : {&gold[pair].sure, &gold[pair].possible})
        Require(std::is_sorted(links->begin(), links->end()) &&
                    std::adjacent_find(links->begin(), links->end()) == links->end(),
                "links not sorted, or twice");
      if (bitext.source.length(pair) > 0)  // else it was skipped, and has words all the same
        for (const WordLink& link : gold[pair].sure)
          Require(link.source < bitext.source.length(pair) && link.target < bitext.target.length(pair),
                  "a link out of range");
      same.Add(gold[pair].sure, gold[pair]);
    }
    Require(same.aer() == 0 && same.recall() == 1, "gold links that are not their own");
    Require(!Summary(same).empty(), "no summary");
  });
}

// Three bytes for the metric and its options, then lines and their references.
void RunMetrics(std::string_view bytes) {
  static const char* const names[] = {"bleu", "chrf", "chrf++", "ter"};
  static constexpr BleuTokeniser tokenisers[] = {BleuTokeniser::k13a, BleuTokeniser::kZh, BleuTokeniser::kNone,
                                                 BleuTokeniser::kIntl, BleuTokeniser::kChar};
  ByteSource source(bytes);
  const char* const name = names[source.Below(4)];
  const uint8_t flags = source.Byte();
  const BleuTokeniser tokeniser = tokenisers[source.Below(5)];
  const MetricOptions options{.tokeniser = std::string(NameOf(tokeniser)),
                              .lowercase = (flags & 1) != 0,
                              .ter_case_sensitive = (flags & 2) != 0};
  const auto parts = SplitParts(source.Rest(), 2);
  const std::string found = WriteScratch("found", parts[0]), reference = WriteScratch("reference", parts[1]);
  Accepts([&] {
    const TestSet set = ReadTestSet({reference}, {});
    const std::vector<std::string> lines = set.ReadHypotheses(found, {});
    for (const std::string& line : lines)
      for (const std::string& token : TokeniseForBleu(tokeniser, line))
        Require(!token.empty() && IsValidUtf8(token), "a token that is no text");
    const auto metric = Metric::Create(name, set.references, options);
    const auto score = [&](const std::vector<std::string>& run) {
      const std::vector<double> sums = StatisticsOf(*metric, {run}, 1).Sum(0);
      metric->Details(sums);
      Require(!metric->Fields(sums).dump().empty(), "no fields");
      return metric->Score(sums);
    };
    const double other = score(lines), same = score(set.references[0]);
    Require(std::isfinite(other) && other >= 0 && std::isfinite(same), "a score that is no number");
    if (metric->higher_is_better())
      Require(other <= 100 + 1e-9 && same <= 100 + 1e-9, "more than all");
    else
      Require(same == 0, "a text that is not itself");
  });
}

const bool registered = Register({"gold_links", "gold links of a word alignment", RunGoldLinks}) &&
                        Register({"metrics", "BLEU and its tokenisers, chrF, TER over any lines", RunMetrics});

}  // namespace
}  // namespace graft::engine::fuzz
