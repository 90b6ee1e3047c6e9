// Decodes a development set with one vector of weights after the other, on several threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "eval/bleu.h"
#include "graft/reporter.h"
#include "search/translator.h"
#include "tune/candidate_pool.h"
#include "tune/tune.h"

namespace graft::engine {

class DevDecoder {
 public:
  // `dev` stays with the caller.
  DevDecoder(const DecodingModel& model, const DevSet& dev, int nbest, int threads);

  // Adds the n-best lists of every `stride`-th sentence to `pool`, in order; writes them to `nbest_file` unless its
  // name is empty. Returns the statistics of the best translations.
  std::vector<BleuStatistics> Decode(const FeatureVector& weights, size_t stride, const std::string& nbest_file,
                                     CandidatePool* pool, const Reporter& reporter);

 private:
  struct Result;
  Result Judge(size_t sentence, const std::vector<Translation>& translations, bool as_text) const;

  const DecodingModel model_;
  const DevSet& dev_;
  BleuReferences references_;
  int nbest_;
  int threads_;
};

}  // namespace graft::engine
