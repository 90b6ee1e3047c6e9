// Batch MIRA on pooled n-best lists: the inner loop of tuning.
#pragma once

#include <array>
#include <cstdint>

#include "model/features.h"
#include "tune/candidate_pool.h"
#include "util/random.h"
#include "util/stop_check.h"

namespace graft::engine {

// Weights while they are being learnt.
using Weights = std::array<double, kFeatures>;

// Which features MIRA may move.
using TunedFeatures = std::array<bool, kFeatures>;
TunedFeatures TunedFeaturesOf(const SystemSpec& system);

struct MiraOptions {
  int epochs = 60;
  double c = 0.01;       // largest step
  double decay = 0.999;  // of the background BLEU statistics, each sentence
  StopCheck stop = {};   // asked at every sentence
};

struct MiraResult {
  Weights weights{};  // the average, after the epoch at which it scores best on the pool
  double bleu = 0;    // of the 1-best under them on the pool, unsmoothed
};

// Every sentence of the pool needs at least one candidate.
MiraResult RunMira(const CandidatePool& pool, const Weights& start, const TunedFeatures& tuned,
                   const MiraOptions& options, SplitMix* random);

// The factor that makes the margins of `weights` fit the pool: that of the least sum, over sentences, of how much the
// best translation by B falls short of beating each other one by their difference of B. (Convex in the factor; searched
// among powers of 1.25.) Throws Stopped as `stop` says.
double FitScale(const CandidatePool& pool, const Weights& weights, const StopCheck& stop = {});

// Corpus statistics of the best candidates under `weights` (tie: the first).
BleuStatistics BestOfPool(const CandidatePool& pool, const Weights& weights);

}  // namespace graft::engine
