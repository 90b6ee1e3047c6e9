// Forward-backward in one pass over positions instead of states: the word states and the empty-word state of a position
// have the same future, so that mass_[p], the sum of the two, is all the next step needs. The jump weights are a
// Toeplitz matrix; written as sums of shifted rows, the three inner loops run over contiguous memory.
#include "align/hmm.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace graft::engine {

namespace {

constexpr int kJumps = 2 * kJumpRange + 1;
constexpr int kOwnWeight = 8;           // jumps up to this far have their own weight
constexpr double kUniformShare = 0.02;  // of the probability, spread over all jumps: no jump is impossible

}  // namespace

JumpDistribution::JumpDistribution() : weights_(kJumps), reversed_(kJumps), cumulative_(kJumps + 1) {
  for (int jump = -kJumpRange; jump <= kJumpRange; ++jump)
    weights_[kJumpRange + jump] = static_cast<float>(std::exp(-0.5 * std::min(std::abs(jump - 1), 12)));
  Finish();
}

void JumpDistribution::Estimate(std::span<const double> counts) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  if (total <= 0) return;
  // The tails are geometric, with the mean that was observed: single counts are too few out there, and equal weights
  // would favour the far end.
  for (int sign : {-1, 1}) {
    double mass = 0;
    double moment = 0;
    for (int far = kOwnWeight + 1; far <= kJumpRange; ++far) {
      const double count = counts[kJumpRange + sign * far];
      mass += count;
      moment += count * (far - kOwnWeight);
    }
    const double mean = (moment + 4.0) / (mass + 1.0);
    const double stay = 1 - 1 / std::max(mean, 1.5);
    for (int far = kOwnWeight + 1; far <= kJumpRange; ++far)
      weights_[kJumpRange + sign * far] =
          static_cast<float>(mass / total * (1 - stay) * std::pow(stay, far - kOwnWeight - 1));
  }
  for (int jump = -kOwnWeight; jump <= kOwnWeight; ++jump)
    weights_[kJumpRange + jump] = static_cast<float>(counts[kJumpRange + jump] / total);
  for (float& weight : weights_) weight = static_cast<float>((1 - kUniformShare) * weight + kUniformShare / 50);
  Finish();
}

void JumpDistribution::Finish() {
  for (int k = 0; k < kJumps; ++k) {
    reversed_[k] = weights_[kJumps - 1 - k];
    cumulative_[k + 1] = cumulative_[k] + static_cast<double>(weights_[k]);
  }
}

float JumpDistribution::inverse_sum(int from, int states) const {
  const int first = kJumpRange - from;  // jump to state 0
  return static_cast<float>(1 / (cumulative_[first + states] - cumulative_[first]));
}

double Model1Posteriors(const Emissions& emissions, float null, Posteriors* posteriors) {
  const int states = emissions.states;
  posteriors->words.resize(static_cast<size_t>(states) * emissions.length);
  posteriors->null.resize(emissions.length);
  const float choice = (1 - null) / static_cast<float>(states);
  double log_likelihood = 0;
  for (int j = 0; j < emissions.length; ++j) {
    const float* row = emissions.words + static_cast<size_t>(j) * states;
    float* out = posteriors->words.data() + static_cast<size_t>(j) * states;
    const float from_null = null * emissions.null[j];
    float sum = from_null;
    for (int i = 0; i < states; ++i) sum += choice * row[i];
    const float scale = choice / sum;
    for (int i = 0; i < states; ++i) out[i] = row[i] * scale;
    posteriors->null[j] = from_null / sum;
    log_likelihood += std::log(static_cast<double>(sum));
  }
  return log_likelihood;
}

void Hmm::Prepare(const Emissions& emissions, const HmmParameters& parameters) {
  const int positions = emissions.states + 1;
  inverse_.resize(positions);
  for (int p = 0; p < positions; ++p)
    inverse_[p] = (1 - parameters.null) * parameters.jumps.inverse_sum(p - 1, emissions.states);
  next_.resize(positions);
  beta_.resize(positions);
  scaled_.resize(positions);
  scale_.resize(emissions.length);
  alpha_.resize(static_cast<size_t>(emissions.length) * positions);
  mass_.resize(static_cast<size_t>(emissions.length + 1) * positions);
  std::fill_n(mass_.begin(), positions, 0.0f);
  mass_[0] = 1;
}

