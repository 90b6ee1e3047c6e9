#include "pipeline/scoring.h"

#include <memory>

#include "eval/bleu.h"
#include "pipeline/prepare.h"
#include "translation/translator_pool.h"
#include "util/line_reader.h"
#include "util/output_file.h"
#include "util/utf8.h"

namespace graft::engine {

DevSet ReadPrepared(const std::string& source, const std::vector<std::string>& references, const Reporter& reporter) {
  DevSet set;
  SourceReader reader(source, SourceFormatOf(source), kPreparedSource, reporter);
  for (Sentence sentence; reader.Next(&sentence);) set.sources.push_back(std::move(sentence));
  set.references.resize(set.sources.size());
  for (const std::string& path : references) {
    LineReader lines(path, reporter);
    for (size_t i = 0; i < set.sources.size() && lines.Next(); ++i) {
      const std::vector<std::string_view> tokens = SplitTokens(lines.line());
      set.references[i].emplace_back(tokens.begin(), tokens.end());
    }
  }
  return set;
}

double TranslateAndScore(const DecodingModel& model, const DevSet& set, int threads, const std::string& output,
                         std::string_view step, const Reporter& reporter) {
  const BleuReferences references(set.references);
  OutputFile file(output);
  BleuStatistics statistics;
  TranslatorPool(model, threads)
      .TranslateAll<std::vector<std::string>>(
          set.sources, 1, {.stop = StopCheck(reporter.stop)},
          [](size_t, std::vector<Translation>&& translations) { return std::move(translations[0].tokens); },
          [&](size_t sentence, std::vector<std::string>&& tokens) {
            statistics += references.Statistics(sentence, tokens);
            file.Write(JoinTokens(tokens) + "\n");
            reporter.Progress(step, sentence + 1, set.sources.size());
          });
  file.Close();
  return Bleu(statistics);
}

}  // namespace graft::engine
