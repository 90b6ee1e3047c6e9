// From one iteration's weights to the next: the paper's step, and one that is stable.
//
// Batch MIRA to the letter learns from the n-best lists of one or two weight vectors what those lists cannot tell. On
// Europarl with newstest2011, whose first lists are all too short, it makes words so cheap (and the language model so
// weak) that the next translations are twice to five times too long: dev BLEU 10.5, then 4.2 or 0.3. The lists of these
// failures teach it better and it comes back, but a development set is decoded several times in vain, and other
// implementations never came back. StableStep differs from PaperStep in this:
//
// 1. Scale. MIRA asks that better translations win by a margin in units of BLEU times words, while a model's ranking
//    does not depend on the scale of its weights. Weights that are too small (defaults, or weights that sum to 1) miss
//    every margin and are overrun by the first updates; weights that are too large never move. So MIRA starts from
//    the multiple of the weights that fits the margins of the pool best (FitScale), and what it returns is normalised
//    to sum 1, so that pruning thresholds and the fixed weight of unknown words mean the same at every iteration.
// 2. Damping. After k decodings the step goes only k/(k+1) of the way: the fewer lists, the less they are believed.
// 3. Trials. New weights first decode a sample of the development set. When they fall more than kDrop below what the
//    best weights so far gave on the same sentences, the sample's lists, which show what went wrong, join the pool,
//    MIRA runs again and the step is half as long: kTrials times at most.
// 4. Backtracking. When a whole decoding falls nevertheless, its lists are kept, and the next step starts from the best
//    weights, half as long.
// 5. Early stop after kPatience decodings without a gain of kGain. (PaperStep stops only when no weight moves.)
//
// Hope, fear, margin, background, averaging and the choice of the best epoch are the paper's (tune/mira.h).
#pragma once

#include <functional>
#include <string>

#include "model/features.h"
#include "tune/candidate_pool.h"
#include "tune/mira.h"
#include "tune/tune.h"
#include "util/random.h"

namespace graft::engine {

inline constexpr double kStill = 1e-5;  // tuning ends when no weight moves more
inline constexpr double kDrop = 0.5;    // of BLEU
inline constexpr int kTrials = 4;
inline constexpr int kPatience = 5;
inline constexpr double kGain = 0.05;

struct WeightStep {
  FeatureVector weights{};
  std::string stopped;  // why there is no step, for people; empty: there is
};

// How much better, in BLEU, weights decode a sample of the development set than the best weights so far (worse:
// negative). Their n-best lists join the pool.
using Trial = std::function<double(const FeatureVector&)>;

// Both read the iterations done so far (at least one, with `run`'s best among them) and the pool of their lists, and
// throw Stopped as `stop` says.
WeightStep PaperStep(const TuneRun& run, const CandidatePool& pool, const TunedFeatures& tuned, SplitMix* random,
                     const StopCheck& stop = {});
WeightStep StableStep(const TuneRun& run, const Trial& trial, CandidatePool* pool, const TunedFeatures& tuned,
                      SplitMix* random, const StopCheck& stop = {});

// Throws Error for weights that cannot rank anything: all zero, not finite, or beyond what a model may hold.
void CheckWeights(const FeatureVector& weights, const TunedFeatures& tuned);

}  // namespace graft::engine
