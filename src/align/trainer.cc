// Expectation: chunks of the corpus, first all posteriors of a chunk (parallel by sentence), then their sums (parallel
// by source word, each word's cells in the order of the corpus). So no two threads write to one count, there is one
// copy of the counts whatever the number of threads, and every sum has one order.
//
// Agreement (Liang, Taskar and Klein 2006): a link counts in one direction with
//   p(link) * ((1 - agreement) + agreement * p'(link)),
// p' the posterior of the other direction. With 1 both directions learn the product, which keeps rare words from
// collecting whatever is left over, so that they get entries of their own in a phrase table; with 0 they know nothing
// of each other.
#include "align/trainer.h"

#include <algorithm>

#include "util/parallel_for.h"

namespace graft::engine {

namespace {

constexpr uint64_t kChunkCells = 2'000'000;
constexpr size_t kTaskPairs = 64;
constexpr size_t kRowParts = 16;
constexpr int kJumps = 2 * kJumpRange + 1;
constexpr size_t kSums = 2 * kJumps + 2;  // jumps and log-likelihood of both directions

}  // namespace

struct AlignmentTrainer::Chunk {
  size_t first = 0;
  size_t end = 0;
  uint64_t first_cell = 0;
  std::vector<uint32_t> cells;
  std::vector<LexiconMatrix::Both> posteriors;
  std::vector<float> null[2];
};

AlignmentTrainer::AlignmentTrainer(const Bitext& bitext, const TrainingOptions& options)
    : bitext_(bitext),
      options_(options),
      lexicon_(bitext, options.threads, options.memory_bytes, options.stop),
      workers_(std::max(options.threads, 1)) {
  for (HmmParameters& parameters : parameters_) parameters.null = options.null;
  cell_starts_.assign(bitext.pairs() + 1, 0);
  for (size_t pair = 0; pair < bitext.pairs(); ++pair) cell_starts_[pair + 1] = cell_starts_[pair] + CellsOf(pair);
  CacheCells();
}

uint64_t AlignmentTrainer::CellsOf(size_t pair) const {
  return static_cast<uint64_t>(bitext_.source.length(pair)) * static_cast<uint64_t>(bitext_.target.length(pair));
}

void AlignmentTrainer::CacheCells() {
  uint64_t room = kLookupCacheBytes / sizeof(uint32_t);
  if (options_.memory_bytes != 0) {
    const uint64_t used = AlignmentBytes(bitext_, lexicon_.entries());
    room = std::min(room, options_.memory_bytes > used ? (options_.memory_bytes - used) / sizeof(uint32_t) : 0);
  }
  const auto pairs =
      static_cast<size_t>(std::upper_bound(cell_starts_.begin(), cell_starts_.end(), room) - cell_starts_.begin() - 1);
  cached_cells_.resize(cell_starts_[pairs]);
  ParallelFor(
      options_.threads, (pairs + kTaskPairs - 1) / kTaskPairs,
      [&](size_t task, int) {
        for (size_t pair = task * kTaskPairs; pair < std::min((task + 1) * kTaskPairs, pairs); ++pair)
          lexicon_.Find(bitext_.source.sentence(pair), bitext_.target.sentence(pair),
                        cached_cells_.data() + cell_starts_[pair]);
      },
      options_.stop);
}

const uint32_t* AlignmentTrainer::Cells(size_t pair, Worker* worker) const {
  if (cell_starts_[pair + 1] <= cached_cells_.size()) return cached_cells_.data() + cell_starts_[pair];
  worker->cells.resize(CellsOf(pair));
  lexicon_.Find(bitext_.source.sentence(pair), bitext_.target.sentence(pair), worker->cells.data());
  return worker->cells.data();
}

Emissions AlignmentTrainer::Fill(size_t pair, Direction direction, const uint32_t* cells, Worker* worker) const {
  const auto sources = static_cast<size_t>(bitext_.source.length(pair));
  const auto targets = static_cast<size_t>(bitext_.target.length(pair));
  const auto generated = direction == kFromSource ? bitext_.target.sentence(pair) : bitext_.source.sentence(pair);
  worker->null.resize(generated.size());
  for (size_t j = 0; j < generated.size(); ++j) worker->null[j] = lexicon_.null_probability(direction, generated[j]);
  std::vector<float>& words = worker->words;
  words.resize(sources * targets);
  if (direction == kFromTarget) {
    for (size_t k = 0; k < words.size(); ++k) words[k] = lexicon_.probabilities(cells[k])[kFromTarget];
    return {static_cast<int>(targets), static_cast<int>(sources), words.data(), worker->null.data()};
  }
  for (size_t i = 0; i < sources; ++i)
    for (size_t j = 0; j < targets; ++j)
      words[j * sources + i] = lexicon_.probabilities(cells[i * targets + j])[kFromSource];
  return {static_cast<int>(sources), static_cast<int>(targets), words.data(), worker->null.data()};
}

void AlignmentTrainer::Infer(size_t pair, AlignmentModel model, const uint32_t* cells, Worker* worker, double* jumps,
                             double* log_likelihood) const {
  for (Direction direction : {kFromSource, kFromTarget}) {
    const Emissions emissions = Fill(pair, direction, cells, worker);
    Posteriors* posteriors = &worker->posteriors[direction];
    double* own_jumps = jumps == nullptr ? nullptr : jumps + direction * kJumps;
    log_likelihood[direction] += model == AlignmentModel::kHmm
                                     ? worker->hmm.Run(emissions, parameters_[direction], posteriors, own_jumps)
                                     : Model1Posteriors(emissions, options_.null, posteriors);
  }
}

void AlignmentTrainer::Expect(size_t pair, AlignmentModel model, Chunk* chunk, Worker* worker, double* sums) const {
  const auto sources = static_cast<size_t>(bitext_.source.length(pair));
  const auto targets = static_cast<size_t>(bitext_.target.length(pair));
  if (sources == 0) return;
  const uint64_t offset = cell_starts_[pair] - chunk->first_cell;
  const uint32_t* cells = Cells(pair, worker);
  std::copy_n(cells, sources * targets, chunk->cells.begin() + static_cast<ptrdiff_t>(offset));
  Infer(pair, model, cells, worker, sums, sums + 2 * kJumps);
  for (Direction direction : {kFromSource, kFromTarget}) {
    const BitextSide& generated = direction == kFromSource ? bitext_.target : bitext_.source;
    const std::vector<float>& null = worker->posteriors[direction].null;
    std::copy(null.begin(), null.end(),
              chunk->null[direction].begin() +
                  static_cast<ptrdiff_t>(generated.starts[pair] - generated.starts[chunk->first]));
  }
  const float agreement = model == AlignmentModel::kHmm ? options_.agreement : 0.0f;
  const float* from_source = worker->posteriors[kFromSource].words.data();
  const float* from_target = worker->posteriors[kFromTarget].words.data();
  LexiconMatrix::Both* out = chunk->posteriors.data() + offset;
  for (size_t i = 0; i < sources; ++i) {
    for (size_t j = 0; j < targets; ++j) {
      const float a = from_source[j * sources + i];
      const float b = from_target[i * targets + j];
      out[i * targets + j] = {a * (1 - agreement + agreement * b), b * (1 - agreement + agreement * a)};
    }
  }
}

void AlignmentTrainer::Collect(const Chunk& chunk) {
  ParallelFor(options_.threads, kRowParts + 2, [&](size_t task, int) {
    if (task >= kRowParts) {
      const auto direction = static_cast<Direction>(task - kRowParts);
      const BitextSide& generated = direction == kFromSource ? bitext_.target : bitext_.source;
      const uint32_t* words = generated.words.data() + generated.starts[chunk.first];
      const std::vector<float>& null = chunk.null[direction];
      double* counts = lexicon_.null_counts(direction);
      for (size_t k = 0; k < null.size(); ++k) counts[words[k]] += static_cast<double>(null[k]);
      return;
    }
    for (size_t pair = chunk.first; pair < chunk.end; ++pair) {
      const auto targets = static_cast<size_t>(bitext_.target.length(pair));
      uint64_t cell = cell_starts_[pair] - chunk.first_cell;
      for (uint32_t word : bitext_.source.sentence(pair)) {
        if (word % kRowParts == task) {
          for (uint64_t k = cell; k < cell + targets; ++k) {
            LexiconMatrix::Both& counts = lexicon_.counts(chunk.cells[k]);
            counts[kFromSource] += chunk.posteriors[k][kFromSource];
            counts[kFromTarget] += chunk.posteriors[k][kFromTarget];
          }
        }
        cell += targets;
      }
    }
  });
}

std::array<double, 2> AlignmentTrainer::Iterate(AlignmentModel model, const std::function<void(uint64_t)>& progress) {
  std::vector<double> totals(kSums, 0.0);
  Chunk chunk;
  while (chunk.end < bitext_.pairs()) {
    chunk.first = chunk.end++;
    chunk.first_cell = cell_starts_[chunk.first];
    while (chunk.end < bitext_.pairs() && cell_starts_[chunk.end + 1] - chunk.first_cell <= kChunkCells) ++chunk.end;
    chunk.cells.resize(cell_starts_[chunk.end] - chunk.first_cell);
    chunk.posteriors.resize(chunk.cells.size());
    for (Direction direction : {kFromSource, kFromTarget}) {
      const BitextSide& generated = direction == kFromSource ? bitext_.target : bitext_.source;
      chunk.null[direction].resize(generated.starts[chunk.end] - generated.starts[chunk.first]);
    }
    const size_t tasks = (chunk.end - chunk.first + kTaskPairs - 1) / kTaskPairs;
    std::vector<double> sums(tasks * kSums, 0.0);
    ParallelFor(
        options_.threads, tasks,
        [&](size_t task, int worker) {
          const size_t first = chunk.first + task * kTaskPairs;
          for (size_t pair = first; pair < std::min(first + kTaskPairs, chunk.end); ++pair)
            Expect(pair, model, &chunk, &workers_[worker], sums.data() + task * kSums);
        },
        options_.stop);
    for (size_t k = 0; k < sums.size(); ++k) totals[k % kSums] += sums[k];
    Collect(chunk);
    progress(chunk.end);
  }
  lexicon_.Estimate(options_.prior, options_.threads);
  if (model == AlignmentModel::kHmm && options_.learn_jumps)
    for (Direction direction : {kFromSource, kFromTarget})
      parameters_[direction].jumps.Estimate({totals.data() + direction * kJumps, static_cast<size_t>(kJumps)});
  return {totals[kSums - 2], totals[kSums - 1]};
}

void AlignmentTrainer::Align(size_t pair, AlignmentModel model, int worker, AlignedPair* aligned) {
  const auto sources = static_cast<size_t>(bitext_.source.length(pair));
  const auto targets = static_cast<size_t>(bitext_.target.length(pair));
  aligned->source_choice.assign(sources, kUnaligned);
  aligned->target_choice.assign(targets, kUnaligned);
  if (sources == 0) return;
  Worker* own = &workers_[worker];
  double unused[2] = {0, 0};
  Infer(pair, model, Cells(pair, own), own, nullptr, unused);
  const auto sum = [&](size_t i, size_t j) {
    return own->posteriors[kFromSource].words[j * sources + i] + own->posteriors[kFromTarget].words[i * targets + j];
  };
  std::vector<float>& source_best = own->posteriors[kFromTarget].null;
  std::vector<float>& target_best = own->posteriors[kFromSource].null;
  for (size_t i = 0; i < sources; ++i) {
    for (size_t j = 0; j < targets; ++j) {
      const float both = sum(i, j);
      if (both > source_best[i]) {
        source_best[i] = both;
        aligned->source_choice[i] = static_cast<int16_t>(j);
      }
      if (both > target_best[j]) {
        target_best[j] = both;
        aligned->target_choice[j] = static_cast<int16_t>(i);
      }
    }
  }
}

}  // namespace graft::engine