double Hmm::Forward(const Emissions& emissions, const HmmParameters& parameters, int j) {
  const int states = emissions.states;
  const int positions = states + 1;
  const float* weights = parameters.jumps.middle();
  const float* mass = Row(mass_, j);
  float* next_mass = Row(mass_, j + 1);
  float* alpha = Row(alpha_, j);
  std::fill_n(alpha, positions, 0.0f);
  for (int p = 0; p < positions; ++p) {
    const float from = mass[p] * inverse_[p];
    const float* shifted = weights + 1 - p;
    for (int i = 0; i < states; ++i) alpha[i + 1] += from * shifted[i];
  }
  const float* emission = emissions.words + static_cast<size_t>(j) * states;
  const float from_null = parameters.null * emissions.null[j];
  for (int i = 0; i < states; ++i) alpha[i + 1] *= emission[i];
  float sum = 0;
  for (int p = 0; p < positions; ++p) {
    next_mass[p] = alpha[p] + from_null * mass[p];
    sum += next_mass[p];
  }
  const float inverse = 1 / sum;
  for (int p = 0; p < positions; ++p) {
    alpha[p] *= inverse;
    next_mass[p] *= inverse;
  }
  scale_[j] = inverse;
  return std::log(static_cast<double>(sum));
}

void Hmm::AddJumps(int j) {
  const int positions = static_cast<int>(inverse_.size());
  const float* mass = Row(mass_, j);
  const float* scaled = scaled_.data();
  for (int p = 0; p < positions; ++p) {
    const float from = mass[p] * inverse_[p];
    float* counts = jump_.data() + positions + 1 - p;
    for (int i = 0; i < positions - 1; ++i) counts[i] += from * scaled[i];
  }
}

void Hmm::Backward(const Emissions& emissions, const HmmParameters& parameters, int j) {
  const int positions = emissions.states + 1;
  const float* reversed = parameters.jumps.reversed_middle();
  std::fill(next_.begin(), next_.end(), 0.0f);
  float* next = next_.data();
  for (int i = 0; i < emissions.states; ++i) {
    const float* shifted = reversed - (i + 1);  // [p] is the weight of the jump from p to i + 1
    const float scaled = scaled_[i];
    for (int p = 0; p < positions; ++p) next[p] += scaled * shifted[p];
  }
  const float from_null = parameters.null * emissions.null[j] * scale_[j];
  for (int p = 0; p < positions; ++p) beta_[p] = next[p] * inverse_[p] + from_null * beta_[p];
}

double Hmm::Run(const Emissions& emissions, const HmmParameters& parameters, Posteriors* posteriors,
                double* jump_counts) {
  Prepare(emissions, parameters);
  const int states = emissions.states;
  const int positions = states + 1;
  double log_likelihood = 0;
  for (int j = 0; j < emissions.length; ++j) log_likelihood += Forward(emissions, parameters, j);

  posteriors->words.resize(static_cast<size_t>(states) * emissions.length);
  posteriors->null.resize(emissions.length);
  jump_.assign(2 * static_cast<size_t>(positions) + 1, 0.0f);
  std::fill(beta_.begin(), beta_.end(), 1.0f);
  for (int j = emissions.length - 1; j >= 0; --j) {
    const float* next_mass = Row(mass_, j + 1);
    const float* alpha = Row(alpha_, j);
    const float* emission = emissions.words + static_cast<size_t>(j) * states;
    float* out = posteriors->words.data() + static_cast<size_t>(j) * states;
    float null = 0;
    for (int p = 0; p < positions; ++p) null += (next_mass[p] - alpha[p]) * beta_[p];
    posteriors->null[j] = null;
    for (int i = 0; i < states; ++i) out[i] = alpha[i + 1] * beta_[i + 1];
    for (int i = 0; i < states; ++i) scaled_[i] = emission[i] * beta_[i + 1] * scale_[j];
    if (jump_counts != nullptr) AddJumps(j);
    Backward(emissions, parameters, j);
  }
  if (jump_counts != nullptr)
    for (int jump = -states; jump <= states; ++jump)
      jump_counts[kJumpRange + jump] += static_cast<double>(jump_[positions + jump]) * parameters.jumps.weight(jump);
  return log_likelihood;
}

}  // namespace graft::engine
