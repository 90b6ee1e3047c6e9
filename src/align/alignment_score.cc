#include "align/alignment_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "corpus/links.h"
#include "graft/error.h"
#include "util/line_reader.h"
#include "util/utf8.h"

namespace graft::engine {

namespace {

void SortUnique(std::vector<WordLink>* links) {
  std::sort(links->begin(), links->end());
  links->erase(std::unique(links->begin(), links->end()), links->end());
}

uint64_t CommonLinks(std::span<const WordLink> a, std::span<const WordLink> b) {
  std::vector<WordLink> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return common.size();
}

double Ratio(uint64_t part, uint64_t whole, double otherwise) {
  return whole == 0 ? otherwise : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

GoldLinks ParseGoldLinks(std::string_view line, int source_words, int target_words) {
  GoldLinks gold;
  for (std::string_view token : SplitTokens(line)) {
    std::string text(token);
    const size_t mark = text.find_first_of("?~p");
    const bool sure = mark == std::string::npos;
    if (!sure) text[mark] = '-';
    WordLink link{};
    std::string problem;
    if (!sure && !ParseLink(text, -1, -1, &link, &problem))
      throw Error(fmt::format("`{}` is not a link; possible links are written i?j, counted from 0", token));
    if (!ParseLink(text, source_words, target_words, &link, &problem)) throw Error(problem);
    (sure ? gold.sure : gold.possible).push_back(link);
  }
  SortUnique(&gold.sure);
  SortUnique(&gold.possible);
  std::vector<WordLink> rest;
  std::set_difference(gold.possible.begin(), gold.possible.end(), gold.sure.begin(), gold.sure.end(),
                      std::back_inserter(rest));
  gold.possible = std::move(rest);
  return gold;
}

void AlignmentScore::Add(std::span<const WordLink> found, const GoldLinks& gold) {
  ++pairs;
  links += found.size();
  sure += gold.sure.size();
  possible += gold.sure.size() + gold.possible.size();
  const uint64_t hits = CommonLinks(found, gold.sure);
  hit_sure += hits;
  hit_possible += hits + CommonLinks(found, gold.possible);
}

double AlignmentScore::precision() const { return Ratio(hit_possible, links, 1); }
double AlignmentScore::recall() const { return Ratio(hit_sure, sure, 1); }
double AlignmentScore::f1() const {
  const double sum = precision() + recall();
  return sum == 0 ? 0 : 2 * precision() * recall() / sum;
}
double AlignmentScore::aer() const { return 1 - Ratio(hit_sure + hit_possible, links + sure, 1); }

std::vector<GoldLinks> ReadGoldLinks(const std::string& path, const Bitext& bitext, const Reporter& reporter) {
  const size_t pairs = bitext.pairs();
  LineReader lines(path, reporter);
  auto skipped = bitext.skipped.begin();
  std::vector<GoldLinks> gold;
  while (lines.Next()) {
    if (gold.size() == pairs)
      lines.Fail(fmt::format("one line too many: the corpus has {} pairs, and gold links are a line for each", pairs));
    const size_t pair = gold.size();
    int source_words = bitext.source.length(pair);
    int target_words = bitext.target.length(pair);
    if (skipped != bitext.skipped.end() && skipped->pair == pair) {
      source_words = static_cast<int>(skipped->source_words);
      target_words = static_cast<int>(skipped->target_words);
      ++skipped;
    }
    try {
      gold.push_back(ParseGoldLinks(lines.line(), source_words, target_words));
    } catch (const Error& error) {
      lines.Fail(error.what());
    }
  }
  if (gold.size() < pairs)
    throw Error::At(
        lines.name(), gold.size() + 1,
        fmt::format("the file ends here, but the corpus has {} pairs; gold links are a line for each, empty "
                    "where there are none",
                    pairs));
  return gold;
}

std::string Summary(const AlignmentScore& score) {
  return fmt::format(
      "AER {:.4f}  precision {:.4f}  recall {:.4f}  F1 {:.4f}  ({} links, {} sure, {} possible; {} pairs)", score.aer(),
      score.precision(), score.recall(), score.f1(), score.links, score.sure, score.possible - score.sure, score.pairs);
}

}  // namespace graft::engine
