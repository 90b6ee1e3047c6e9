#include "table/moses_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "rules/rule_text.h"
#include "table/packed_rule.h"
#include "table/rule_records.h"
#include "text/error.h"
#include "text/line_reader.h"
#include "text/utf8.h"

namespace graft {
namespace {

constexpr double kRoundedOne = 1.001;  // the largest probability that six digits of text may show
constexpr double kLowestScore = -100;  // Moses's LOWEST_SCORE
constexpr int kDefaultLength = 7;

struct Payload {
  std::array<RuleCount, 3> counts{};  // c(t) c(s) c(s,t)
  std::array<float, 4> scores{};
  uint32_t alignment = 0;  // number, not id

  static constexpr size_t kBytes = 44;
  void AppendTo(std::string* bytes) const { bytes->append(reinterpret_cast<const char*>(this), kBytes); }
  static Payload From(std::string_view bytes) {
    Payload payload;
    std::memcpy(static_cast<void*>(&payload), bytes.data(), kBytes);
    return payload;
  }
};

struct CountedVocabulary {
  Vocabulary words;
  std::vector<uint64_t> counts;

  WordId Add(std::string_view word) {
    const WordId id = words.Add(word);
    if (id == counts.size()) counts.push_back(0);
    ++counts[id];
    return id;
  }
};

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

// Reads lines into records whose ids are those of first appearance.
class PhraseReader {
 public:
  PhraseReader(const MosesImportOptions& options, CountingSorter* records) : options_(options), records_(records) {}

  void Read(std::string_view line) {
    auto fields = SplitFields(line, "|||");
    for (std::string_view& field : fields) field = Trim(field);
    if (fields.size() < 3)
      throw Error(
          fmt::format("{} fields, but a phrase table line is `source ||| target ||| scores ||| …`", fields.size()));
    source_.clear();
    for (std::string_view word : SplitTokens(fields[0])) source_.push_back({source_words.Add(word), 0});
    target_.clear();
    for (std::string_view word : SplitTokens(fields[1])) target_.push_back(TargetWord(target_words.Add(word)));
    if (source_.empty() || target_.empty()) throw Error("a phrase without words");
    const size_t length = std::max(source_.size(), target_.size());
    if (length > kMaxPackedSymbols)
      throw Error(fmt::format("a phrase of {} words, but a table holds at most {}", length, kMaxPackedSymbols));
    longest = std::max(longest, static_cast<int>(length));

    Payload payload;
    payload.scores = Scores(fields[2]);
    payload.alignment = AlignmentNumber(fields.size() > 3 ? fields[3] : std::string_view());
    if (options_.counts) payload.counts = Counts(fields.size() > 4 ? fields[4] : std::string_view());
    key_.clear();
    AppendSource(SignatureKind::kNone, source_, &key_);
    AppendTarget(target_, &key_);
    payload.AppendTo(&key_);
    records_->Add(key_, 1);
    ++lines;
  }

  CountedVocabulary source_words, target_words;
  std::vector<std::string> alignments;  // by number
  std::vector<uint64_t> alignment_counts;
  int longest = kDefaultLength;
  uint64_t lines = 0;

 private:
  static std::array<float, 4> Scores(std::string_view field) {
    const auto texts = SplitTokens(field);
    if (texts.size() != kScoreColumns)
      throw Error(
          fmt::format("{} scores, but Graft takes exactly four: p(s|t) lex(s|t) p(t|s) lex(t|s)", texts.size()));
    std::array<float, 4> scores;
    for (size_t i = 0; i < scores.size(); ++i) {
      double probability = 0;
      const auto [end, error] = std::from_chars(texts[i].data(), texts[i].data() + texts[i].size(), probability);
      // A probability too small for a double is as good as 0.
      const bool tiny = error == std::errc::result_out_of_range && texts[i].find("e-") != std::string_view::npos;
      if ((error != std::errc() && !tiny) || end != texts[i].data() + texts[i].size() || !(probability >= 0) ||
          !std::isfinite(probability))
        throw Error(fmt::format("`{}` is not a probability", texts[i]));
      if (probability > kRoundedOne) throw Error(fmt::format("the score {} is above 1: not a probability", texts[i]));
      scores[i] =
          static_cast<float>(tiny || probability == 0 ? kLowestScore : std::max(kLowestScore, std::log(probability)));
    }
    return scores;
  }

