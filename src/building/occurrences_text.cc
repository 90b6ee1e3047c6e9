// Occurrences and lexicons as text (interface of `graft extract`).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "building/key_groups.h"
#include "building/occurrences.h"
#include "building/packed_rule.h"
#include "graft/error.h"
#include "rules/labels.h"
#include "rules/rule_text.h"
#include "util/batches.h"
#include "util/line_reader.h"
#include "util/output_file.h"
#include "util/quantities.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

constexpr std::string_view kBars = " ||| ";
constexpr size_t kBatchBytes = size_t{128} << 10;

// Sort keys of lines: fields compare one after the other. A field ends with two zero bytes; a zero byte within is
// followed by 1, so that a field still sorts before its extensions.
void AppendField(std::string_view field, std::string* key) {
  for (;;) {
    const size_t zero = field.find('\0');
    key->append(field.substr(0, zero));
    if (zero == std::string_view::npos) break;
    key->append(std::string_view("\0\1", 2));
    field.remove_prefix(zero + 1);
  }
  key->append(std::string_view("\0\0", 2));
}

void TakeField(std::string_view* key, std::string* field) {
  for (;;) {
    const size_t zero = key->find('\0');
    field->append(key->substr(0, zero));
    const bool end = (*key)[zero + 1] == '\0';
    key->remove_prefix(zero + 2);
    if (end) return;
    field->push_back('\0');
  }
}

// The line without its end, from a key and its count.
void FormatLine(std::string_view key, RuleCount count, std::string* line) {
  line->clear();
  for (int field = 0; field < 4; ++field) {
    TakeField(&key, line);
    line->append(kBars);
  }
  line->append(FormatCount(count));
  line->append(kBars);
  TakeField(&key, line);
}

struct LineBatch {
  std::string bytes;
  struct Line {
    size_t begin, length;
    uint64_t number;
  };
  std::vector<Line> lines;
  std::string file;  // all of them come from here
};

// Lines of several files; a batch never mixes files.
class BatchedLines {
 public:
  BatchedLines(std::span<const std::string> files, const Reporter& reporter) : files_(files), reporter_(reporter) {}

  bool Read(LineBatch* batch) {
    batch->bytes.clear();
    batch->lines.clear();
    for (; batch->lines.empty() && (reader_ || next_ < files_.size());) {
      if (!reader_) reader_ = std::make_unique<LineReader>(files_[next_++], reporter_);
      batch->file = reader_->name();
      bool more = true;
      while (batch->bytes.size() < kBatchBytes && (more = reader_->Next())) {
        batch->lines.push_back({batch->bytes.size(), reader_->line().size(), reader_->line_number()});
        batch->bytes.append(reader_->line());
      }
      if (!more) reader_.reset();
    }
    return !batch->lines.empty();
  }

 private:
  std::span<const std::string> files_;
  const Reporter& reporter_;
  size_t next_ = 0;
  std::unique_ptr<LineReader> reader_;
};

constexpr uint64_t kMostLinks = uint64_t{1} << 53;  // in all: far beyond any corpus, and no sum of some of them wraps

// `total` are the counts of all lexicons so far.
void ReadLexicon(const std::string& path, const Reporter& reporter, uint64_t* total, Occurrences* result) {
  LineReader reader(path, reporter);
  while (reader.Next()) {
    const auto fields = SplitFields(reader.line(), kBars);
    if (fields.size() != 3)
      reader.Fail(fmt::format("{} fields, but a lexicon line is `source ||| target ||| count`", fields.size()));
    uint64_t count = 0;
    const auto [end, error] = std::from_chars(fields[2].data(), fields[2].data() + fields[2].size(), count);
    if (error != std::errc() || end != fields[2].data() + fields[2].size() || count == 0)
      reader.Fail(fmt::format("the count of a link must be a whole number above 0, but is {}", Quoted(fields[2])));
    if (count > kMostLinks - *total)
      reader.Fail(fmt::format("more than {} links in all; what counts so much?", GroupDigits(kMostLinks)));
    *total += count;
    if (fields[0].empty() && fields[1].empty()) reader.Fail("a link between NULL and NULL");
    const auto id = [](std::string_view text, Vocabulary* words) {
      return text.empty() ? kNoWord : words->Add(UnescapeWord(text));
    };
    result->links.Add(id(fields[0], &result->source_words), id(fields[1], &result->target_words), count);
  }
}

