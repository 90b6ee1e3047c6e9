#include "lm/estimate.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "graft/error.h"
#include "lm/builder/corpus_count.hh"
#include "lm/builder/payload.hh"
#include "lm/common/ngram.hh"
#include "lm/language_model.h"
#include "lm/pipeline_process.h"
#include "util/file.hh"
#include "util/line_reader.h"
#include "util/memory_size.h"
#include "util/output_file.h"
#include "util/temporary_file.h"
#include "util/unfinished_file.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

constexpr uint64_t kMinimumMemory = 1 << 20;
constexpr size_t kChunkBytes = 1 << 20;
constexpr std::string_view kStep = "estimating";
constexpr const char* kTemporary = "/graft-lm-";  // how IsUnfinished knows what a killed run left

bool WantsBinary(std::string_view output) {
  return output.ends_with(".bin") || output.ends_with(".binary") || output.ends_with(".klm");
}

void CheckOptions(const std::vector<std::string>& texts, const std::string& output, const EstimateOptions& options) {
  if (texts.empty()) throw Error("no text to estimate a language model from");
  if (options.order < 1 || options.order > KENLM_MAX_ORDER)
    throw Error("order " + std::to_string(options.order) + " of a language model; it must be 1 to " +
                std::to_string(KENLM_MAX_ORDER));
  if (options.order == 1 && WantsBinary(output))
    throw Error(output + ": KenLM's binary form needs order 2 or more; write an ARPA file (another name) instead");
  CheckPruning(options.order, options.prune);
  if (options.memory_bytes != 0 && options.memory_bytes < kMinimumMemory)
    throw Error("a memory limit of " + std::to_string(options.memory_bytes) +
                " bytes is too small to estimate a language model; give at least 1M");
  struct stat status {};
  if (!options.temp_folder.empty() && (stat(options.temp_folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)))
    throw Error(options.temp_folder + ": not a folder; name an existing one for temporary files");
}

struct TextSize {
  uint64_t lines = 0;
  uint64_t words = 0;
};

