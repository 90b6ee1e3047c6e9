// From one iteration's weights to the next: the paper's step, and one that is stable.
//
// Batch MIRA to the letter learns from the n-best lists of one or two weight vectors what those lists cannot tell. On
// Europarl with newstest2011, whose first lists are all too short, it makes words so cheap (and the language model so
// weak) that the next translations are twice to five times too long: dev BLEU 10.5, then 4.2 or 0.3. The lists of these
// failures teach it better and it comes back, but a development set is decoded several times in vain, and other
// implementations never came back. StableStep differs from PaperStep in this:
//
// 1. Scale. MIRA asks that better translations win by a margin in units of BLEU times words, while a model's ranking
//    does not depend on the scale of its weights. Small weights (defaults, or weights normalised to sum 1) miss every
//    margin and are overrun by the first updates: the start counts for nothing. Here MIRA starts from weights whose
//    absolute values sum to kMiraScale, and is bounded by C in their proportion; what it returns is normalised to sum
//    1, so that pruning thresholds and the fixed weight of unknown words mean the same at every iteration.
// 2. Damping. After k decodings the step goes only k/(k+1) of the way: the fewer lists, the less they are believed.
// 3. Backtracking. When a decoding falls more than kDrop below the best so far, its lists are kept, MIRA starts again
//    from the best weights, and each such fall halves the steps from then on.
// 4. Early stop after kPatience decodings without a gain of kGain. (PaperStep stops only when no weight moves.)
//
// Hope, fear, margin, background, averaging and the choice of the best epoch are the paper's (tune/mira.h).
#pragma once

#include <string>

#include "search/features.h"
#include "tune/candidate_pool.h"
#include "tune/mira.h"
#include "tune/random.h"
#include "tune/tune.h"

namespace graft {

inline constexpr double kStill = 1e-5;  // tuning ends when no weight moves more
inline constexpr double kMiraScale = 20;
inline constexpr double kDrop = 0.5;
inline constexpr int kPatience = 5;
inline constexpr double kGain = 0.01;

struct WeightStep {
  FeatureVector weights{};
  std::string stopped;  // why there is no step, for people; empty: there is
};

// Both read the iterations done so far (at least one, with `run`'s best among them) and the pool of their lists.
WeightStep PaperStep(const TuneRun& run, const CandidatePool& pool, const TunedFeatures& tuned, SplitMix* random);
WeightStep StableStep(const TuneRun& run, const CandidatePool& pool, const TunedFeatures& tuned, SplitMix* random);

// Throws Error for weights that cannot rank anything: all zero, not finite, or beyond what a model may hold.
void CheckWeights(const FeatureVector& weights, const TunedFeatures& tuned);

}  // namespace graft
