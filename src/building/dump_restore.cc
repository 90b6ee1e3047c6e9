#include <fmt/format.h>

#include <charconv>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "building/build.h"
#include "building/dump.h"
#include "graft/error.h"
#include "rules/labels.h"
#include "rules/rule_text.h"
#include "util/line_reader.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

template <class Number>
Number ParseNumber(std::string_view text, std::string_view what) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error(fmt::format("{} is not a {}", Quoted(text), what));
  return number;
}

// Reads header lines up to the empty one.
class HeaderReader {
 public:
  TableHeader Read(LineReader* reader) {
    bool first = true;
    for (;;) {
      if (!reader->Next()) throw Error(reader->name() + ": ends within its header; it is not a whole dump");
      const std::string_view line = reader->line();
      if (line.empty()) break;
      if (!line.starts_with(kMark)) reader->Fail("a header line starts with `#graft `; this is not a dump of a table");
      const std::string_view rest = line.substr(kMark.size());
      const size_t space = rest.find(' ');
      if (space == std::string_view::npos) reader->Fail("a header line without a value");
      const std::string_view name = rest.substr(0, space), value = rest.substr(space + 1);
      if (first != (name == "dump")) reader->Fail("a dump starts with `#graft dump 1`, which comes once");
      first = false;
      try {
        Take(name, value);
      } catch (const Error& error) {
        reader->Fail(error.what());
      }
    }
    try {
      header_.spec = SystemSpecFromToml(spec_);
    } catch (const Error& error) {
      reader->Fail(fmt::format("the system above is wrong: {}", error.what()));
    }
    return std::move(header_);
  }

 private:
  static constexpr std::string_view kMark = "#graft ";

  void Take(std::string_view name, std::string_view value) {
    if (name == "dump") {
      if (value != "1") throw Error(fmt::format("dump version {}, but this program reads version 1", value));
    } else if (name == "spec") {
      spec_.append(value) += '\n';
    } else if (name == "scores") {
      header_.coding = ParseScoreCoding(value);
    } else if (name == "flags") {
      if (value != "counts" && value != "lhs") throw Error(fmt::format("unknown flag {}", Quoted(value)));
      (value == "counts" ? header_.counts : header_.lhs) = true;
    } else if (name == "book") {
      const auto values = SplitTokens(value);
      ScoreBook book;
      if (values.size() != book.size()) throw Error(fmt::format("a book of {} values, not 256", values.size()));
      for (size_t i = 0; i < book.size(); ++i) book[i] = ParseNumber<float>(values[i], "number");
      header_.books.push_back(book);
    } else if (name == "source") {
      Add(UnescapeWord(value), &header_.source_words);
    } else if (name == "target") {
      Add(UnescapeWord(value), &header_.target_words);
    } else if (name == "label") {
      if (header_.labels.empty() && value != kLabelXText) throw Error("the first label is X");
      Add(UnescapeWord(value), &header_.labels);
    } else if (name == "signature") {
      header_.signatures.push_back(ParseNumber<uint32_t>(value, "signature"));
    } else if (name == "alignment") {
      Add(std::string(value), &header_.alignments);
    } else {
      throw Error(fmt::format("unknown header line {}", Quoted(name)));
    }
  }

  // Rules name what stands in these lists; its number is its place.
  void Add(std::string text, std::vector<std::string>* list) {
    if (!seen_[list].insert(text).second) throw Error(fmt::format("{} comes twice", Quoted(text)));
    list->push_back(std::move(text));
  }

  TableHeader header_;
  std::string spec_;
  std::map<const std::vector<std::string>*, std::unordered_set<std::string>> seen_;  // by list
};

class RuleReader {
 public:
  explicit RuleReader(const TableHeader& header) : spec_(header.spec), counts_(header.counts) {
    const auto index = [](const std::vector<std::string>& texts) {
      std::unordered_map<std::string_view, uint32_t> ids;
      for (const std::string& text : texts) ids.emplace(text, static_cast<uint32_t>(ids.size()));
      return ids;
    };
    alignments_ = index(header.alignments);
    ids_.source_word = Lookup(index(header.source_words), "source word");
    ids_.target_word = Lookup(index(header.target_words), "target word");
    ids_.label = header.labels.empty() ? InternLabel(InternOnlyX) : Lookup(index(header.labels), "label");
  }

  TableEntry Read(std::string_view line, std::vector<SourceSymbol>* source) const {
    const auto fields = SplitFields(line, " ||| ");
    if (fields.size() != 7)
      throw Error(
          fmt::format("{} fields, but a rule is `LHS ||| source ||| edges ||| target ||| scores ||| links ||| counts`",
                      fields.size()));
    const RuleText text = {
        .lhs = fields[0], .source = fields[1], .edges = fields[2], .target = fields[3], .links = fields[5]};
    ParsedRule rule = ParseRule(spec_, text, ids_);
    *source = std::move(rule.source);
    TableEntry entry;
    entry.lhs = rule.lhs;
    entry.target = std::move(rule.target);
    const auto alignment = alignments_.find(fields[5]);
    if (alignment == alignments_.end())
      throw Error(fmt::format("the alignment {} is not in the header", Quoted(fields[5])));
    entry.alignment = alignment->second;
    const auto scores = SplitTokens(fields[4]);
    if (scores.size() != kScoreColumns) throw Error(fmt::format("{} scores, not four", scores.size()));
    const auto score = [&](size_t column) { return ParseNumber<float>(scores[column], "score"); };
    entry.scores = {score(0), score(1), score(2), score(3)};
    const auto counts = SplitTokens(fields[6]);
    if (counts.size() != (counts_ ? 3 : 0))
      throw Error(fmt::format("{} counts, but the header says {}", counts.size(), counts_ ? "three" : "none"));
    if (counts_) {
      entry.count_target = ParseCount(counts[0]);
      entry.count_source = ParseCount(counts[1]);
      entry.count_joint = ParseCount(counts[2]);
    }
    return entry;
  }

 private:
  static Intern Lookup(std::unordered_map<std::string_view, uint32_t> ids, std::string_view what) {
    return [ids = std::move(ids), what](std::string_view word) {
      const auto found = ids.find(word);
      if (found == ids.end()) throw Error(fmt::format("the {} {} is not in the header", what, Quoted(word)));
      return found->second;
    };
  }

  const SystemSpec& spec_;
  bool counts_;
  std::unordered_map<std::string_view, uint32_t> alignments_;
  RuleInterns ids_;
};

}  // namespace

TableWriter::Totals RestoreTable(const std::string& dump, const std::string& path, const Reporter& reporter) {
  CheckTableOutput(path);
  LineReader reader(dump, reporter);
  const TableHeader header = HeaderReader().Read(&reader);
  const RuleReader rules(header);
  TableWriter writer(path, header);
  std::vector<SourceSymbol> source, next;
  std::vector<TableEntry> entries;
  while (reader.Next()) {
    try {
      TableEntry entry = rules.Read(reader.line(), &next);
      if (next != source) {
        if (next < source) throw Error("out of table order: source sides must rise by their ids");
        if (!entries.empty()) writer.Add(source, entries);
        entries.clear();
        source.swap(next);
      } else if (!StoredBefore(writer.codec(), entries.back(), entry)) {
        throw Error(
            "out of table order: targets of a source side rise by left-hand side, then fall by p(t|s), then rise by "
            "their ids");
      }
      entries.push_back(std::move(entry));
    } catch (const Error& error) {
      reader.Fail(error.what());
    }
  }
  if (!entries.empty()) writer.Add(source, entries);
  return writer.Finish();
}

}  // namespace graft::engine