// Reads lines of occurrences into a sorter; one per thread.
class OccurrenceParser {
 public:
  OccurrenceParser(const SystemSpec& spec, const Occurrences& known, LabelNumbers* labels,
                   const CountingSorter::Options& options)
      : spec_(spec),
        packer_(PackedForm(spec)),
        most_source_(spec.has_blocks()
                         ? kMaxPackedSymbols
                         : static_cast<size_t>(spec.has_grammar() ? spec.grammar.max_symbols : spec.max_length)),
        most_target_(spec.has_blocks() ? kMaxPackedTarget : static_cast<size_t>(spec.max_length)),
        counts_(options) {
    ids_.source_word = Lookup(known.source_words, "source");
    ids_.target_word = Lookup(known.target_words, "target");
    ids_.label = [this, labels](std::string_view text) {
      const WordId known_label = label_texts_.Find(text);
      if (known_label != kNoWord) return label_numbers_[known_label];
      label_texts_.Add(text);
      return label_numbers_.emplace_back(labels->Number(text));
    };
  }

  void Parse(std::string_view line) {
    const auto fields = SplitFields(line, kBars);
    if (fields.size() != 6)
      throw Error(fmt::format("{} fields, but a line is `LHS ||| source ||| edges ||| target ||| count ||| links`",
                              fields.size()));
    const RuleText text = {
        .lhs = fields[0], .source = fields[1], .edges = fields[2], .target = fields[3], .links = fields[5]};
    const ParsedRule rule = ParseRule(spec_, text, ids_);
    if (rule.source.size() > most_source_ || rule.target.size() > most_target_)
      throw Error(
          fmt::format("a rule of {} source and {} target symbols, but the system has at most {} and {}; give the "
                      "{} of the extraction",
                      rule.source.size(), rule.target.size(), most_source_, most_target_,
                      spec_.has_grammar() ? "--max-symbols and --max-length" : "--max-length"));
    const RuleCount count = ParseCount(fields[4]);
    if (count == 0) throw Error("a count of 0");
    counts_.Add(packer_.Pack({rule.lhs, rule.source, rule.target, rule.links, count}), count);
    ++lines_;
  }

  CountingSorter& counts() { return counts_; }
  uint64_t lines() const { return lines_; }

 private:
  static Intern Lookup(const Vocabulary& words, std::string_view side) {
    return [&words, side](std::string_view word) {
      const WordId id = words.Find(word);
      if (id == kNoWord)
        throw Error(
            fmt::format("the {} word {} is in no lexicon; give the lexicons of all shards", side, Quoted(word)));
      return id;
    };
  }

  const SystemSpec& spec_;
  OccurrencePacker packer_;
  size_t most_source_, most_target_;  // symbols
  CountingSorter counts_;
  RuleInterns ids_;
  Vocabulary label_texts_;  // seen by this thread: spares the others their lock
  std::vector<uint32_t> label_numbers_;
  uint64_t lines_ = 0;
};

// Turns packed occurrences into the keys of lines; shared by all threads.
class OccurrenceFormatter {
 public:
  explicit OccurrenceFormatter(const Occurrences& occurrences)
      : form_(occurrences.form),
        source_word_([&](WordId id) -> std::string_view { return occurrences.source_words.Word(id); }),
        target_word_([&](WordId id) -> std::string_view { return occurrences.target_words.Word(id); }),
        label_([&](uint32_t number) -> std::string_view { return occurrences.labels.texts[number]; }) {}

  void Format(const KeyBatch& batch, CountingSorter* lines) const {
    std::vector<TargetSymbol> target;
    std::vector<SourceSymbol> source;
    std::vector<RuleLink> links;
    std::string key;
    for (const KeyBatch::Group& group : batch.groups) {
      std::string_view side = batch.Side(group);
      TakeTarget(&side, &target);
      for (size_t i = group.first_item; i < group.items_end; ++i) {
        std::string_view rest = batch.Rest(batch.items[i]);
        TakeSource(form_.signatures, &rest, &source);
        const uint32_t lhs = form_.lhs ? TakeLabel(&rest) : kLabelX;
        UnpackLinks(form_, rest, &links);
        const RuleFields fields =
            FormatRule(form_.signatures, {lhs, source, target, links}, source_word_, target_word_, label_);
        key.clear();
        for (const std::string* field : {&fields.lhs, &fields.source, &fields.edges, &fields.target, &fields.links})
          AppendField(*field, &key);
        lines->Add(key, batch.items[i].count);
      }
    }
  }

