#include "align/align.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "align/trainer.h"
#include "text/error.h"
#include "text/output_file.h"
#include "text/parallel_for.h"
#include "text/suggest.h"

namespace graft {

namespace {

constexpr size_t kBatchPairs = 8192;  // decoded and written at a time
constexpr size_t kTaskPairs = 64;

TrainingOptions OptionsOf(const AlignOptions& options) {
  const std::vector<std::string>& methods = AlignMethods();
  if (std::find(methods.begin(), methods.end(), options.method) == methods.end())
    throw Error("unknown alignment method `" + options.method + "`" + Suggestion(options.method, methods));
  TrainingOptions training;
  training.threads = options.threads;
  training.memory_bytes = options.memory_bytes;
  if (options.method == "ibm1") training.hmm_iterations = 0;
  return training;
}

void Train(AlignmentTrainer* trainer, const TrainingOptions& options, uint64_t pairs, const Reporter& reporter) {
  const int iterations = options.model1_iterations + options.hmm_iterations;
  for (int k = 0; k < iterations; ++k) {
    const bool hmm = k >= options.model1_iterations;
    if (hmm && k == options.model1_iterations) trainer->Prune();
    trainer->Iterate(hmm, [&](uint64_t done) {
      reporter.Progress("aligning", pairs * static_cast<uint64_t>(k) + done, pairs * static_cast<uint64_t>(iterations));
    });
  }
}

uint64_t WriteLinks(AlignmentTrainer* trainer, uint64_t pairs, const AlignOptions& options, OutputFile* file,
                    const Reporter& reporter) {
  uint64_t links = 0;
  std::vector<AlignmentTrainer::Aligned> aligned;
  std::vector<std::string> lines(kBatchPairs / kTaskPairs);
  std::vector<uint64_t> counts(lines.size());
  for (uint64_t first = 0; first < pairs; first += kBatchPairs) {
    const uint64_t end = std::min<uint64_t>(first + kBatchPairs, pairs);
    trainer->Decode(first, end, &aligned);
    const size_t tasks = (end - first + kTaskPairs - 1) / kTaskPairs;
    ParallelFor(options.threads, tasks, [&](size_t task, int) {
      std::string& text = lines[task];
      text.clear();
      counts[task] = 0;
      for (size_t k = task * kTaskPairs; k < std::min<size_t>((task + 1) * kTaskPairs, end - first); ++k) {
        const std::vector<WordLink> chosen =
            Symmetrise(aligned[k].source_choice, aligned[k].target_choice, options.symmetrisation);
        for (const WordLink& link : chosen)
          fmt::format_to(std::back_inserter(text), "{}-{} ", link.source, link.target);
        if (!chosen.empty()) text.pop_back();
        text += '\n';
        counts[task] += chosen.size();
      }
    });
    for (size_t task = 0; task < tasks; ++task) {
      file->Write(lines[task]);
      links += counts[task];
    }
    reporter.Progress("writing", end, pairs);
  }
  return links;
}

}  // namespace

const std::vector<std::string>& AlignMethods() {
  static const std::vector<std::string> methods = {"hmm", "ibm1"};
  return methods;
}

AlignTotals AlignCorpus(const BitextFiles& files, const std::string& output, const AlignOptions& options,
                        const Reporter& reporter) {
  const TrainingOptions training = OptionsOf(options);
  OutputFile file(output);
  const Bitext bitext = ReadBitext(files, reporter);
  AlignmentTrainer trainer(bitext, training);
  Train(&trainer, training, bitext.pairs(), reporter);
  AlignTotals totals{.pairs = bitext.pairs(), .empty = bitext.empty, .too_long = bitext.too_long};
  totals.links = WriteLinks(&trainer, bitext.pairs(), options, &file, reporter);
  file.Close();
  return totals;
}

uint64_t EstimateAlignMemory(uint64_t pairs, uint64_t source_words, uint64_t target_words) {
  if (pairs == 0) return 0;
  // Lengths of the two sides vary together: the mean product is about 1.3 times the product of the means. Of the cells,
  // about 5 cells^0.8 are different pairs of words in text of one kind.
  const double cells =
      1.3 * static_cast<double>(source_words) * static_cast<double>(target_words) / static_cast<double>(pairs);
  const double entries = std::min(cells, 5 * std::pow(cells, 0.8));
  return static_cast<uint64_t>(entries * LexiconMatrix::kBytesPerEntry) + 4 * (source_words + target_words) * 2 +
         24 * pairs + (uint64_t{64} << 20);
}

}  // namespace graft
