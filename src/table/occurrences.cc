#include "table/occurrences.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "rules/extract.h"
#include "table/batches.h"
#include "table/packed_rule.h"
#include "text/error.h"

namespace graft {
namespace {

constexpr size_t kBatchWords = 4000;

// Pairs in the order of the corpus; `used` of them are filled, the others wait for reuse.
struct PairBatch {
  std::vector<IndexedPair> pairs;
  size_t used = 0;
};

// What one thread finds.
struct Worker {
  Worker(const SystemSpec& spec, const CountingSorter::Options& options)
      : kind(spec.signature()), extractor(spec, nullptr), counts(options) {
    sink = [this](const RuleOccurrence& rule, const UnitPair&) {
      PackOccurrence(kind, rule, &key);
      counts.Add(key, rule.count);
      ++totals.occurrences;
    };
  }

  void Take(const IndexedPair& pair) {
    links.AddPair(pair.source, pair.target, pair.links);
    const size_t longest = std::max(pair.source.size(), pair.target.size());
    if (pair.source.empty() || pair.target.empty()) {
      ++totals.empty;
    } else if (pair.links.empty()) {
      ++totals.unlinked;
    } else if (longest > static_cast<size_t>(kMaxSentenceWords)) {
      ++totals.too_long;
    } else {
      extractor.Extract(pair, sink);
    }
  }

  SignatureKind kind;
  RuleExtractor extractor;
  RuleSink sink;
  LinkCounts links;
  CountingSorter counts;
  OccurrenceTotals totals;
  std::string key;
};

// Reads pairs and gives their words ids.
class IndexingReader {
 public:
  IndexingReader(const TrainingCorpus& corpus, const SystemSpec& spec, const Reporter& reporter, Occurrences* result)
      : corpus_(corpus.files, corpus.format, corpus.source, reporter),
        trees_(spec.reads_tree()),
        reporter_(reporter),
        result_(result) {}

  bool Read(PairBatch* batch) {
    batch->used = 0;
    for (size_t words = 0; words < kBatchWords && corpus_.Next(&pair_);) {
      if (batch->used == batch->pairs.size()) batch->pairs.emplace_back();
      IndexedPair& indexed = batch->pairs[batch->used++];
      Index(pair_.source.tokens, &result_->source_words, &indexed.source);
      Index(pair_.target, &result_->target_words, &indexed.target);
      if (trees_) indexed.heads = pair_.source.heads;
      indexed.links = pair_.links;
      words += indexed.source.size() + indexed.target.size() + 1;
    }
    result_->totals.pairs = corpus_.pairs();
    reporter_.Progress("extract", corpus_.pairs(), 0);
    return batch->used > 0;
  }

 private:
  static void Index(const std::vector<std::string>& words, Vocabulary* vocabulary, std::vector<WordId>* ids) {
    ids->clear();
    for (const std::string& word : words) ids->push_back(vocabulary->Add(word));
  }

  ParallelCorpus corpus_;
  bool trees_;
  const Reporter& reporter_;
  Occurrences* result_;
  SentencePair pair_;
};

}  // namespace

Occurrences CountOccurrences(const TrainingCorpus& corpus, const SystemSpec& spec, const WorkOptions& work,
                             const Reporter& reporter) {
  if (spec.reads_tree() && corpus.format != SourceFormat::kConllu)
    throw Error(fmt::format("{}: {} needs dependency trees; give the source as CoNLL-U (.conllu)", corpus.files.source,
                            spec.name));
  Occurrences result;
  result.kind = spec.signature();
  const CountingSorter::Options options{.memory_bytes = work.memory_bytes * 2 / 5 / static_cast<uint64_t>(work.threads),
                                        .temp_folder = work.temp_folder,
                                        .aggregate = true};
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < work.threads; ++i) workers.push_back(std::make_unique<Worker>(spec, options));
  IndexingReader reader(corpus, spec, reporter, &result);
  RunBatches<PairBatch>(
      work.threads, [&](PairBatch* batch) { return reader.Read(batch); },
      [&](int worker, PairBatch* batch) {
        for (size_t i = 0; i < batch->used; ++i) workers[worker]->Take(batch->pairs[i]);
      });
  RunOnAll(work.threads, [&](int worker) { workers[worker]->counts.Finish(); });
  for (auto& worker : workers) {
    result.links.Merge(worker->links);
    result.counts.push_back(std::move(worker->counts));
    result.totals.empty += worker->totals.empty;
    result.totals.unlinked += worker->totals.unlinked;
    result.totals.too_long += worker->totals.too_long;
    result.totals.occurrences += worker->totals.occurrences;
  }
  reporter.Progress("extract", result.totals.pairs, result.totals.pairs);
  return result;
}

void CheckWritable(const std::string& path) {
  if (path == "-") return;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw Error(path + ": is a folder; name a file");
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  if (!std::filesystem::is_directory(folder, ignored))
    throw Error(fmt::format("{}: the folder {} does not exist; make it first", path, folder.string()));
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    throw Error(fmt::format("{}: no permission to write into the folder {}", path, folder.string()));
}

}  // namespace graft
