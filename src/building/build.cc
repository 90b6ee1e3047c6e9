#include "building/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <unordered_set>

#include "building/alignment_counter.h"
#include "building/key_groups.h"
#include "building/rule_records.h"
#include "graft/error.h"
#include "rules/labels.h"
#include "util/add_count.h"
#include "util/batches.h"
#include "util/compression.h"

namespace graft::engine {
namespace {

// Of a record; the joint count is the record's.
struct Payload {
  RuleCount count_target;
  uint32_t alignment;  // number, not id
  float lex_source_given_target;
  float lex_target_given_source;

  static constexpr size_t kBytes = 20;
  void AppendTo(std::string* bytes) const { bytes->append(reinterpret_cast<const char*>(this), kBytes); }
  static Payload From(std::string_view bytes) {
    Payload payload;
    std::memcpy(&payload, bytes.data(), kBytes);
    return payload;
  }
  void CopyTo(const AlignmentIds& ids, RuleCount count_joint, TableEntry* entry) const {
    entry->alignment = ids.id_of[alignment];
    entry->scores.lex_source_given_target = lex_source_given_target;
    entry->scores.lex_target_given_source = lex_target_given_source;
    entry->count_target = count_target;
    entry->count_joint = count_joint;
  }
};

float Log(RuleCount part, RuleCount whole) {
  return static_cast<float>(std::log(static_cast<double>(part) / static_cast<double>(whole)));
}

// New ids of words by old ones, and the words by new id.
struct WordOrder {
  std::vector<WordId> id_of;
  std::vector<std::string> words;

  WordOrder(const Vocabulary& vocabulary, const std::vector<uint64_t>& link_counts) : id_of(vocabulary.size()) {
    for (WordId old : OrderByLinks(vocabulary, link_counts)) {
      id_of[old] = static_cast<WordId>(words.size());
      words.push_back(vocabulary.Word(old));
    }
  }
};

// New ids of labels by their numbers, and the labels by new id: X, then bytewise those that rules have.
struct LabelOrder {
  std::vector<uint32_t> id_of;
  std::vector<std::string> labels;

  explicit LabelOrder(const OccurrenceLabels& found) : id_of(found.texts.size()) {
    std::vector<uint32_t> used;
    for (uint32_t number = 0; number < found.texts.size(); ++number)
      if (number == kLabelX || found.used[number]) used.push_back(number);
    std::sort(used.begin(), used.end(), [&](uint32_t a, uint32_t b) {
      return a != b && (a == kLabelX || (b != kLabelX && found.texts[a] < found.texts[b]));
    });
    for (uint32_t number : used) {
      id_of[number] = static_cast<uint32_t>(labels.size());
      labels.push_back(found.texts[number]);
    }
  }
};

// Ids in a table by those of the occurrences, and what they stand for by new id.
struct TableIds {
  WordOrder source, target;
  LabelOrder labels;
};

// One thread's way from target groups to records.
class TargetScorer {
 public:
  TargetScorer(const PackedForm& form, const Lexicon& lexicon, const TableIds& ids, TextNumbers* numbers,
               const CountingSorter::Options& options)
      : form_(form), lexicon_(lexicon), ids_(ids), alignments_(form, numbers), records_(options) {}

  void Score(const KeyBatch& batch, const KeyBatch::Group& group) {
    std::string_view side = batch.Side(group);
    TakeTarget(&side, &target_);
    mapped_target_.clear();
    for (TargetSymbol symbol : target_)
      mapped_target_.push_back(IsTargetWord(symbol) ? TargetWord(ids_.target.id_of[TargetWordId(symbol)]) : symbol);
    RuleCount count_target = 0;
    for (size_t i = group.first_item; i < group.items_end; ++i) AddCount(batch.items[i].count, &count_target);
    for (size_t i = group.first_item; i < group.items_end;) i = ScoreRule(batch, i, group.items_end, count_target);
  }

  CountingSorter& records() { return records_; }
  const AlignmentCounter& alignments() const { return alignments_; }
  const std::unordered_set<uint32_t>& signatures() const { return signatures_; }

