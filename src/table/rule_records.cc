#include "table/rule_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "rules/rule_text.h"
#include "table/batches.h"
#include "table/key_groups.h"
#include "text/error.h"
#include "text/parallel.h"

namespace graft {
namespace {

// Source sides ready to be written.
struct SourceBatch {
  struct Side {
    size_t symbols_begin, symbols_end, entries_begin, entries_end;
  };
  std::vector<SourceSymbol> symbols;
  std::vector<TableEntry> entries;
  std::vector<Side> sides;
};

class RecordReader {
 public:
  explicit RecordReader(const RuleRecords& records) : records_(records), kind_(records.header.spec.signature()) {}

  void ReadSource(const KeyBatch& batch, const KeyBatch::Group& group, std::vector<SourceSymbol>* source) const {
    std::string_view side = batch.Side(group);
    TakeSource(kind_, &side, source);
  }

  // Entries in key order, that is by target symbols.
  void ReadEntries(const KeyBatch& batch, const KeyBatch::Group& group, std::vector<TableEntry>* entries) const {
    const size_t first = entries->size();
    for (size_t i = group.first_item; i < group.items_end; ++i) {
      TableEntry& entry = entries->emplace_back();
      std::string_view rest = batch.Rest(batch.items[i]);
      TakeTarget(&rest, &entry.target);
      records_.read_entry(rest, batch.items[i].count, &entry);
      if (i > group.first_item && entry.target == (*entries)[entries->size() - 2].target) Repeated(batch, group, entry);
    }
    if (records_.complete) records_.complete(std::span(*entries).subspan(first));
  }

 private:
  [[noreturn]] void Repeated(const KeyBatch& batch, const KeyBatch::Group& group, const TableEntry& entry) const {
    std::vector<SourceSymbol> source;
    ReadSource(batch, group, &source);
    const RuleFields fields = FormatRule(
        kind_, {0, source, entry.target, {}},
        [&](WordId id) -> std::string_view { return records_.header.source_words[id]; },
        [&](WordId id) -> std::string_view { return records_.header.target_words[id]; });
    throw Error(fmt::format("{}: `{} ||| {}` occurs twice", records_.origin, fields.source, fields.target));
  }

  const RuleRecords& records_;
  SignatureKind kind_;
};

// Books from all scores of the stream, which is then wound back.
std::vector<ScoreBook> MakeBooks(const RecordReader& reader, const WorkOptions& work, MergedCounts* stream) {
  constexpr size_t kCodes = 65536;
  std::vector<std::vector<uint64_t>> histograms(static_cast<size_t>(work.threads));
  for (auto& histogram : histograms) histogram.resize(kScoreColumns * kCodes);
  GroupReader groups(stream);
  RunBatches<KeyBatch>(
      work.threads, [&](KeyBatch* batch) { return groups.Read(batch); },
      [&](int worker, KeyBatch* batch) {
        uint64_t* histogram = histograms[worker].data();
        std::vector<TableEntry> entries;
        for (const KeyBatch::Group& group : batch->groups) {
          entries.clear();
          reader.ReadEntries(*batch, group, &entries);
          for (const TableEntry& entry : entries) {
            ++histogram[0 * kCodes + Q16Code(entry.scores.p_source_given_target)];
            ++histogram[1 * kCodes + Q16Code(entry.scores.lex_source_given_target)];
            ++histogram[2 * kCodes + Q16Code(entry.scores.p_target_given_source)];
            ++histogram[3 * kCodes + Q16Code(entry.scores.lex_target_given_source)];
          }
        }
      });
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
  if (records.header.coding == ScoreCoding::kQ8) records.header.books = MakeBooks(reader, work, &stream);
  TableWriter writer(path, records.header);
  const ScoreCodec& codec = writer.codec();
  GroupReader groups(&stream);
  uint64_t written = 0;
  RunOrdered<KeyBatch, SourceBatch>(
      work.threads, [&](KeyBatch* batch) { return groups.Read(batch); },
      [&](int, KeyBatch&& batch) {
        SourceBatch result;
        result.entries.reserve(batch.items.size());
        std::vector<SourceSymbol> source;
        for (const KeyBatch::Group& group : batch.groups) {
          SourceBatch::Side side{result.symbols.size(), 0, result.entries.size(), 0};
          reader.ReadSource(batch, group, &source);
          result.symbols.insert(result.symbols.end(), source.begin(), source.end());
          side.symbols_end = result.symbols.size();
          reader.ReadEntries(batch, group, &result.entries);
          const auto first = result.entries.begin() + static_cast<ptrdiff_t>(side.entries_begin);
          for (auto entry = first; entry != result.entries.end(); ++entry) entry->scores = codec.Round(entry->scores);
          std::sort(first, result.entries.end(),
                    [&](const TableEntry& a, const TableEntry& b) { return StoredBefore(codec, a, b); });
          if (keep > 0 && result.entries.size() - side.entries_begin > keep)
            result.entries.resize(side.entries_begin + keep);
          side.entries_end = result.entries.size();
          result.sides.push_back(side);
        }
        return result;
      },
      [&](SourceBatch&& batch) {
        const std::span<const SourceSymbol> symbols(batch.symbols);
        const std::span<const TableEntry> entries(batch.entries);
        for (const SourceBatch::Side& side : batch.sides)
          writer.Add(symbols.subspan(side.symbols_begin, side.symbols_end - side.symbols_begin),
                     entries.subspan(side.entries_begin, side.entries_end - side.entries_begin));
        written += batch.entries.size();
        reporter.Progress("write", written, 0);
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

}  // namespace graft
