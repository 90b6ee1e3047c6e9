#include "building/moses_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "building/moses_line.h"
#include "building/packed_rule.h"
#include "building/rule_records.h"
#include "graft/error.h"
#include "rules/labels.h"
#include "rules/rule_text.h"
#include "rules/system_options.h"
#include "util/line_reader.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

constexpr double kRoundedOne = 1.001;  // the largest probability that six digits of text may show
constexpr double kLowestScore = -100;  // Moses's LOWEST_SCORE
constexpr std::string_view kLhs = "[X]";
constexpr std::string_view kNonTerminal = "[X][X]";

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

// Largest sizes seen, and whether two non-terminals followed each other.
struct RuleShape {
  int source = 0, target = 0;
  bool adjacent = false;
};

// Reads lines into records whose ids are those of first appearance.
class MosesReader {
 public:
  MosesReader(const MosesImportOptions& options, CountingSorter* records) : options_(options), records_(records) {}

  void Read(std::string_view line) {
    const auto fields = SplitMosesLine(line);
    if (fields.size() < 3)
      throw Error(fmt::format("{} fields, but a line is `source ||| target ||| scores ||| …`", fields.size()));
    const std::string_view alignment = fields.size() > 3 ? fields[3] : std::string_view();
    if (options_.hierarchical)
      ReadRule(fields[0], fields[1], alignment);
    else
      ReadPhrase(fields[0], fields[1], alignment);
    const size_t symbols = std::max(source_.size(), target_.size());
    if (symbols > kMaxPackedSymbols)
      throw Error(fmt::format("a side of {} symbols, but a table holds at most {}", symbols, kMaxPackedSymbols));
    shape.source = std::max(shape.source, static_cast<int>(source_.size()));
    shape.target = std::max(shape.target, static_cast<int>(target_.size()));

    Payload payload;
    payload.scores = Scores(fields[2]);
    payload.alignment = AlignmentNumber();
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
  RuleShape shape;
  uint64_t lines = 0;

 private:
  void ReadPhrase(std::string_view source, std::string_view target, std::string_view alignment) {
    source_.clear();
    if (source.ends_with(kLhs) && target.ends_with(kLhs))
      throw Error("this is a hierarchical rule table; read it with --moses-hierarchical");
    for (std::string_view word : SplitTokens(source)) source_.push_back({source_words.Add(word), 0});
    target_.clear();
    for (std::string_view word : SplitTokens(target)) target_.push_back(TargetWord(target_words.Add(word)));
    if (source_.empty() || target_.empty()) throw Error("a phrase without words");
    links_.clear();
    for (const WordLink& link : Links(alignment))
      links_.push_back({static_cast<uint8_t>(link.source), static_cast<uint8_t>(link.target)});
  }

  void ReadRule(std::string_view source, std::string_view target, std::string_view alignment) {
    source_.clear();
    int nonterminals = 0;
    for (std::string_view token : RuleSide(source)) {
      const bool nonterminal = IsNonTerminal(token);
      source_.push_back({nonterminal ? kLabelBit | kLabelX : source_words.Add(token), 0});
      nonterminals += nonterminal ? 1 : 0;
    }
    target_.clear();
    int unlinked = 0;  // non-terminals of the target whose number is not known yet
    for (std::string_view token : RuleSide(target)) {
      const bool nonterminal = IsNonTerminal(token);
      target_.push_back(nonterminal ? kUnlinked : TargetWord(target_words.Add(token)));
      unlinked += nonterminal ? 1 : 0;
    }
    if (nonterminals != unlinked)
      throw Error(fmt::format("{} non-terminals in the source, but {} in the target", nonterminals, unlinked));
    if (nonterminals > kMostNonTerminals)
      throw Error(fmt::format("{} non-terminals, but hpbmt has at most {}", nonterminals, kMostNonTerminals));
    if (static_cast<int>(source_.size()) == nonterminals || static_cast<int>(target_.size()) == nonterminals)
      throw Error("a rule without words");
    for (size_t i = 1; i < source_.size(); ++i) shape.adjacent |= IsLabel(i - 1) && IsLabel(i);

    links_.clear();
    for (const WordLink& link : Links(alignment)) {
      const auto from = static_cast<size_t>(link.source), to = static_cast<size_t>(link.target);
      if (IsLabel(from) != !IsTargetWord(target_[to]))
        throw Error(fmt::format("the link {}-{} joins a word and a non-terminal", from, to));
      if (!IsLabel(from)) {
        links_.push_back({static_cast<uint8_t>(from), static_cast<uint8_t>(to)});
        continue;
      }
      const auto before = source_.begin() + static_cast<ptrdiff_t>(from);
      const auto number =
          static_cast<TargetSymbol>(1 + std::count_if(source_.begin(), before, [](const SourceSymbol& s) {
                                      return (s.symbol & kLabelBit) != 0;
                                    }));
      if (target_[to] != kUnlinked || std::find(target_.begin(), target_.end(), number) != target_.end())
        throw Error(fmt::format("the link {}-{} is the second one of a non-terminal", from, to));
      target_[to] = number;
    }
    if (std::find(target_.begin(), target_.end(), kUnlinked) != target_.end())
      throw Error("the alignment does not link every non-terminal");
  }

  // A side of a hierarchical rule without the left-hand side behind it.
  static std::vector<std::string_view> RuleSide(std::string_view text) {
    auto tokens = SplitTokens(text);
    if (tokens.empty() || tokens.back() != kLhs)
      throw Error(fmt::format("{} does not end with the left-hand side {}; a phrase table is read with --moses",
                              Quoted(text), kLhs));
    tokens.pop_back();
    return tokens;
  }

  static bool IsNonTerminal(std::string_view token) {
    if (token == kNonTerminal) return true;
    if (token.size() > 2 && token.front() == '[' && token.back() == ']')
      throw Error(fmt::format("the non-terminal {} is not {}, the only one of hpbmt", Quoted(token), kNonTerminal));
    return false;
  }

  bool IsLabel(size_t i) const { return (source_[i].symbol & kLabelBit) != 0; }

  std::vector<WordLink> Links(std::string_view field) const {
    return ParseLinks(field, static_cast<int>(source_.size()), static_cast<int>(target_.size()));
  }

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
        throw Error(fmt::format("{} is not a probability", Quoted(texts[i])));
      if (probability > kRoundedOne) throw Error(fmt::format("the score {} is above 1: not a probability", texts[i]));
      scores[i] =
          static_cast<float>(tiny || probability == 0 ? kLowestScore : std::max(kLowestScore, std::log(probability)));
    }
    return scores;
  }

  uint32_t AlignmentNumber() {
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
      throw Error(
          fmt::format("{} counts, but to store counts (--counts) it takes three: c(t) c(s) c(s,t)", texts.size()));
    return {Count(texts[0]), Count(texts[1]), Count(texts[2])};
  }

  // Moses prints counts from a million on with an exponent.
  static RuleCount Count(std::string_view text) {
    if (text.find_first_of("eE") == std::string_view::npos) return ParseCount(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value < 9e9))
      throw Error(fmt::format("not a count: {}", Quoted(text)));
    return static_cast<RuleCount>(std::llround(value * static_cast<double>(kOneOccurrence)));
  }

  static constexpr TargetSymbol kUnlinked = 0;
  static constexpr int kMostNonTerminals = 2;

  const MosesImportOptions& options_;
  CountingSorter* records_;
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<SourceSymbol> source_;
  std::vector<TargetSymbol> target_;
  std::vector<RuleLink> links_;
  std::string key_;
};