  uint32_t AlignmentNumber(std::string_view field) {
    links_.clear();
    for (const WordLink& link : ParseLinks(field, static_cast<int>(source_.size()), static_cast<int>(target_.size())))
      links_.push_back({static_cast<uint8_t>(link.source), static_cast<uint8_t>(link.target)});
    std::string text = FormatLinks(SignatureKind::kNone, source_, links_);
    const auto [found, inserted] = numbers_.emplace(std::move(text), static_cast<uint32_t>(alignments.size()));
    if (inserted) {
      alignments.push_back(found->first);
      alignment_counts.push_back(0);
    }
    ++alignment_counts[found->second];
    return found->second;
  }

  static std::array<RuleCount, 3> Counts(std::string_view field) {
    const auto texts = SplitTokens(field);
    if (texts.size() != 3)
      throw Error(fmt::format("{} counts, but --counts needs three: c(t) c(s) c(s,t)", texts.size()));
    return {Count(texts[0]), Count(texts[1]), Count(texts[2])};
  }

  // Moses prints counts from a million on with an exponent.
  static RuleCount Count(std::string_view text) {
    if (text.find_first_of("eE") == std::string_view::npos) return ParseCount(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value < 9e9))
      throw Error(fmt::format("not a count: `{}`", text));
    return static_cast<RuleCount>(std::llround(value * static_cast<double>(kOneOccurrence)));
  }

  const MosesImportOptions& options_;
  CountingSorter* records_;
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<SourceSymbol> source_;
  std::vector<TargetSymbol> target_;
  std::vector<RuleLink> links_;
  std::string key_;
};

}  // namespace

TableTotals ImportMoses(const std::string& phrase_table, const MosesImportOptions& options, const WorkOptions& work,
                        const std::string& path, const Reporter& reporter) {
  const CountingSorter::Options sorting{
      .memory_bytes = work.memory_bytes * 2 / 5, .temp_folder = work.temp_folder, .aggregate = false};
  std::vector<CountingSorter> unordered;
  unordered.emplace_back(sorting);
  PhraseReader phrases(options, &unordered[0]);
  LineReader reader(phrase_table, reporter);
  while (reader.Next()) {
    try {
      phrases.Read(reader.line());
    } catch (const Error& error) {
      reader.Fail(error.what());
    }
    if (phrases.lines % 100'000 == 0) reporter.Progress("import", phrases.lines, 0);
  }
  if (phrases.lines == 0) throw Error(phrase_table + ": has no phrases");
  reporter.Progress("import", phrases.lines, phrases.lines);
  unordered[0].Finish();

  RuleRecords records;
  const auto order = [](const CountedVocabulary& counted, std::vector<std::string>* words) {
    std::vector<WordId> id_of(counted.words.size());
    for (WordId old : OrderByLinks(counted.words, counted.counts)) {
      id_of[old] = static_cast<WordId>(words->size());
      words->push_back(counted.words.Word(old));
    }
    return id_of;
  };
  const std::vector<WordId> source_id = order(phrases.source_words, &records.header.source_words);
  const std::vector<WordId> target_id = order(phrases.target_words, &records.header.target_words);
  records.sorted.emplace_back(sorting);
  {
    MergedCounts lines(std::move(unordered));
    std::vector<SourceSymbol> source;
    std::vector<TargetSymbol> target;
    std::string key;
    while (lines.Next()) {
      std::string_view rest = lines.key();
      TakeSource(SignatureKind::kNone, &rest, &source);
      TakeTarget(&rest, &target);
      for (SourceSymbol& symbol : source) symbol.symbol = source_id[symbol.symbol];
      for (TargetSymbol& symbol : target) symbol = TargetWord(target_id[TargetWordId(symbol)]);
      key.clear();
      AppendSource(SignatureKind::kNone, source, &key);
      AppendTarget(target, &key);
      key.append(rest);
      records.sorted[0].Add(key, lines.count());
    }
  }
  records.sorted[0].Finish();

  SystemOptions system;
  system.name = "pbmt";
  system.max_length = phrases.longest;
  records.header.spec = MakeSystemSpec(system);
  records.header.coding = options.scores;
  records.header.counts = options.counts;
  records.header.signatures = {0};
  AlignmentIds alignments = OrderAlignments(phrases.alignments, phrases.alignment_counts);
  records.header.alignments = std::move(alignments.alignments);
  records.read_entry = [&](std::string_view bytes, uint64_t count, TableEntry* entry) {
    const Payload payload = Payload::From(bytes);
    entry->alignment = alignments.id_of[payload.alignment];
    entry->scores = {payload.scores[0], payload.scores[1], payload.scores[2], payload.scores[3]};
    entry->count_target = payload.counts[0];
    entry->count_source = payload.counts[1];
    entry->count_joint = payload.counts[2];
    if (count > 1) throw Error(phrase_table + ": a line occurs twice");
  };
  records.origin = phrase_table;
  return WriteRecords(std::move(records), options.keep, work, path, reporter);
}

}  // namespace graft
