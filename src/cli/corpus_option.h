// What the verbs that read a training corpus share: --source, --target, --align, --lowercase, --max-pair-rules.
#pragma once

#include <string>

#include "building/occurrences.h"
#include "cli/common.h"

namespace graft::engine::cli {

struct CorpusOption {
  void AddTo(CLI::App* app);
  bool given() const { return !files_.source.empty() || !files_.target.empty() || !files_.align.empty(); }

  // The corpus as the system reads it. Throws Error if a file is missing, or more than one is stdin. The source's form
  // goes by its name; on stdin it is CoNLL-U for systems with trees, else text.
  TrainingCorpus Corpus(const SystemOption& system) const;

 private:
  CorpusFiles files_;
  bool lowercase_ = false;
  uint64_t max_pair_rules_ = kMaxPairRulesOfSystem;
};

inline constexpr const char* kMaxPairRulesFlag = "--max-pair-rules";

// Says on stderr what became of pairs with too many rules, if there are any.
void NoteBounded(const OccurrenceTotals& totals);

// "29000 pairs, 3 skipped (1 with an empty side, 2 without links, 0 over 250 words), 1240000 occurrences".
std::string Summary(const OccurrenceTotals& totals);

}  // namespace graft::engine::cli
