#include "tune/mira.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace graft::engine {
namespace {

// BLEU's statistics as sums that decay.
struct Background {
  std::array<double, kBleuOrder> match;
  std::array<double, kBleuOrder> total;
  double reference_length;
};

struct HopeAndFear {
  size_t hope = 0;
  size_t fear = 0;
  double hope_gain = 0;  // B(hope)
  double fear_gain = 0;
};

class Mira {
 public:
  Mira(const CandidatePool& pool, const Weights& start, const TunedFeatures& tuned, const MiraOptions& options)
      : pool_(pool), tuned_(tuned), options_(options), weights_(start), sum_(start) {
    background_.match.fill(1);
    background_.total.fill(1);
    background_.reference_length = 1;
  }

  void Visit(size_t sentence);

  Weights Average() const {
    Weights average = weights_;
    for (size_t f = 0; f < kFeatures; ++f)
      if (tuned_[f]) average[f] = sum_[f] / static_cast<double>(summed_);
    return average;
  }

 private:
  HopeAndFear Choose(const PooledSentence& sentence);
  void Update(const PooledSentence& sentence, const HopeAndFear& chosen);

  const CandidatePool& pool_;
  const TunedFeatures& tuned_;
  const MiraOptions& options_;
  Weights weights_;
  Weights sum_;  // of the weights after every update, and of the start
  uint64_t summed_ = 1;
  Background background_{};
  std::vector<double> score_;
  std::vector<double> gain_;
};

void Score(const PooledSentence& sentence, const Weights& weights, std::vector<double>* score) {
  const size_t count = sentence.size();
  score->assign(count, 0.0);
  double* out = score->data();
  for (int f = 0; f < kFeatures; ++f) {
    const double weight = weights[f];
    const float* values = sentence.feature(f).data();
    for (size_t k = 0; k < count; ++k) out[k] += weight * static_cast<double>(values[k]);
  }
}

// B of every candidate: BLEU of its statistics on the background, times their reference length. The background starts
// from ones, so no count is 0.
void Gains(const PooledSentence& sentence, const Background& bg, std::vector<double>* gain) {
  const size_t count = sentence.size();
  gain->resize(count);
  double* out = gain->data();
  const float* match[kBleuOrder];
  for (int n = 0; n < kBleuOrder; ++n) match[n] = sentence.match(n).data();
  const float* length = sentence.length().data();
  const float* reference = sentence.reference_length().data();
  for (size_t k = 0; k < count; ++k) {
    double precision = 1;
    for (int n = 0; n < kBleuOrder; ++n) {
      const float total = length[k] - static_cast<float>(n);
      precision *= (static_cast<double>(match[n][k]) + bg.match[n]) /
                   (static_cast<double>(total > 0 ? total : 0.0f) + bg.total[n]);
    }
    out[k] = std::sqrt(std::sqrt(precision)) * (static_cast<double>(reference[k]) + bg.reference_length);
  }
  for (size_t k = 0; k < count; ++k) {
    const double words = static_cast<double>(length[k]) + bg.total[0];
    const double wanted = static_cast<double>(reference[k]) + bg.reference_length;
    if (words < wanted) out[k] *= std::exp(1 - wanted / words);
  }
}

HopeAndFear Mira::Choose(const PooledSentence& sentence) {
  Score(sentence, weights_, &score_);
  Gains(sentence, background_, &gain_);
  HopeAndFear chosen;
  double best_hope = score_[0] + gain_[0];
  double best_fear = score_[0] - gain_[0];
  for (size_t k = 1; k < sentence.size(); ++k) {
    if (score_[k] + gain_[k] > best_hope) {
      best_hope = score_[k] + gain_[k];
      chosen.hope = k;
    }
    if (score_[k] - gain_[k] > best_fear) {
      best_fear = score_[k] - gain_[k];
      chosen.fear = k;
    }
  }
  chosen.hope_gain = gain_[chosen.hope];
  chosen.fear_gain = gain_[chosen.fear];
  return chosen;
}

void Mira::Update(const PooledSentence& sentence, const HopeAndFear& chosen) {
  Weights difference{};
  double norm = 0;
  for (int f = 0; f < kFeatures; ++f) {
    if (!tuned_[f]) continue;
    difference[f] =
        static_cast<double>(sentence.feature(f)[chosen.hope]) - static_cast<double>(sentence.feature(f)[chosen.fear]);
    norm += difference[f] * difference[f];
  }
  const double loss = (chosen.hope_gain - chosen.fear_gain) - (score_[chosen.hope] - score_[chosen.fear]);
  if (loss <= 0) return;
  const double step = std::min(options_.c, loss / norm);  // C when they differ in features that stay
  for (size_t f = 0; f < kFeatures; ++f) weights_[f] += step * difference[f];
  for (size_t f = 0; f < kFeatures; ++f) sum_[f] += weights_[f];
  ++summed_;
}

void Mira::Visit(size_t index) {
  const PooledSentence& sentence = pool_[index];
  const HopeAndFear chosen = Choose(sentence);
  if (chosen.hope == chosen.fear || chosen.hope_gain <= chosen.fear_gain) return;
  Update(sentence, chosen);
  const size_t hope = chosen.hope;
  for (int n = 0; n < kBleuOrder; ++n) {
    const double total = std::max(0.0, static_cast<double>(sentence.length()[hope]) - n);
    background_.match[n] = options_.decay * background_.match[n] + static_cast<double>(sentence.match(n)[hope]);
    background_.total[n] = options_.decay * background_.total[n] + total;
  }
  background_.reference_length =
      options_.decay * background_.reference_length + static_cast<double>(sentence.reference_length()[hope]);
}

}  // namespace