SystemSpec SpecOf(const RuleShape& shape, bool hierarchical) {
  SystemOptions system;
  system["name"] = hierarchical ? kHierarchicalSystem : kPhraseSystem;
  const SystemSpec standard = MakeSystemSpec(system);
  system["max_length"] = std::max({standard.max_length, shape.source, shape.target});
  if (hierarchical) {
    system["max_symbols"] = std::max(standard.grammar.max_symbols, shape.source);
    system["adjacent_nt"] = shape.adjacent;
  }
  return MakeSystemSpec(system);
}

void ReadLines(const std::string& moses_table, const Reporter& reporter, MosesReader* rules) {
  LineReader reader(moses_table, reporter);
  while (reader.Next()) {
    try {
      rules->Read(reader.line());
    } catch (const Error& error) {
      reader.Fail(error.what());
    }
    if (rules->lines % 100'000 == 0) reporter.Progress("import", rules->lines, 0);
  }
  if (rules->lines == 0) throw Error(moses_table + ": has no rules");
  reporter.Progress("import", rules->lines, rules->lines);
}

// Puts the words in the order of a table and returns the new id of each.
std::vector<WordId> OrderWords(const CountedVocabulary& counted, std::vector<std::string>* words) {
  std::vector<WordId> id_of(counted.words.size());
  for (WordId old : OrderByLinks(counted.words, counted.counts)) {
    id_of[old] = static_cast<WordId>(words->size());
    words->push_back(counted.words.Word(old));
  }
  return id_of;
}

// The records with the word ids of the table instead of those of first appearance.
void Renumber(CountingSorter from, const std::vector<WordId>& source_id, const std::vector<WordId>& target_id,
              CountingSorter* to) {
  std::vector<CountingSorter> sorters;
  sorters.push_back(std::move(from));
  MergedCounts lines(std::move(sorters));
  std::vector<SourceSymbol> source;
  std::vector<TargetSymbol> target;
  std::string key;
  while (lines.Next()) {
    std::string_view rest = lines.key();
    TakeSource(SignatureKind::kNone, &rest, &source);
    TakeTarget(&rest, &target);
    for (SourceSymbol& symbol : source)
      if ((symbol.symbol & kLabelBit) == 0) symbol.symbol = source_id[symbol.symbol];
    for (TargetSymbol& symbol : target)
      if (IsTargetWord(symbol)) symbol = TargetWord(target_id[TargetWordId(symbol)]);
    key.clear();
    AppendSource(SignatureKind::kNone, source, &key);
    AppendTarget(target, &key);
    key.append(rest);
    to->Add(key, lines.count());
  }
  to->Finish();
}

}  // namespace