 private:
  // The rule that starts at item `first`: all alignments of one source (and left-hand side). Returns the item after it.
  size_t ScoreRule(const KeyBatch& batch, size_t first, size_t end, RuleCount count_target) {
    const std::string_view whole = batch.Rest(batch.items[first]);
    std::string_view rest = whole;
    TakeSource(form_.signatures, &rest, &source_);
    const uint32_t lhs = form_.lhs ? TakeLabel(&rest) : kLabelX;
    const std::string_view source_bytes = whole.substr(0, whole.size() - rest.size());
    const AlignmentCounter::Alignment* best = nullptr;
    RuleCount best_count = 0, total = 0;
    std::string_view best_links;
    size_t i = first;
    do {
      const std::string_view links = batch.Rest(batch.items[i]).substr(source_bytes.size());
      const RuleCount count = batch.items[i].count;
      const AlignmentCounter::Alignment& alignment = alignments_.Count(links, source_, count);
      if (best == nullptr || count > best_count || (count == best_count && alignment.text < best->text)) {
        best = &alignment;
        best_count = count;
        best_links = links;
      }
      AddCount(count, &total);
    } while (++i < end && batch.Rest(batch.items[i]).starts_with(source_bytes));
    UnpackLinks(form_, best_links, &links_);
    const Lexicon::Weights weights = lexicon_.Weigh(source_, target_, links_);
    for (SourceSymbol& symbol : source_) {
      symbol.symbol = (symbol.symbol & kLabelBit) == 0 ? ids_.source.id_of[symbol.symbol]
                                                       : ids_.labels.id_of[symbol.symbol & ~kLabelBit] | kLabelBit;
      NoteSignature(symbol.signature);
    }
    key_.clear();
    AppendSource(form_.signatures, source_, &key_);
    if (form_.lhs) AppendLabel(ids_.labels.id_of[lhs], &key_);
    AppendTarget(mapped_target_, &key_);
    Payload{count_target, best->number, static_cast<float>(weights.source_given_target),
            static_cast<float>(weights.target_given_source)}
        .AppendTo(&key_);
    records_.Add(key_, total);
    return i;
  }

  void NoteSignature(uint32_t signature) {
    uint64_t& seen = recent_signatures_[signature * 0x9E3779B1u >> 22];
    if (seen == uint64_t{signature} + 1) return;
    seen = uint64_t{signature} + 1;
    signatures_.insert(signature);
  }

