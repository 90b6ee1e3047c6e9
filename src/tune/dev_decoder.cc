#include "tune/dev_decoder.h"

#include <optional>
#include <utility>

#include "graft/format.h"
#include "translation/translator_pool.h"
#include "translation/values.h"
#include "util/output_file.h"

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

DevDecoder::Result DevDecoder::Judge(size_t sentence, const std::vector<Translation>& translations,
                                     bool as_text) const {
  Result result;
  for (const Translation& translation : translations)
    result.candidates.push_back({translation.features, references_.Statistics(sentence, translation.tokens)});
  if (as_text)
    for (const std::string& line :
         NBestLines(ToValue(model_.system(), dev_.sources[sentence], translations, /*derivation=*/false), sentence))
      result.text += line + "\n";
  return result;
}

std::vector<BleuStatistics> DevDecoder::Decode(const FeatureVector& weights, size_t stride,
                                               const std::string& nbest_file, CandidatePool* pool,
                                               const Reporter& reporter) {
  std::optional<OutputFile> file;
  if (!nbest_file.empty()) file.emplace(nbest_file);
  const size_t total = (dev_.sources.size() + stride - 1) / stride;
  std::vector<BleuStatistics> best;
  TranslatorPool({model_.model(), model_.search(), weights}, threads_)
      .TranslateAll<Result>(
          dev_.sources, stride, {.nbest = static_cast<uint32_t>(nbest_), .stop = StopCheck(reporter.stop)},
          [&](size_t sentence, std::vector<Translation>&& translations) {
            return Judge(sentence, translations, file.has_value());
          },
          [&](size_t sentence, Result&& result) {
            best.push_back(result.candidates.front().statistics);
            for (const Result::Candidate& candidate : result.candidates)
              (*pool)[sentence].Add(candidate.features, candidate.statistics);
            if (file) file->Write(result.text);
            reporter.Progress("decode", best.size(), total);
          });
  if (file) file->Close();
  return best;
}

}  // namespace graft::engine