 private:
  const PackedForm& form_;
  const WordOf source_word_, target_word_;
  const LabelOf label_;
};

void WriteLexicon(const Occurrences& occurrences, OutputFile* file) {
  std::vector<std::string> lines;
  const auto text = [](WordId id, const Vocabulary& words) {
    return id == kNoWord ? std::string() : EscapeWord(words.Word(id));
  };
  for (const LinkCounts::Entry& entry : occurrences.links.Entries())
    lines.push_back(fmt::format("{}{}{}{}{}\n", text(entry.source, occurrences.source_words), kBars,
                                text(entry.target, occurrences.target_words), kBars, entry.count));
  std::sort(lines.begin(), lines.end());
  for (const std::string& line : lines) file->Write(line);
}

}  // namespace

Occurrences ReadOccurrences(std::span<const std::string> occurrence_files, std::span<const std::string> lexicon_files,
                            const SystemSpec& spec, const WorkOptions& work, const Reporter& reporter) {
  if (lexicon_files.empty())
    throw Error(
        "no lexicon given: occurrences alone do not determine lexical weights; write one with `graft extract "
        "--lexicon`");
  Occurrences result;
  result.form = PackedForm(spec);
  uint64_t links = 0;
  for (const std::string& path : lexicon_files) ReadLexicon(path, reporter, &links, &result);
  const CountingSorter::Options options{.memory_bytes = work.memory_bytes * 2 / 5 / static_cast<uint64_t>(work.threads),
                                        .temp_folder = work.temp_folder,
                                        .aggregate = true};
  std::vector<std::unique_ptr<OccurrenceParser>> parsers;
  LabelNumbers labels;
  for (int i = 0; i < work.threads; ++i)
    parsers.push_back(std::make_unique<OccurrenceParser>(spec, result, &labels, options));
  BatchedLines lines(occurrence_files, reporter);
  RunBatches<LineBatch>(
      work.threads, [&](LineBatch* batch) { return lines.Read(batch); },
      [&](int worker, LineBatch* batch) {
        for (const LineBatch::Line& line : batch->lines) {
          try {
            parsers[worker]->Parse(std::string_view(batch->bytes).substr(line.begin, line.length));
          } catch (const Error& error) {
            throw Error::At(batch->file, line.number, error.what());
          }
        }
      });
  RunOnAll(work.threads, [&](int worker) { parsers[worker]->counts().Finish(); });
  for (auto& parser : parsers) {
    result.counts.push_back(std::move(parser->counts()));
    result.totals.occurrences += parser->lines();
  }
  result.labels.texts = labels.texts();
  result.labels.used.assign(labels.texts().size(), true);
  return result;
}

uint64_t WriteOccurrences(Occurrences occurrences, const WorkOptions& work, const std::string& path,
                          const std::string& lexicon) {
  std::vector<OutputFile> files;
  files.emplace_back(path);
  if (!lexicon.empty()) WriteLexicon(occurrences, &files.emplace_back(lexicon));
  const CountingSorter::Options options{.memory_bytes = work.memory_bytes * 2 / 5 / static_cast<uint64_t>(work.threads),
                                        .temp_folder = work.temp_folder,
                                        .aggregate = false};
  std::vector<CountingSorter> lines;
  for (int i = 0; i < work.threads; ++i) lines.emplace_back(options);
  {
    MergedCounts found(std::move(occurrences.counts));
    GroupReader groups(&found);
    const OccurrenceFormatter formatter(occurrences);
    RunBatches<KeyBatch>(
        work.threads, [&](KeyBatch* batch) { return groups.Read(batch); },
        [&](int worker, KeyBatch* batch) { formatter.Format(*batch, &lines[worker]); });
  }
  RunOnAll(work.threads, [&](int worker) { lines[worker].Finish(); });
  MergedCounts sorted(std::move(lines));
  uint64_t written = 0;
  for (std::string line; sorted.Next(); ++written) {
    FormatLine(sorted.key(), sorted.count(), &line);
    line += '\n';
    files.front().Write(line);
  }
  OutputFile::CloseTogether(files);
  return written;
}

}  // namespace graft::engine