TableTotals ImportMoses(const std::string& moses_table, const MosesImportOptions& options, const WorkOptions& work,
                        const std::string& path, const Reporter& reporter) {
  CheckTableOutput(path);
  const CountingSorter::Options sorting{
      .memory_bytes = work.memory_bytes * 2 / 5, .temp_folder = work.temp_folder, .aggregate = false};
  CountingSorter unordered(sorting);
  MosesReader rules(options, &unordered);
  ReadLines(moses_table, reporter, &rules);
  unordered.Finish();

  RuleRecords records;
  TableHeader& header = records.header;
  const std::vector<WordId> source_id = OrderWords(rules.source_words, &header.source_words);
  const std::vector<WordId> target_id = OrderWords(rules.target_words, &header.target_words);
  records.sorted.emplace_back(sorting);
  Renumber(std::move(unordered), source_id, target_id, &records.sorted[0]);

  header.spec = SpecOf(rules.shape, options.hierarchical);
  if (options.hierarchical) header.labels = {std::string(kLabelXText)};
  header.coding = options.scores;
  header.counts = options.counts;
  header.signatures = {0};
  AlignmentIds alignments = OrderAlignments(rules.alignments, rules.alignment_counts);
  header.alignments = std::move(alignments.alignments);
  records.read_entry = [&](std::string_view bytes, uint64_t count, TableEntry* entry) {
    const Payload payload = Payload::From(bytes);
    entry->alignment = alignments.id_of[payload.alignment];
    entry->scores = {payload.scores[0], payload.scores[1], payload.scores[2], payload.scores[3]};
    entry->count_target = payload.counts[0];
    entry->count_source = payload.counts[1];
    entry->count_joint = payload.counts[2];
    if (count > 1) throw Error(moses_table + ": a line occurs twice");
  };
  records.origin = moses_table;
  return WriteRecords(std::move(records), options.keep, work, path, reporter);
}

}  // namespace graft::engine
