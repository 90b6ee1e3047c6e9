// Word translation tables from alignments, and the lexical weights of rules (Koehn, Och, Marcu 2003).
//
// w(t|s) = c(s,t)/c(s): every link counts 1, an unaligned word counts as one link to NULL. Every pair of the corpus
// counts, also one without links, with an empty side, or one too long to be trained on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/parallel_corpus.h"
#include "rules/rule.h"
#include "text/vocabulary.h"
#include "util/probed_cells.h"

namespace graft::engine {

// Link counts by (source word, target word); kNoWord stands for NULL.
class LinkCounts {
 public:
  void AddPair(std::span<const WordId> source, std::span<const WordId> target, std::span<const WordLink> links);
  void Add(WordId source, WordId target, uint64_t count);
  void Merge(const LinkCounts& other);

  // All entries, in no particular order.
  struct Entry {
    WordId source;
    WordId target;
    uint64_t count;
  };
  std::vector<Entry> Entries() const;
  size_t size() const { return size_; }

 private:
  struct Cell {
    uint64_t key = UINT64_MAX;  // source << 32 | target; UINT64_MAX: empty (NULL is never linked to NULL)
    uint64_t count = 0;
  };

  ProbedCells<Cell> cells_;  // at most three quarters full
  size_t size_ = 0;
  std::vector<uint8_t> linked_;  // scratch of AddPair
};

// The word translation probabilities made from link counts. Immutable; shared by threads.
class Lexicon {
 public:
  Lexicon() = default;
  explicit Lexicon(const LinkCounts& counts);

  // w(target|source) and w(source|target); kNoWord = NULL; a pair that never occurs gives 1 (Moses does the same).
  double TargetGivenSource(WordId source, WordId target) const;
  double SourceGivenTarget(WordId source, WordId target) const;

  // Natural logs of lex(s|t) and lex(t|s) of a rule: for every word the mean of w over its links (NULL if it has none),
  // summed in double in symbol order over terminals.
  struct Weights {
    double source_given_target;
    double target_given_source;
  };
  Weights Weigh(std::span<const SourceSymbol> source, std::span<const TargetSymbol> target,
                std::span<const RuleLink> links) const;

 private:
  // Both directions of a pair of words.
  struct Pair {
    double target_given_source = 1;
    double source_given_target = 1;
  };
  // Most words of a rule have one link, whose logs are all that is asked for: they lie with the key, probabilities
  // apart.
  struct Cell {
    uint64_t key = UINT64_MAX;  // as in LinkCounts
    Pair log;
  };
  static constexpr uint32_t kNoCell = UINT32_MAX;
  uint32_t Find(WordId source, WordId target) const;
  Pair Probability(uint32_t cell) const { return cell == kNoCell ? Pair{} : probabilities_[cell]; }
  Pair Log(uint32_t cell) const { return cell == kNoCell ? Pair{0, 0} : cells_[cell].log; }

  ProbedCells<Cell> cells_;                  // at most half full
  std::vector<Pair> probabilities_;          // by cell
  std::vector<double> log_unlinked_source_;  // log w(s|NULL) by source word; 0 beyond the end
  std::vector<double> log_unlinked_target_;  // log w(t|NULL) by target word
};

// Word ids by falling link counts, ties bytewise: what makes a table independent of how it was built. order[new id] =
// old id.
std::vector<WordId> OrderByLinks(const Vocabulary& words, std::span<const uint64_t> link_counts);

}  // namespace graft::engine
