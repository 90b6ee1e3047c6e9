// Batch MIRA written a second time, from its published description and with none of the code under test but the random
// order: plain loops over plain lists, BLEU by logarithms.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "util/random.h"

namespace graft::engine::fixtures {

struct NaiveCandidate {
  std::vector<double> features;
  std::vector<double> statistics;  // match 1, total 1, …, match 4, total 4, reference length
};
using NaiveSentence = std::vector<NaiveCandidate>;

inline double NaiveBleu(const std::vector<double>& statistics) {
  double log_bleu = 0;
  for (size_t n = 0; n < 4; ++n) {
    if (statistics[2 * n] == 0 || statistics[2 * n + 1] == 0) return 0;
    log_bleu += 0.25 * std::log(statistics[2 * n] / statistics[2 * n + 1]);
  }
  return std::exp(log_bleu + std::min(0.0, 1 - statistics[8] / statistics[1]));
}

inline double NaiveDot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

struct NaiveMira {
  double c = 0.01;
  double decay = 0.999;
  int epochs = 60;
  std::vector<bool> frozen;  // features that never move

  std::vector<double> Run(const std::vector<NaiveSentence>& pool, const std::vector<double>& start,
                          SplitMix* random) const {
    std::vector<double> w = start;
    std::vector<std::vector<double>> history = {start};
    std::vector<double> background(9, 1.0);
    std::vector<double> best = start;
    double best_bleu = -1;
    std::vector<size_t> order(pool.size());
    std::iota(order.begin(), order.end(), size_t{0});
    for (int epoch = 0; epoch < epochs; ++epoch) {
      Shuffle(&order, random);
      for (const size_t s : order) {
        if (Step(pool[s], &w, &background)) history.push_back(w);
      }
      std::vector<double> average(start.size(), 0.0);
      for (const auto& one : history)
        for (size_t f = 0; f < average.size(); ++f) average[f] += one[f] / static_cast<double>(history.size());
      const double bleu = PoolBleu(pool, average);
      if (bleu > best_bleu) {
        best_bleu = bleu;
        best = average;
      }
    }
    return best;
  }

  static double PoolBleu(const std::vector<NaiveSentence>& pool, const std::vector<double>& w) {
    std::vector<double> sum(9, 0.0);
    for (const NaiveSentence& sentence : pool) {
      size_t best = 0;
      for (size_t k = 0; k < sentence.size(); ++k)
        if (NaiveDot(w, sentence[k].features) > NaiveDot(w, sentence[best].features)) best = k;
      for (size_t i = 0; i < 9; ++i) sum[i] += sentence[best].statistics[i];
    }
    return NaiveBleu(sum);
  }

 private:
  static double B(const NaiveCandidate& candidate, const std::vector<double>& background) {
    std::vector<double> sum = background;
    for (size_t i = 0; i < 9; ++i) sum[i] += candidate.statistics[i];
    return NaiveBleu(sum) * sum[8];
  }

  // True if the weights moved.
  bool Step(const NaiveSentence& sentence, std::vector<double>* w, std::vector<double>* background) const {
    size_t hope = 0;
    size_t fear = 0;
    for (size_t k = 1; k < sentence.size(); ++k) {
      auto value = [&](size_t i, double sign) {
        return NaiveDot(*w, sentence[i].features) + sign * B(sentence[i], *background);
      };
      if (value(k, 1) > value(hope, 1)) hope = k;
      if (value(k, -1) > value(fear, -1)) fear = k;
    }
    const double gain = B(sentence[hope], *background) - B(sentence[fear], *background);
    if (hope == fear || gain <= 0) return false;
    std::vector<double> difference;
    for (size_t f = 0; f < w->size(); ++f)
      difference.push_back(sentence[hope].features[f] - sentence[fear].features[f]);
    const double loss = gain - NaiveDot(*w, difference);
    if (!frozen.empty())
      for (size_t f = 0; f < w->size(); ++f)
        if (frozen[f]) difference[f] = 0;
    const bool moves = loss > 0;
    if (moves) {
      const double eta = std::min(c, loss / NaiveDot(difference, difference));
      for (size_t f = 0; f < w->size(); ++f) (*w)[f] += eta * difference[f];
    }
    for (size_t i = 0; i < 9; ++i) (*background)[i] = decay * (*background)[i] + sentence[hope].statistics[i];
    return moves;
  }
};

}  // namespace graft::engine::fixtures
