// Estimation of n-gram models: interpolated modified Kneser-Ney, by KenLM's own builder library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graft/reporter.h"
#include "graft/training_steps.h"

namespace graft::engine {

struct EstimateOptions {
  int order = graft::LanguageModelOptions().order;  // 1 to 6
  std::vector<uint64_t> prune;                      // count thresholds by order, as `lmplz --prune`; empty: none
  uint64_t memory_bytes = 0;                        // 0: 80 % of the machine's memory
  std::string temp_folder;                          // empty: $TMPDIR or /tmp
  bool lowercase = false;
};

// Throws Error for thresholds that no model of this order can have.
void CheckPruning(int order, const std::vector<uint64_t>& prune);

// Reads tokenised text files (compressed ones too, "-" is stdin) and writes `output`: ARPA, or KenLM's probing binary
// when the name ends in .bin, .binary or .klm; .gz .zst .xz compress an ARPA file. Where discounts cannot be estimated
// from the counts, KenLM's fallback discounts are applied with a warning. The ARPA file is the one `lmplz` writes for
// the same text and settings.
void EstimateLanguageModel(const std::vector<std::string>& texts, const std::string& output,
                           const EstimateOptions& options, const Reporter& reporter);

}  // namespace graft::engine
