#include "pipeline/scoring.h"

#include <memory>

#include "eval/bleu.h"
#include "pipeline/prepare.h"
#include "search/translator.h"
#include "util/line_reader.h"
#include "util/output_file.h"
#include "util/parallel.h"
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
  std::vector<std::unique_ptr<Translator>> translators;
  for (int i = 0; i < threads; ++i) translators.push_back(std::make_unique<Translator>(model));
  OutputFile file(output);
  BleuStatistics statistics;
  size_t next = 0;
  size_t done = 0;
  RunOrdered<size_t, std::vector<std::string>>(
      threads,
      [&](size_t* item) {
        *item = next;
        return next++ < set.sources.size();
      },
      [&](int worker, size_t item) {
        return std::move(translators[static_cast<size_t>(worker)]->Translate(set.sources[item], {})[0].tokens);
      },
      [&](std::vector<std::string>&& tokens) {
        statistics += references.Statistics(done, tokens);
        file.Write(JoinTokens(tokens) + "\n");
        reporter.Progress(step, ++done, set.sources.size());
      });
  file.Close();
  return Bleu(statistics);
}

}  // namespace graft::engine
