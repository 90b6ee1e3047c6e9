// Consensus of several lists of translations by minimum Bayes risk (Kumar and Byrne 2004): of all strings the one whose
// expected BLEU against all others is greatest, each of them counting as a reference with its probability.
//
//   const Consensus consensus = FindConsensus({list_of_model_1, list_of_model_2}, {});
//   consensus.best().tokens …
//
// Probabilities: scores of different models cannot be compared, so each list is a softmax of its own, and the lists are
// mixed with their weights; a string that several entries share has the sum of their probabilities.
// Gain: BLEU of one sentence with one reference, n-grams up to 4, with 1 added to matches and totals of all orders but
// the first (BleuSmoothing::kAddK; Lin and Och 2004): it is above 0 wherever a word matches, and 100 for equal strings
// however short. A token is a word, whatever it contains.
//
// A pure function of its arguments. Cost for N strings of n words: O(N² n) additions of 16 bits and N² products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "graft/combine.h"
#include "util/stop_check.h"

namespace graft::engine {

struct ScoredString {
  std::vector<std::string> tokens;
  double score = 0;  // of the model; only differences within a list count
};
using ScoredList = std::vector<ScoredString>;

struct ConsensusOptions {
  // A list's probabilities are the softmax of scale * score: 0 makes all its strings equal, a large one leaves the
  // best. The default is for scores of weights whose absolute values sum to 1, as tuning leaves them (ListOf in
  // combiner.h).
  double scale = CombineOptions().scale;
  std::vector<double> weights;  // of the lists, not negative; empty: all equal. A list of weight 0 takes no part
};

struct ConsensusCandidate {
  std::vector<std::string> tokens;
  double probability = 0;
  double gain = 0;              // expected BLEU, 0 to 100
  std::vector<uint32_t> lists;  // that contain it, rising
};

struct Consensus {
  std::vector<ConsensusCandidate> candidates;  // distinct strings, in the order of lists and ranks
  size_t chosen = 0;                           // greatest gain; then greatest probability; then first

  const ConsensusCandidate& best() const { return candidates[chosen]; }
};

// Empty lists are left out. Throws Error if nothing is left, for options that cannot be, for scores that are not finite
// and for strings of more than 65,535 tokens; Stopped as `stop` says.
Consensus FindConsensus(const std::vector<ScoredList>& lists, const ConsensusOptions& options,
                        const StopCheck& stop = {});

}  // namespace graft::engine
