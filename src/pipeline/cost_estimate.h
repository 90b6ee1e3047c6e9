// Rough needs of training, from the size of a corpus and figures measured on real ones.
#pragma once

#include <cstdint>

#include "graft/reporter.h"
#include "pipeline/step.h"
#include "pipeline/train_config.h"

namespace graft::engine {

struct CorpusSize {
  uint64_t pairs = 0;
  uint64_t source_words = 0;
  uint64_t target_words = 0;
  uint64_t dev_sentences = 0;
};

// Counts the target side; the words of the source are judged by its first sentences.
CorpusSize MeasureCorpus(const TrainConfig& config, const Reporter& reporter);

StepEstimate EstimateCorpus(const TrainConfig& config, const CorpusSize& size);
StepEstimate EstimateTable(const SystemSpec& system, const CorpusSize& size, uint64_t memory_limit);
StepEstimate EstimateLm(int order, uint64_t words, uint64_t memory_limit);
StepEstimate EstimateDecoding(const StepEstimate& table, const StepEstimate& lm, int threads);
uint64_t EstimateTuningPool(const CorpusSize& size);  // memory of the pooled n-best lists

}  // namespace graft::engine