// Copies all texts into one plain file: KenLM wants a descriptor, we want the size beforehand and errors with lines.
TextSize CollectText(const std::vector<std::string>& texts, bool lowercase, const Reporter& reporter,
                     TemporaryFile* collected) {
  TextSize size;
  std::string lowered, lines;
  for (const std::string& text : texts) {
    LineReader reader(text, reporter);
    while (reader.Next()) {
      std::string_view line = reader.line();
      if (lowercase) line = lowered = Lowercase(line);
      for (const std::string_view word : SplitTokens(line)) {
        if (word == "<s>" || word == "</s>" || word == "<unk>")
          reader.Fail("the text contains " + std::string(word) +
                      ", which names sentence ends or unknown words in the model; replace or remove it");
        ++size.words;
      }
      lines.append(line).push_back('\n');
      if (lines.size() >= kChunkBytes) {
        collected->Append(lines);
        lines.clear();
      }
      if (++size.lines % 10'000 == 0) reporter.Progress("reading text", size.lines, 0);
    }
  }
  reporter.Progress("reading text", size.lines, size.lines);
  if (size.words == 0) throw Error(texts.front() + ": no words to estimate a language model from");
  collected->Append(lines);
  return size;
}

// The settings of `lmplz --discount_fallback`. KenLM touches most of the memory it is allowed whatever the size of the
// text, so no more is granted than the text can use: its n-grams in the blocks of every order.
lm::builder::PipelineConfig MakeConfig(const EstimateOptions& options, const TextSize& size) {
  lm::builder::PipelineConfig config;
  config.order = static_cast<size_t>(options.order);
  const uint64_t limit = options.memory_bytes != 0 ? options.memory_bytes : ParseMemorySize("80%");
  const uint64_t ngrams = size.words + size.lines;
  const uint64_t entry = lm::NGram<lm::builder::BuildingPayload>::TotalSize(config.order);
  uint64_t vocabulary = std::min<uint64_t>(1'000'000, size.words);
  while (vocabulary > 1 && lm::builder::CorpusCount::VocabUsage(vocabulary) > limit / 4) vocabulary /= 2;
  const uint64_t useful = (16u << 20) + lm::builder::CorpusCount::VocabUsage(vocabulary) +
                          ngrams * entry * (static_cast<uint64_t>(config.order) + 4);
  config.sort.total_memory = std::min(limit, useful);
  config.sort.buffer_size = std::min<uint64_t>(64u << 20, config.sort.total_memory / 4);
  static std::atomic<unsigned> counter = 0;  // a prefix of its own: whatever has it may be removed afterwards
  config.sort.temp_prefix =
      fmt::format("{}{}{}.{}.", TemporaryFile::FolderOr(options.temp_folder), kTemporary, getpid(), counter++);
  config.vocab_estimate = static_cast<lm::WordIndex>(vocabulary);
  config.minimum_block = 8 << 10;
  config.block_count = 2;

  config.prune_thresholds = options.prune;
  config.prune_thresholds.resize(config.order, options.prune.empty() ? 0 : options.prune.back());
  config.prune_vocab = false;
  config.renumber_vocabulary = false;
  config.output_q = false;
  config.vocab_size_for_unk = 0;
  config.disallowed_symbol_action = lm::THROW_UP;
  config.discount.fallback = {{0.0f, 0.5f, 1.0f, 1.5f}};
  config.discount.bad_action = lm::COMPLAIN;

  config.initial_probs.interpolate_unigrams = true;
  config.initial_probs.adder_in.total_memory = 32768;
  config.initial_probs.adder_in.block_count = 2;
  config.initial_probs.adder_out = config.initial_probs.adder_in;
  config.read_backoffs = config.initial_probs.adder_out;
  return config;
}

// Runs the pipeline; its headings ("=== 2/5 Calculating … ===") become progress, its fallback discounts one warning.
void RunReported(const lm::builder::PipelineConfig& config, int text_fd, const Reporter& reporter,
                 const std::function<void(std::string_view)>& arpa) {
  std::string fallback_orders;
  uint64_t steps = 1;
  PipelineListener listener;
  listener.arpa = arpa;
  listener.message = [&](std::string_view message) {
    const std::string line(message);
    unsigned step = 0;
    unsigned total = 0;
    unsigned order_minus_1 = 0;
    if (std::sscanf(line.c_str(), "=== %u/%u", &step, &total) == 2 && step > 0 && step <= total) {
      steps = total;
      reporter.Progress(kStep, step - 1, total);
    } else if (std::sscanf(line.c_str(), "Substituting fallback discounts for order %u", &order_minus_1) == 1) {
      fallback_orders += (fallback_orders.empty() ? "" : ", ") + std::to_string(order_minus_1 + 1);
    }
  };
  listener.waiting = [&] {
    if (reporter.stop.stop_requested()) throw Stopped();
  };
  RunPipeline(config, text_fd, listener);
  reporter.Progress(kStep, steps, steps);
  if (!fallback_orders.empty())
    reporter.Warn("the text is too small or too regular to estimate discounts for n-grams of order " + fallback_orders +
                  "; fallback discounts 0.5, 1 and 1.5 are used there");
}

}  // namespace

void CheckPruning(int order, const std::vector<uint64_t>& prune) {
  if (prune.size() > static_cast<size_t>(order))
    throw Error(std::to_string(prune.size()) + " pruning thresholds for a model of order " + std::to_string(order) +
                "; give at most one for each order");
  if (!std::is_sorted(prune.begin(), prune.end()))
    throw Error(
        "pruning thresholds must not decrease with the order: a longer n-gram cannot stay without its shorter parts");
}

void EstimateLanguageModel(const std::vector<std::string>& texts, const std::string& output,
                           const EstimateOptions& options, const Reporter& reporter) {
  CheckOptions(texts, output, options);
  const std::string prefix = TemporaryFile::FolderOr(options.temp_folder) + kTemporary;
  TemporaryFile text(prefix);
  const TextSize size = CollectText(texts, options.lowercase, reporter, &text);
  const lm::builder::PipelineConfig config = MakeConfig(options, size);
  if (WantsBinary(output)) {
    { const UnfinishedFile writable(output); }  // fails now instead of after hours of work
    TemporaryFile arpa(prefix, TemporaryFile::Name::kKept);
    RunReported(config, text.descriptor(), reporter, [&](std::string_view bytes) { arpa.Append(bytes); });
    LanguageModel::WriteBinary(arpa.name(), output, StopCheck(reporter.stop));
  } else {
    OutputFile arpa(output);
    RunReported(config, text.descriptor(), reporter, [&](std::string_view bytes) { arpa.Write(bytes); });
    arpa.Close();
  }
}

}  // namespace graft::engine
