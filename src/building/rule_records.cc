#include "building/rule_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>

#include "building/key_groups.h"
#include "graft/error.h"
#include "rules/labels.h"
#include "rules/rule_text.h"
#include "util/batches.h"
#include "util/parallel.h"

namespace graft::engine {
namespace {

// Source sides ready to be written. A batch is used again, so that entries keep the memory of their targets.
struct SourceBatch {
  struct Side {
    size_t symbols_begin, symbols_end, entries_begin, entries_end;
  };
  std::vector<SourceSymbol> symbols;
  std::vector<TableEntry> entries;
  size_t used = 0;  // entries in use
  std::vector<Side> sides;

  TableEntry& NextEntry() {
    if (used == entries.size()) entries.emplace_back();
    return entries[used++];
  }
  void Clear() {
    symbols.clear();
    sides.clear();
    used = 0;
  }
};

class BatchPool {
 public:
  std::unique_ptr<SourceBatch> Take() {
    std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<SourceBatch>();
    std::unique_ptr<SourceBatch> batch = std::move(free_.back());
    free_.pop_back();
    batch->Clear();
    return batch;
  }
  void Return(std::unique_ptr<SourceBatch> batch) {
    std::lock_guard lock(mutex_);
    free_.push_back(std::move(batch));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<SourceBatch>> free_;
};

class RecordReader {
 public:
  explicit RecordReader(const RuleRecords& records) : records_(records), kind_(records.header.spec.signature()) {}

  void ReadSource(const KeyBatch& batch, const KeyBatch::Group& group, std::vector<SourceSymbol>* source) const {
    std::string_view side = batch.Side(group);
    TakeSource(kind_, &side, source);
  }

  // Appends the entries of a group in key order, that is by target symbols.
  void ReadEntries(const KeyBatch& batch, const KeyBatch::Group& group, SourceBatch* result) const {
    const size_t first = result->used;
    for (size_t i = group.first_item; i < group.items_end; ++i) {
      TableEntry& entry = result->NextEntry();
      std::string_view rest = batch.Rest(batch.items[i]);
      entry.lhs = records_.header.lhs ? TakeLabel(&rest) : kLabelX;
      TakeTarget(&rest, &entry.target);
      records_.read_entry(rest, batch.items[i].count, &entry);
      if (i == group.first_item) continue;
      const TableEntry& before = result->entries[result->used - 2];
      if (entry.lhs == before.lhs && entry.target == before.target) Repeated(batch, group, entry);
    }
    if (records_.complete) records_.complete(std::span(result->entries).subspan(first, result->used - first));
  }

 private:
  [[noreturn]] void Repeated(const KeyBatch& batch, const KeyBatch::Group& group, const TableEntry& entry) const {
    std::vector<SourceSymbol> source;
    ReadSource(batch, group, &source);
    const RuleFields fields = FormatRule(
        kind_, {entry.lhs, source, entry.target, {}},
        [&](WordId id) -> std::string_view { return records_.header.source_words[id]; },
        [&](WordId id) -> std::string_view { return records_.header.target_words[id]; },
        [&](uint32_t label) -> std::string_view {
          return records_.header.labels.empty() ? OnlyX(label) : std::string_view(records_.header.labels[label]);
        });
    throw Error(fmt::format("{}: `{} ||| {}` occurs twice", records_.origin, fields.source, fields.target));
  }

