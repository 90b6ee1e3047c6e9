#include "pipeline/cost_estimate.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "corpus/source_reader.h"
#include "util/line_reader.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

constexpr uint64_t kSampledSentences = 10000;
constexpr double kTableBytesARule = 23;
constexpr double kSortingBytesARule = 160;  // of distinct rules, while they wait to be sorted twice
constexpr uint64_t kProgramBytes = uint64_t{20} << 20;

// Distinct rules of a grammar a target word. Longer sentences have more of them, larger corpora repeat more.
double GrammarRulesAWord(const SystemSpec& system) {
  double rules = 15;  // hpbmt
  const bool contiguous = system.contiguous();
  if (system.graph == GraphKind::kTree) rules = contiguous ? 2.5 : 4;
  if (system.graph == GraphKind::kDsg) rules = contiguous ? 5 : 8;
  if (system.graph == GraphKind::kDbg) rules = contiguous ? 17 : 24;
  if (system.graph == GraphKind::kDeg) rules = 4;
  if (system.grammar.mgs == 1) rules *= 2;
  if (system.grammar.adjacent_nt) rules *= 1.4;
  if (system.grammar.pos) rules *= 1.2;
  return rules;
}

// Distinct rules a target word; larger corpora repeat more of them, which leaves a little room.
double RulesAWord(const SystemSpec& system) {
  if (system.has_blocks()) return system.blocks.floating ? 4.5 : system.blocks.parts ? 3.5 : 1.0;
  if (system.has_grammar()) return GrammarRulesAWord(system);
  if (system.unit == UnitTest::kContiguous) return 2.5;
  if (system.unit == UnitTest::kAny) return 4.5;
  switch (system.graph) {
    case GraphKind::kDbg:
    case GraphKind::kUnion: return 3.0;
    case GraphKind::kDsg: return 1.8;
    default: return 1.4;
  }
}

}  // namespace

CorpusSize MeasureCorpus(const TrainConfig& config, const Reporter& reporter) {
  const TextPart& corpus = config.corpus;
  const uint64_t end = corpus.limit == 0 ? UINT64_MAX : corpus.skip + corpus.limit;
  CorpusSize size;
  uint64_t sampled_target = 0;
  LineReader lines(corpus.references[0], reporter);
  for (uint64_t i = 0; i < end && lines.Next(); ++i) {
    if (i < corpus.skip) continue;
    ++size.pairs;
    size.target_words += SplitTokens(lines.line()).size();
    if (size.pairs <= kSampledSentences) sampled_target = size.target_words;
    if (size.pairs % 10000 == 0) reporter.Progress("measure", size.pairs, corpus.limit);
  }
  reporter.Progress("measure", size.pairs, size.pairs);
  if (config.dev) {
    LineReader dev(config.dev->references[0], reporter);
    while ((config.dev->limit == 0 || size.dev_sentences < config.dev->limit) && dev.Next())
      if (dev.line_number() > config.dev->skip) ++size.dev_sentences;
  }
  uint64_t sampled_source = 0;
  SourceReader source(corpus.source, SourceFormatOf(corpus.source), {.projectivise = false}, reporter);
  Sentence sentence;
  for (uint64_t i = 0; i < std::min(size.pairs, kSampledSentences) && source.Next(&sentence); ++i)
    sampled_source += static_cast<uint64_t>(sentence.size());
  if (sampled_target > 0)
    size.source_words =
        static_cast<uint64_t>(static_cast<double>(size.target_words) * static_cast<double>(sampled_source) /
                              static_cast<double>(sampled_target));
  return size;
}

StepEstimate EstimateCorpus(const TrainConfig& config, const CorpusSize& size) {
  // Compressed text takes about 2 bytes a word, a parsed one 5.
  const uint64_t source = SourceFormatOf(config.corpus.source) == SourceFormat::kConllu ? 5 : 2;
  return {kProgramBytes, source * size.source_words + 2 * size.target_words};
}

StepEstimate EstimateTable(const SystemSpec& system, const CorpusSize& size, uint64_t memory_limit) {
  const double rules = RulesAWord(system) * static_cast<double>(size.target_words);
  const auto sorting = static_cast<uint64_t>(kSortingBytesARule * rules);
  const uint64_t held = std::min(sorting, memory_limit);
  const uint64_t spilled = sorting > memory_limit ? static_cast<uint64_t>(12 * rules) : 0;
  return {kProgramBytes + held, static_cast<uint64_t>(kTableBytesARule * rules) + spilled};
}

StepEstimate EstimateLm(int order, uint64_t words, uint64_t memory_limit) {
  // Distinct n-grams a word by order, measured on 0.4 to 1.3 million words, and KenLM's bytes for each.
  constexpr std::array<double, 6> kNGrams = {0.03, 0.3, 0.6, 0.8, 0.9, 0.95};
  double ngrams = 0;
  for (int n = 0; n < order; ++n) ngrams += kNGrams[static_cast<size_t>(n)];
  const auto bytes = static_cast<uint64_t>(24 * ngrams * static_cast<double>(words));
  const uint64_t sorting = std::min(memory_limit, std::max<uint64_t>(4 * bytes, uint64_t{64} << 20));
  return {kProgramBytes + std::max(sorting, bytes), 3 * bytes};
}

uint64_t EstimateTuningPool(const CorpusSize& size) {
  constexpr uint64_t kPoolBytes = 130'000;  // a sentence, after a dozen iterations
  return size.dev_sentences * kPoolBytes;
}

StepEstimate EstimateDecoding(const StepEstimate& table, const StepEstimate& lm, int threads) {
  constexpr uint64_t kSearchBytes = uint64_t{16} << 20;  // a thread
  return {kProgramBytes + table.disk_bytes + lm.disk_bytes / 3 + static_cast<uint64_t>(threads) * kSearchBytes,
          1 << 20};
}

}  // namespace graft::engine
