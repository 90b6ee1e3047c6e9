// What the verbs that read a training corpus share: --source, --target, --align, --lowercase, --max-pair-rules.
#pragma once

#include <string>

#include "building/occurrences.h"
#include "cli/common.h"
#include "graft/training_steps.h"

namespace graft::engine::cli {

struct CorpusOption {
  void AddTo(CLI::App* app);
  bool given() const { return !files_.source.empty() || !files_.target.empty() || !files_.align.empty(); }

  // The corpus as the system reads it. Throws Error if a file is missing, or more than one is stdin. The source's form
  // is ChooseFormat's.
  TrainingCorpus Corpus(const SystemOption& system) const;

 private:
  CorpusFiles files_;
  graft::TableOptions rules_;  // of these, what CorpusRulesTable has
};

inline constexpr const char* kMaxPairRulesFlag = "--max-pair-rules";

// Says on stderr what became of pairs with too many rules (BoundedText), if there are any.
void NoteBounded(const std::string& bounded);

}  // namespace graft::engine::cli