TunedFeatures TunedFeaturesOf(const SystemSpec& system) {
  TunedFeatures tuned{};
  for (int f = 0; f < kFeatures; ++f) tuned[f] = f != kUnknownWord && HasFeature(system, static_cast<Feature>(f));
  return tuned;
}

BleuStatistics BestOfPool(const CandidatePool& pool, const Weights& weights) {
  BleuStatistics sum;
  std::vector<double> score;
  for (size_t i = 0; i < pool.sentences(); ++i) {
    Score(pool[i], weights, &score);
    sum += pool[i].Statistics(static_cast<size_t>(std::max_element(score.begin(), score.end()) - score.begin()));
  }
  return sum;
}

double FitScale(const CandidatePool& pool, const Weights& weights, const StopCheck& stop) {
  const BleuStatistics best = BestOfPool(pool, weights);
  Background background{};
  for (int n = 0; n < kBleuOrder; ++n) {
    background.match[n] = static_cast<double>(best.match[n]) + 1;
    background.total[n] = static_cast<double>(best.total[n]) + 1;
  }
  background.reference_length = static_cast<double>(best.reference_length) + 1;

  constexpr int kFactors = 41;  // 1.25^-10 … 1.25^30
  std::array<double, kFactors> factor{};
  for (int i = 0; i < kFactors; ++i) factor[i] = std::pow(1.25, i - 10);
  std::array<double, kFactors> shortfall{};
  std::vector<double> score;
  std::vector<double> gain;
  for (size_t s = 0; s < pool.sentences(); ++s) {
    stop.Poll();
    Score(pool[s], weights, &score);
    Gains(pool[s], background, &gain);
    const auto right = static_cast<size_t>(std::max_element(gain.begin(), gain.end()) - gain.begin());
    for (int i = 0; i < kFactors; ++i) {
      double largest = 0;
      for (size_t k = 0; k < score.size(); ++k)
        largest = std::max(largest, (gain[right] - gain[k]) - factor[i] * (score[right] - score[k]));
      shortfall[i] += largest;
    }
  }
  return factor[static_cast<size_t>(std::min_element(shortfall.begin(), shortfall.end()) - shortfall.begin())];
}

MiraResult RunMira(const CandidatePool& pool, const Weights& start, const TunedFeatures& tuned,
                   const MiraOptions& options, SplitMix* random) {
  std::vector<size_t> order(pool.sentences());
  std::iota(order.begin(), order.end(), size_t{0});
  Mira mira(pool, start, tuned, options);
  MiraResult best{.weights = start, .bleu = -1};
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    Shuffle(&order, random);
    for (const size_t sentence : order) {
      options.stop.Poll();
      mira.Visit(sentence);
    }
    const Weights average = mira.Average();
    const double bleu = Bleu(BestOfPool(pool, average), BleuSmoothing::kNone);
    if (bleu > best.bleu) best = {average, bleu};
  }
  return best;
}

}  // namespace graft::engine