  PackedForm form_;
  const Lexicon& lexicon_;
  const TableIds& ids_;
  AlignmentCounter alignments_;
  CountingSorter records_;
  std::unordered_set<uint32_t> signatures_;
  std::array<uint64_t, 1024> recent_signatures_{};  // spares the set most of its look-ups
  std::vector<SourceSymbol> source_;
  std::vector<TargetSymbol> target_, mapped_target_;
  std::vector<RuleLink> links_;
  std::string key_;
};

// Links by word, those to NULL included: what orders word ids.
struct WordLinks {
  std::vector<uint64_t> source, target;
  explicit WordLinks(const Occurrences& occurrences)
      : source(occurrences.source_words.size()), target(occurrences.target_words.size()) {
    for (const LinkCounts::Entry& entry : occurrences.links.Entries()) {
      if (entry.source != kNoWord) source[entry.source] += entry.count;
      if (entry.target != kNoWord) target[entry.target] += entry.count;
    }
  }
};

// p(t|s) and p(s|t), which need c(s): that of the source side with its left-hand side. Entries of one left-hand side
// stand together.
void ScoreSource(std::span<TableEntry> entries) {
  for (size_t first = 0, end = 0; first < entries.size(); first = end) {
    RuleCount count_source = 0;
    for (; end < entries.size() && entries[end].lhs == entries[first].lhs; ++end)
      AddCount(entries[end].count_joint, &count_source);
    for (TableEntry& entry : entries.subspan(first, end - first)) {
      entry.count_source = count_source;
      entry.scores.p_target_given_source = Log(entry.count_joint, count_source);
      entry.scores.p_source_given_target = Log(entry.count_joint, entry.count_target);
    }
  }
}

using Scorers = std::vector<std::unique_ptr<TargetScorer>>;

// Scores the targets group by group; afterwards the scorers' records are sorted.
void ScoreTargets(std::vector<CountingSorter> counts, int threads, const StopCheck& stop, Scorers* scorers) {
  {
    MergedCounts by_target(std::move(counts));
    GroupReader groups(&by_target);
    RunBatches<KeyBatch>(
        threads, [&](KeyBatch* batch) { return groups.Read(batch); },
        [&](int worker, KeyBatch* batch) {
          for (const KeyBatch::Group& group : batch->groups) (*scorers)[worker]->Score(*batch, group);
        },
        stop);
  }
  RunOnAll(threads, [&](int worker) { (*scorers)[worker]->records().Finish(); });
}

// Takes the records and the signatures of all scorers; counts alignments by number.
void Collect(Scorers scorers, RuleRecords* records, std::vector<uint64_t>* alignment_counts) {
  std::unordered_set<uint32_t> signatures;
  for (auto& scorer : scorers) {
    scorer->alignments().AddTo(alignment_counts);
    signatures.insert(scorer->signatures().begin(), scorer->signatures().end());
    records->sorted.push_back(std::move(scorer->records()));
  }
  records->header.signatures.assign(signatures.begin(), signatures.end());
  std::sort(records->header.signatures.begin(), records->header.signatures.end());
}

}  // namespace

void CheckTableOutput(const std::string& path) {
  if (path == "-") throw Error("a table cannot be written to stdout; name a file, e.g. rules.graft");
  if (CompressionOf(path) != Compression::kNone)
    throw Error(path + ": a table is mapped into memory and cannot be compressed; choose a name like rules.graft");
  CheckWritable(path);
}

std::string TotalsText(const std::string& path, const TableTotals& totals) {
  return fmt::format("{}: {} rules, {} source sides, {:.1f} bytes a rule", path, totals.rules, totals.source_sides,
                     totals.rules == 0 ? 0 : static_cast<double>(totals.bytes) / static_cast<double>(totals.rules));
}

TableTotals BuildTable(Occurrences occurrences, const BuildOptions& options, const WorkOptions& work,
                       const std::string& path, const Reporter& reporter) {
  CheckTableOutput(path);
  if (occurrences.totals.occurrences == 0)
    throw Error("there are no rules to store: the corpus is empty, or none of its pairs has links");
  const WordLinks word_links(occurrences);
  TableIds ids{WordOrder(occurrences.source_words, word_links.source),
               WordOrder(occurrences.target_words, word_links.target), LabelOrder(occurrences.labels)};
  const Lexicon lexicon(occurrences.links);
  occurrences.links = LinkCounts();

  TextNumbers numbers;
  const CountingSorter::Options sorting{.memory_bytes = work.memory_bytes * 2 / 5 / static_cast<uint64_t>(work.threads),
                                        .temp_folder = work.temp_folder,
                                        .aggregate = false,
                                        .stop = StopCheck(reporter.stop)};
  Scorers scorers;
  for (int i = 0; i < work.threads; ++i)
    scorers.push_back(std::make_unique<TargetScorer>(occurrences.form, lexicon, ids, &numbers, sorting));
  ScoreTargets(std::move(occurrences.counts), work.threads, sorting.stop, &scorers);

  RuleRecords records;
  std::vector<uint64_t> alignment_counts(numbers.texts().size());
  Collect(std::move(scorers), &records, &alignment_counts);
  AlignmentIds alignments = OrderAlignments(numbers.texts(), alignment_counts);
  TableHeader& header = records.header;
  header.spec = options.spec;
  header.coding = options.scores;
  header.counts = options.counts;
  header.lhs = occurrences.form.lhs;
  header.source_words = std::move(ids.source.words);
  header.target_words = std::move(ids.target.words);
  if (options.spec.has_grammar()) header.labels = std::move(ids.labels.labels);
  header.alignments = std::move(alignments.alignments);
  records.read_entry = [&](std::string_view bytes, uint64_t count, TableEntry* entry) {
    Payload::From(bytes).CopyTo(alignments, count, entry);
  };
  records.complete = ScoreSource;
  return WriteRecords(std::move(records), options.keep, work, path, reporter);
}

}  // namespace graft::engine
