#include "align/trainer.h"

#include <algorithm>
#include <cmath>

#include "text/parallel_for.h"

namespace graft {

namespace {

constexpr uint64_t kChunkCells = 2'000'000;
constexpr size_t kTaskPairs = 64;
constexpr size_t kRowParts = 16;
constexpr int kJumps = 2 * kJumpRange + 1;

}  // namespace

struct AlignmentTrainer::Chunk {
  size_t first = 0;
  size_t end = 0;
  uint64_t cell_base = 0;
  std::vector<uint32_t> cells;
  std::vector<LexiconMatrix::Both> posteriors;
  std::vector<float> null[2];
};

AlignmentTrainer::AlignmentTrainer(const Bitext& bitext, const TrainingOptions& options)
    : bitext_(bitext),
      options_(options),
      lexicon_(bitext, options.threads, options.memory_bytes),
      workers_(std::max(options.threads, 1)) {
  for (HmmParameters& parameters : parameters_) parameters.null = options.null;
  cell_starts_.assign(bitext.pairs() + 1, 0);
  for (size_t pair = 0; pair < bitext.pairs(); ++pair)
    cell_starts_[pair + 1] = cell_starts_[pair] + static_cast<uint64_t>(bitext.source.length(pair)) *
                                                      static_cast<uint64_t>(bitext.target.length(pair));
}

Emissions AlignmentTrainer::Fill(size_t pair, Direction direction, const uint32_t* cells, Worker* worker) {
  const int sources = bitext_.source.length(pair);
  const int targets = bitext_.target.length(pair);
  std::vector<float>& words = worker->emissions[direction];
  words.resize(static_cast<size_t>(sources) * targets);
  std::vector<float>& null = worker->null[direction];
  const auto generated = direction == kFromSource ? bitext_.target.sentence(pair) : bitext_.source.sentence(pair);
  null.resize(generated.size());
  for (size_t j = 0; j < generated.size(); ++j) null[j] = lexicon_.null_probability(direction, generated[j]);
  if (direction == kFromTarget) {
    for (size_t k = 0; k < words.size(); ++k) words[k] = lexicon_.probabilities(cells[k])[kFromTarget];
    return {targets, sources, words.data(), null.data()};
  }
  for (int i = 0; i < sources; ++i)
    for (int j = 0; j < targets; ++j)
      words[static_cast<size_t>(j) * sources + i] =
          lexicon_.probabilities(cells[static_cast<size_t>(i) * targets + j])[kFromSource];
  return {sources, targets, words.data(), null.data()};
}

void AlignmentTrainer::Expect(size_t pair, bool hmm, Chunk* chunk, Worker* worker, double* jumps,
                              double* log_likelihood) {
  const int sources = bitext_.source.length(pair);
  const int targets = bitext_.target.length(pair);
  if (sources == 0) return;
  uint32_t* cells = chunk->cells.data() + (cell_starts_[pair] - chunk->cell_base);
  lexicon_.Find(bitext_.source.sentence(pair), bitext_.target.sentence(pair), cells);
  for (Direction direction : {kFromSource, kFromTarget}) {
    const Emissions emissions = Fill(pair, direction, cells, worker);
    Posteriors* posteriors = &worker->posteriors[direction];
    log_likelihood[direction] +=
        hmm ? worker->hmm.Run(emissions, parameters_[direction], posteriors, jumps + direction * kJumps)
            : Model1Posteriors(emissions, options_.null, posteriors);
    const BitextSide& generated = direction == kFromSource ? bitext_.target : bitext_.source;
    std::copy(posteriors->null.begin(), posteriors->null.end(),
              chunk->null[direction].begin() +
                  static_cast<ptrdiff_t>(generated.starts[pair] - generated.starts[chunk->first]));
  }
  LexiconMatrix::Both* out = chunk->posteriors.data() + (cell_starts_[pair] - chunk->cell_base);
  const float* from_source = worker->posteriors[kFromSource].words.data();
  const float* from_target = worker->posteriors[kFromTarget].words.data();
  for (int i = 0; i < sources; ++i) {
    for (int j = 0; j < targets; ++j) {
      const float a = from_source[static_cast<size_t>(j) * sources + i];
      const float b = from_target[static_cast<size_t>(i) * targets + j];
      LexiconMatrix::Both& both = out[static_cast<size_t>(i) * targets + j];
      switch (hmm ? options_.agreement : 0) {
        case 0: both = {a, b}; break;
        case 1: both = {a * b, a * b}; break;
        case 2: both = {std::sqrt(a * b), std::sqrt(a * b)}; break;
        case 3: both = {0.5f * (a + b), 0.5f * (a + b)}; break;
        case 4: both = {0.5f * (a + a * b), 0.5f * (b + a * b)}; break;
      }
    }
  }
}

void AlignmentTrainer::Collect(const Chunk& chunk) {
  ParallelFor(options_.threads, kRowParts + 2, [&](size_t part, int) {
    if (part < 2) {
      const auto direction = static_cast<Direction>(part);
      const BitextSide& generated = direction == kFromSource ? bitext_.target : bitext_.source;
      double* counts = lexicon_.null_counts(direction);
      const uint32_t* words = generated.words.data() + generated.starts[chunk.first];
      const uint64_t size = generated.starts[chunk.end] - generated.starts[chunk.first];
      for (uint64_t k = 0; k < size; ++k) counts[words[k]] += static_cast<double>(chunk.null[direction][k]);
      return;
    }
    for (size_t pair = chunk.first; pair < chunk.end; ++pair) {
      const int targets = bitext_.target.length(pair);
      uint64_t cell = cell_starts_[pair] - chunk.cell_base;
      for (uint32_t word : bitext_.source.sentence(pair)) {
        if (word % kRowParts == part - 2) {
          for (int j = 0; j < targets; ++j) {
            LexiconMatrix::Both& counts = lexicon_.counts(chunk.cells[cell + j]);
            counts[0] += chunk.posteriors[cell + j][0];
            counts[1] += chunk.posteriors[cell + j][1];
          }
        }
        cell += targets;
      }
    }
  });
}

std::array<double, 2> AlignmentTrainer::Iterate(bool hmm, const std::function<void(uint64_t)>& progress) {
  std::array<double, 2> log_likelihood = {0, 0};
  std::vector<double> jumps(2 * kJumps, 0.0);
  Chunk chunk;
  while (chunk.end < bitext_.pairs()) {
    chunk.first = chunk.end;
    chunk.cell_base = cell_starts_[chunk.first];
    do ++chunk.end;
    while (chunk.end < bitext_.pairs() && cell_starts_[chunk.end + 1] - chunk.cell_base <= kChunkCells);
    const uint64_t cells = cell_starts_[chunk.end] - chunk.cell_base;
    chunk.cells.resize(cells);
    chunk.posteriors.resize(cells);
    chunk.null[kFromSource].resize(bitext_.target.starts[chunk.end] - bitext_.target.starts[chunk.first]);
    chunk.null[kFromTarget].resize(bitext_.source.starts[chunk.end] - bitext_.source.starts[chunk.first]);
    const size_t tasks = (chunk.end - chunk.first + kTaskPairs - 1) / kTaskPairs;
    constexpr size_t kSums = 2 * kJumps + 2;
    std::vector<double> sums(tasks * kSums, 0.0);
    ParallelFor(options_.threads, tasks, [&](size_t task, int worker) {
      const size_t first = chunk.first + task * kTaskPairs;
      double* own = sums.data() + task * kSums;
      for (size_t pair = first; pair < std::min(first + kTaskPairs, chunk.end); ++pair)
        Expect(pair, hmm, &chunk, &workers_[worker], own, own + 2 * kJumps);
    });
    for (size_t task = 0; task < tasks; ++task) {
      for (int k = 0; k < 2 * kJumps; ++k) jumps[k] += sums[task * kSums + k];
      for (int k = 0; k < 2; ++k) log_likelihood[k] += sums[task * kSums + 2 * kJumps + k];
    }
    Collect(chunk);
    progress(chunk.end);
  }
  lexicon_.Estimate(options_.prior, options_.threads);
  if (hmm && options_.learn_jumps)
    for (int direction : {0, 1})
      parameters_[direction].jumps.Estimate({jumps.data() + direction * kJumps, static_cast<size_t>(kJumps)});
  return log_likelihood;
}

void AlignmentTrainer::Prune() { lexicon_.Prune(options_.prune); }

void AlignmentTrainer::Decode(size_t first, size_t end, std::vector<Aligned>* out) {
  out->resize(end - first);
  const size_t tasks = (end - first + kTaskPairs - 1) / kTaskPairs;
  ParallelFor(options_.threads, tasks, [&](size_t task, int number) {
    Worker* worker = &workers_[number];
    const size_t begin = first + task * kTaskPairs;
    for (size_t pair = begin; pair < std::min(begin + kTaskPairs, end); ++pair) {
      Aligned& aligned = (*out)[pair - first];
      aligned.source_choice.clear();
      aligned.target_choice.clear();
      const int sources = bitext_.source.length(pair);
      const int targets = bitext_.target.length(pair);
      if (sources == 0) continue;
      worker->cells.resize(static_cast<size_t>(sources) * targets);
      lexicon_.Find(bitext_.source.sentence(pair), bitext_.target.sentence(pair), worker->cells.data());
      for (Direction direction : {kFromSource, kFromTarget}) {
        const Emissions emissions = Fill(pair, direction, worker->cells.data(), worker);
        DirectionalAlignment* best = direction == kFromSource ? &aligned.target_choice : &aligned.source_choice;
        if (options_.decode == 0) {
          worker->hmm.Viterbi(emissions, parameters_[direction], best);
          continue;
        }
        Posteriors& posteriors = worker->posteriors[direction];
        worker->hmm.Run(emissions, parameters_[direction], &posteriors, nullptr);
      }
      if (options_.decode >= 1) {
        const float* fs = worker->posteriors[kFromSource].words.data();
        const float* ft = worker->posteriors[kFromTarget].words.data();
        aligned.target_choice.assign(targets, kUnaligned);
        aligned.source_choice.assign(sources, kUnaligned);
        const float mix = options_.decode == 2 ? 0.5f : 0.0f;
        for (int j = 0; j < targets; ++j) {
          float best = worker->posteriors[kFromSource].null[j];
          if (options_.decode == 2) best = best * 0.5f;
          for (int i = 0; i < sources; ++i) {
            const float v = fs[j * sources + i] * (1 - mix) + mix * ft[i * targets + j];
            if (v > best) {
              best = v;
              aligned.target_choice[j] = static_cast<int16_t>(i);
            }
          }
        }
        for (int i = 0; i < sources; ++i) {
          float best = worker->posteriors[kFromTarget].null[i];
          if (options_.decode == 2) best = best * 0.5f;
          for (int j = 0; j < targets; ++j) {
            const float v = ft[i * targets + j] * (1 - mix) + mix * fs[j * sources + i];
            if (v > best) {
              best = v;
              aligned.source_choice[i] = static_cast<int16_t>(j);
            }
          }
        }
      }
    }
  });
}

}  // namespace graft
