#include "align/align.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "align/trainer.h"
#include "graft/error.h"
#include "util/output_file.h"
#include "util/parallel_for.h"
#include "util/suggest.h"

namespace graft::engine {

namespace {

constexpr size_t kTaskPairs = 64;    // aligned by one thread at a time
constexpr size_t kBatchTasks = 128;  // written together

constexpr int kModel1Iterations = 4;
constexpr int kHmmIterations = 5;

AlignmentModel ModelOf(const std::string& method) {
  const std::vector<std::string>& methods = AlignMethods();
  if (std::find(methods.begin(), methods.end(), method) == methods.end())
    throw Error("unknown alignment method `" + method + "`" + Suggestion(method, methods));
  return method == "ibm1" ? AlignmentModel::kModel1 : AlignmentModel::kHmm;
}

void Train(AlignmentTrainer* trainer, AlignmentModel model, uint64_t pairs, const Reporter& reporter) {
  const int iterations = kModel1Iterations + (model == AlignmentModel::kHmm ? kHmmIterations : 0);
  for (int k = 0; k < iterations; ++k) {
    trainer->Iterate(k < kModel1Iterations ? AlignmentModel::kModel1 : AlignmentModel::kHmm, [&](uint64_t done) {
      reporter.Progress("aligning", pairs * static_cast<uint64_t>(k) + done, pairs * static_cast<uint64_t>(iterations));
    });
  }
}

// A run of pairs as lines.
struct Lines {
  std::string text;
  std::vector<std::vector<WordLink>> links;
};

// What links are read off, and how.
struct Alignments {
  AlignmentTrainer* trainer;
  AlignmentModel model;
  Symmetrisation symmetrisation;
  int threads;

  // Pairs from `begin` to `end`, by one thread.
  void Take(uint64_t begin, uint64_t end, int worker, Lines* lines) const {
    *lines = {};
    AlignedPair aligned;
    for (uint64_t pair = begin; pair < end; ++pair) {
      trainer->Align(pair, model, worker, &aligned);
      const std::vector<WordLink>& chosen =
          lines->links.emplace_back(Symmetrise(aligned.source_choice, aligned.target_choice, symmetrisation));
      for (const WordLink& link : chosen)
        fmt::format_to(std::back_inserter(lines->text), "{}-{} ", link.source, link.target);
      if (!chosen.empty()) lines->text.pop_back();
      lines->text += '\n';
    }
  }
};

// Where they go.
struct LinkOutput {
  OutputFile* file;
  const std::vector<GoldLinks>& gold;
  AlignTotals* totals;

  void Write(uint64_t first, const Lines& lines) const {
    file->Write(lines.text);
    for (size_t k = 0; k < lines.links.size(); ++k) {
      totals->links += lines.links[k].size();
      if (!gold.empty()) totals->score.Add(lines.links[k], gold[first + k]);
    }
  }
};

void WriteLinks(const Alignments& alignments, const LinkOutput& output, const Reporter& reporter) {
  const uint64_t pairs = output.totals->pairs;
  std::vector<Lines> batch(kBatchTasks);
  for (uint64_t first = 0; first < pairs; first += kBatchTasks * kTaskPairs) {
    const uint64_t end = std::min<uint64_t>(first + kBatchTasks * kTaskPairs, pairs);
    const size_t tasks = (end - first + kTaskPairs - 1) / kTaskPairs;
    ParallelFor(alignments.threads, tasks, [&](size_t task, int worker) {
      const uint64_t begin = first + task * kTaskPairs;
      alignments.Take(begin, std::min(begin + kTaskPairs, end), worker, &batch[task]);
    });
    for (size_t task = 0; task < tasks; ++task) output.Write(first + task * kTaskPairs, batch[task]);
    reporter.Progress("writing", end, pairs);
  }
}

}  // namespace

const std::vector<std::string>& AlignMethods() {
  static const std::vector<std::string> methods = {"hmm", "ibm1"};
  return methods;
}

AlignTotals AlignCorpus(const BitextFiles& files, const std::string& output, const AlignOptions& options,
                        const Reporter& reporter) {
  const AlignmentModel model = ModelOf(options.method);
  const Symmetrisation symmetrisation = ParseSymmetrisation(options.symmetrise);
  OutputFile file(output);
  const Bitext bitext = ReadBitext(files, reporter);
  std::vector<GoldLinks> gold;
  if (!options.gold.empty()) gold = ReadGoldLinks(options.gold, bitext, reporter);
  TrainingOptions training;
  training.threads = options.threads;
  training.memory_bytes = options.memory_bytes;
  training.stop = StopCheck(reporter.stop);
  AlignmentTrainer trainer(bitext, training);
  Train(&trainer, model, bitext.pairs(), reporter);
  AlignTotals totals{.pairs = bitext.pairs(), .empty = bitext.empty, .too_long = bitext.too_long};
  WriteLinks({&trainer, model, symmetrisation, options.threads}, {&file, gold, &totals}, reporter);
  file.Close();
  return totals;
}

uint64_t EstimateAlignMemory(uint64_t pairs, uint64_t source_words, uint64_t target_words) {
  if (pairs == 0) return 0;
  // Lengths of the two sides vary together: the mean product is about 1.3 times the product of the means. Of the cells
  // of a text of one kind, 5 to 7 times cells^0.8 are different pairs of words (Multi30k, Europarl).
  const double cells =
      1.3 * static_cast<double>(source_words) * static_cast<double>(target_words) / static_cast<double>(pairs);
  const double entries = std::min(cells, 7 * std::pow(cells, 0.8));
  const uint64_t cached = std::min(static_cast<uint64_t>(cells) * sizeof(uint32_t), kLookupCacheBytes);
  return static_cast<uint64_t>(entries) * LexiconMatrix::kBytesPerEntry + (source_words + target_words) * 4 +
         pairs * 24 + cached + (uint64_t{64} << 20);
}

}  // namespace graft::engine