  const RuleRecords& records_;
  SignatureKind kind_;
};

// Books from all scores of the stream, which is then wound back.
std::vector<ScoreBook> MakeBooks(const RecordReader& reader, const WorkOptions& work, const StopCheck& stop,
                                 MergedCounts* stream) {
  constexpr size_t kCodes = 65536;
  std::vector<std::vector<uint64_t>> histograms(static_cast<size_t>(work.threads));
  for (auto& histogram : histograms) histogram.resize(kScoreColumns * kCodes);
  GroupReader groups(stream);
  RunBatches<KeyBatch>(
      work.threads, [&](KeyBatch* batch) { return groups.Read(batch); },
      [&](int worker, KeyBatch* batch) {
        uint64_t* histogram = histograms[worker].data();
        SourceBatch scored;
        for (const KeyBatch::Group& group : batch->groups) {
          scored.Clear();
          reader.ReadEntries(*batch, group, &scored);
          for (const TableEntry& entry : std::span(scored.entries).first(scored.used)) {
            ++histogram[0 * kCodes + Q16Code(entry.scores.p_source_given_target)];
            ++histogram[1 * kCodes + Q16Code(entry.scores.lex_source_given_target)];
            ++histogram[2 * kCodes + Q16Code(entry.scores.p_target_given_source)];
            ++histogram[3 * kCodes + Q16Code(entry.scores.lex_target_given_source)];
          }
        }
      },
      stop);
  stream->Rewind();
  std::vector<ScoreBook> books;
  for (size_t column = 0; column < kScoreColumns; ++column) {
    for (size_t code = 0; code < kCodes; ++code)
      for (size_t i = 1; i < histograms.size(); ++i)
        histograms[0][column * kCodes + code] += histograms[i][column * kCodes + code];
    books.push_back(MakeScoreBook(std::span(histograms[0]).subspan(column * kCodes, kCodes)));
  }
  return books;
}

}  // namespace

TableWriter::Totals WriteRecords(RuleRecords records, uint64_t keep, const WorkOptions& work, const std::string& path,
                                 const Reporter& reporter) {
  MergedCounts stream(std::move(records.sorted));
  const RecordReader reader(records);
  const StopCheck stop(reporter.stop);
  if (records.header.coding == ScoreCoding::kQ8) records.header.books = MakeBooks(reader, work, stop, &stream);
  TableWriter writer(path, records.header, stop);
  const ScoreCodec& codec = writer.codec();
  GroupReader groups(&stream);
  BatchPool pool;
  uint64_t written = 0;
  RunOrdered<KeyBatch, std::unique_ptr<SourceBatch>>(
      work.threads, [&](KeyBatch* batch) { return groups.Read(batch); },
      [&](int, KeyBatch&& batch) {
        std::unique_ptr<SourceBatch> result = pool.Take();
        std::vector<SourceSymbol> source;
        for (const KeyBatch::Group& group : batch.groups) {
          SourceBatch::Side side{result->symbols.size(), 0, result->used, 0};
          reader.ReadSource(batch, group, &source);
          result->symbols.insert(result->symbols.end(), source.begin(), source.end());
          side.symbols_end = result->symbols.size();
          reader.ReadEntries(batch, group, result.get());
          const auto first = result->entries.begin() + static_cast<ptrdiff_t>(side.entries_begin);
          const auto last = result->entries.begin() + static_cast<ptrdiff_t>(result->used);
          for (auto entry = first; entry != last; ++entry) entry->scores = codec.Round(entry->scores);
          std::sort(first, last, [](const TableEntry& a, const TableEntry& b) { return StoredBefore(a, b); });
          if (keep > 0)
            result->used =
                side.entries_begin +
                KeepBest(keep,
                         std::span(result->entries).subspan(side.entries_begin, result->used - side.entries_begin));
          side.entries_end = result->used;
          result->sides.push_back(side);
        }
        return result;
      },
      [&](std::unique_ptr<SourceBatch>&& batch) {
        const std::span<const SourceSymbol> symbols(batch->symbols);
        const std::span<const TableEntry> entries(batch->entries);
        for (const SourceBatch::Side& side : batch->sides)
          writer.Add(symbols.subspan(side.symbols_begin, side.symbols_end - side.symbols_begin),
                     entries.subspan(side.entries_begin, side.entries_end - side.entries_begin));
        written += batch->used;
        reporter.Progress("write", written, 0);
        pool.Return(std::move(batch));
      });
  reporter.Progress("write", written, written);
  return writer.Finish();
}

AlignmentIds OrderAlignments(const std::vector<std::string>& texts, const std::vector<uint64_t>& counts) {
  std::vector<uint32_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : texts[a] < texts[b];
  });
  AlignmentIds ids;
  ids.id_of.resize(texts.size());
  for (uint32_t number : order) {
    ids.id_of[number] = static_cast<uint32_t>(ids.alignments.size());
    ids.alignments.push_back(texts[number]);
  }
  return ids;
}

}  // namespace graft::engine
