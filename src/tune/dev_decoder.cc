#include "tune/dev_decoder.h"

#include <optional>
#include <utility>

#include "search/translation_text.h"
#include "util/output_file.h"
#include "util/parallel.h"

namespace graft::engine {

struct DevDecoder::Result {
  struct Candidate {
    FeatureVector features;
    BleuStatistics statistics;
  };
  std::vector<Candidate> candidates;  // best first
  std::string text;                   // lines of the n-best file, if wanted
};

DevDecoder::DevDecoder(const DecodingModel& model, const DevSet& dev, int nbest, int threads)
    : model_(model), dev_(dev), references_(dev.references), nbest_(nbest), threads_(threads) {}

DevDecoder::Result DevDecoder::DecodeSentence(size_t sentence, Translator* translator, bool as_text) const {
  Result result;
  const bool listed = as_text && dev_.sources[sentence].size() > 0;  // n-best lists have no line of an empty sentence
  for (const Translation& translation :
       translator->Translate(dev_.sources[sentence], {.nbest = static_cast<uint32_t>(nbest_)})) {
    result.candidates.push_back({translation.features, references_.Statistics(sentence, translation.tokens)});
    if (listed) result.text += FormatNBestLine(model_.system(), sentence, translation) + "\n";
  }
  return result;
}

std::vector<BleuStatistics> DevDecoder::Decode(const FeatureVector& weights, size_t stride,
                                               const std::string& nbest_file, CandidatePool* pool,
                                               const Reporter& reporter) {
  std::vector<Translator> translators;
  for (int i = 0; i < threads_; ++i) translators.emplace_back(model_.model(), model_.search(), weights);
  std::optional<OutputFile> file;
  if (!nbest_file.empty()) file.emplace(nbest_file);
  const size_t total = (dev_.sources.size() + stride - 1) / stride;
  size_t next = 0;
  std::vector<BleuStatistics> best;
  RunOrdered<size_t, Result>(
      threads_,
      [&](size_t* sentence) {
        *sentence = next * stride;
        return next++ < total;
      },
      [&](int worker, size_t&& sentence) {
        return DecodeSentence(sentence, &translators[static_cast<size_t>(worker)], file.has_value());
      },
      [&](Result&& result) {
        PooledSentence& pooled = (*pool)[best.size() * stride];
        best.push_back(result.candidates.front().statistics);
        for (const Result::Candidate& candidate : result.candidates)
          pooled.Add(candidate.features, candidate.statistics);
        if (file) file->Write(result.text);
        reporter.Progress("decode", best.size(), total);
      });
  if (file) file->Close();
  return best;
}

}  // namespace graft::engine
