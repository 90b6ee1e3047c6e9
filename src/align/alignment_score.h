// Alignments against gold links: precision and recall, and the alignment error rate of Och and Ney (2003),
//   AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)
// with A the links in question, S the sure gold links, P the possible ones (every sure link is possible).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "align/bitext.h"
#include "corpus/parallel_corpus.h"
#include "graft/reporter.h"

namespace graft::engine {

struct GoldLinks {
  std::vector<WordLink> sure;      // sorted, each once
  std::vector<WordLink> possible;  // sorted, each once; without the sure ones
};

// `i-j` is a sure link, `i?j`, `i~j` or `ipj` a possible one; 0-based. Throws Error without a file and
// line, also for links out of range; a negative number of words is not known and not checked.
GoldLinks ParseGoldLinks(std::string_view line, int source_words, int target_words);

struct AlignmentScore {
  uint64_t pairs = 0;
  uint64_t links = 0;
  uint64_t sure = 0;
  uint64_t possible = 0;      // the sure ones included
  uint64_t hit_sure = 0;      // links that are sure
  uint64_t hit_possible = 0;  // links that are sure or possible

  void Add(std::span<const WordLink> links, const GoldLinks& gold);  // links sorted, each once

  double precision() const;  // |A ∩ P| / |A|; 1 if there are no links
  double recall() const;     // |A ∩ S| / |S|; 1 if there are no sure ones
  double f1() const;
  double aer() const;  // 0 if there are neither links nor sure ones
};

// The gold links of all pairs of `bitext`, a line for each. Throws Error with file and line if there are more or fewer
// lines, or a link is wrong or names a word that its pair does not have.
std::vector<GoldLinks> ReadGoldLinks(const std::string& path, const Bitext& bitext, const Reporter& reporter);

// "AER 0.0918  precision 0.9507  recall 0.8693  F1 0.9082  (310807 links, 339897 sure, 0 possible; 29000 pairs)".
std::string Summary(const AlignmentScore& score);

}  // namespace graft::engine
