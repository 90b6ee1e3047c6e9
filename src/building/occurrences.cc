#include "building/occurrences.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "building/packed_rule.h"
#include "graft/error.h"
#include "rules/extract.h"
#include "rules/labels.h"
#include "util/batches.h"
#include "util/system_error.h"

namespace graft::engine {
namespace {

constexpr size_t kBatchWords = 4000;

// Pairs in the order of the corpus; `used` of them are filled, the others wait for reuse.
struct PairBatch {
  std::vector<IndexedPair> pairs;
  size_t used = 0;
};

// What one thread finds.
class Worker {
 public:
  Worker(const SystemSpec& spec, LabelNumbers* labels, uint64_t max_pair_rules, const CountingSorter::Options& options)
      : packer_(PackedForm(spec)),
        marks_labels_(spec.labelled()),
        extractor_(spec, labels, max_pair_rules),
        counts_(options) {
    sink_ = [this](const RuleOccurrence& rule, const UnitPair&) { Count(rule); };
  }

  void Take(const IndexedPair& pair) {
    links_.AddPair(pair.source, pair.target, pair.links);
    const size_t longest = std::max(pair.source.size(), pair.target.size());
    if (pair.source.empty() || pair.target.empty()) {
      ++totals_.empty;
    } else if (pair.links.empty()) {
      ++totals_.unlinked;
    } else if (longest > static_cast<size_t>(kMaxSentenceWords)) {
      ++totals_.too_long;
    } else if (!extractor_.Extract(pair, sink_)) {
      ++totals_.bounded;
    }
  }

  void Finish() { counts_.Finish(); }

  // Adds what this thread found; all labels have their places in `result` already.
  void AddTo(Occurrences* result) {
    result->links.Merge(links_);
    result->counts.push_back(std::move(counts_));
    result->totals.empty += totals_.empty;
    result->totals.unlinked += totals_.unlinked;
    result->totals.too_long += totals_.too_long;
    result->totals.bounded += totals_.bounded;
    result->totals.occurrences += totals_.occurrences;
    for (size_t label = 0; label < used_labels_.size(); ++label)
      if (used_labels_[label]) result->labels.used[label] = true;
  }

 private:
  void Count(const RuleOccurrence& rule) {
    counts_.Add(packer_.Pack(rule), rule.count);
    ++totals_.occurrences;
    if (!marks_labels_) return;
    MarkLabel(rule.lhs);
    for (const SourceSymbol& symbol : rule.source)
      if ((symbol.symbol & kLabelBit) != 0) MarkLabel(symbol.symbol & ~kLabelBit);
  }

  void MarkLabel(uint32_t label) {
    if (label >= used_labels_.size()) used_labels_.resize(std::max<size_t>(label + 1, 2 * used_labels_.size()));
    used_labels_[label] = true;
  }

  OccurrencePacker packer_;
  bool marks_labels_;
  RuleExtractor extractor_;
  RuleSink sink_;
  LinkCounts links_;
  CountingSorter counts_;
  OccurrenceTotals totals_;
  std::vector<bool> used_labels_;  // by number; those beyond its end are not
};

// Reads pairs and gives their words ids.
class IndexingReader {
 public:
  IndexingReader(const TrainingCorpus& corpus, const SystemSpec& spec, const Reporter& reporter, Occurrences* result)
      : corpus_(corpus.files, corpus.format, corpus.source, reporter),
        trees_(spec.reads_tree()),
        tags_(spec.labelled()),
        texts_(spec.has_blocks()),
        reporter_(reporter),
        result_(result) {}

  // Whether the tags that the system needs were only `_`.
  bool untagged() const { return tags_ && !tag_seen_ && corpus_.pairs() > 0; }

  bool Read(PairBatch* batch) {
    batch->used = 0;
    for (size_t words = 0; words < kBatchWords && corpus_.Next(&pair_);) {
      if (batch->used == batch->pairs.size()) batch->pairs.emplace_back();
      IndexedPair& indexed = batch->pairs[batch->used++];
      Index(pair_.source.tokens, &result_->source_words, &indexed.source);
      Index(pair_.target, &result_->target_words, &indexed.target);
      if (trees_) indexed.heads = pair_.source.heads;
      if (tags_) {
        indexed.tags = pair_.source.tags;
        for (const std::string& tag : indexed.tags) tag_seen_ |= tag != "_";
      }
      if (texts_) indexed.words = pair_.source.tokens;
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
  bool trees_, tags_, texts_;
  bool tag_seen_ = false;
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
  result.form = PackedForm(spec);
  result.totals.max_pair_rules = MaxPairRules(spec, corpus.max_pair_rules);
  const CountingSorter::Options options{.memory_bytes = work.memory_bytes * 2 / 5 / static_cast<uint64_t>(work.threads),
                                        .temp_folder = work.temp_folder,
                                        .aggregate = true,
                                        .stop = StopCheck(reporter.stop)};
  LabelNumbers labels;
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < work.threads; ++i)
    workers.push_back(std::make_unique<Worker>(spec, &labels, corpus.max_pair_rules, options));
  IndexingReader reader(corpus, spec, reporter, &result);
  RunBatches<PairBatch>(
      work.threads, [&](PairBatch* batch) { return reader.Read(batch); },
      [&](int worker, PairBatch* batch) {
        for (size_t i = 0; i < batch->used; ++i) workers[worker]->Take(batch->pairs[i]);
      });
  if (reader.untagged())
    reporter.Warn(fmt::format("{}: no word has a part of speech (XPOS or UPOS), so labels tell no units apart",
                              corpus.files.source));
  RunOnAll(work.threads, [&](int worker) { workers[worker]->Finish(); });
  result.labels.texts = labels.texts();
  result.labels.used.resize(labels.texts().size());
  for (auto& worker : workers) worker->AddTo(&result);
  reporter.Progress("extract", result.totals.pairs, result.totals.pairs);
  return result;
}

std::string TotalsText(const OccurrenceTotals& totals) {
  return fmt::format("{} pairs, {} skipped ({} with an empty side, {} without links, {} over {} words), {} occurrences",
                     totals.pairs, totals.skipped(), totals.empty, totals.unlinked, totals.too_long, kMaxSentenceWords,
                     totals.occurrences);
}

std::string BoundedText(const OccurrenceTotals& totals) {
  if (totals.bounded == 0) return "";
  return fmt::format("{} pair{} had more than {} rules: only those of {} small units are kept", totals.bounded,
                     totals.bounded == 1 ? "" : "s", totals.max_pair_rules, totals.bounded == 1 ? "its" : "their");
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
    throw Error(fmt::format("{}: cannot write into the folder {}: {}", path, folder.string(), SystemReason(errno)));
}

}  // namespace graft::engine
