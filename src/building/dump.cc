#include "building/dump.h"

#include <fmt/format.h>

#include "rules/rule_text.h"
#include "util/output_file.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

// q16 values have at most twelve digits, so the shortest decimal of the double is the exact one.
std::string FormatScore(ScoreCoding coding, float score) {
  return coding == ScoreCoding::kQ16 ? fmt::format("{}", static_cast<double>(score)) : fmt::format("{}", score);
}

}  // namespace

std::string FormatDumpRule(const RuleTable& table, std::span<const SourceSymbol> source, const TableEntry& entry) {
  const RuleFields fields = FormatRule(
      table.spec().signature(), {entry.lhs, source, entry.target, {}}, [&](WordId id) { return table.SourceWord(id); },
      [&](WordId id) { return table.TargetWord(id); },
      [&](uint32_t label) -> std::string_view {
        return table.labels().empty() ? OnlyX(label) : std::string_view(table.labels()[label]);
      });
  const ScoreCoding coding = table.coding();
  std::string line =
      fmt::format("{} ||| {} ||| {} ||| {} ||| {} {} {} {} ||| {} ||| ", fields.lhs, fields.source, fields.edges,
                  fields.target, FormatScore(coding, entry.scores.p_source_given_target),
                  FormatScore(coding, entry.scores.lex_source_given_target),
                  FormatScore(coding, entry.scores.p_target_given_source),
                  FormatScore(coding, entry.scores.lex_target_given_source), table.alignments()[entry.alignment]);
  if (table.has_counts())
    line +=
        FormatCount(entry.count_target) + ' ' + FormatCount(entry.count_source) + ' ' + FormatCount(entry.count_joint);
  return line;
}

void DumpTable(const RuleTable& table, const std::string& path) {
  OutputFile file(path);
  const TableHeader header = table.header();
  const auto line = [&](std::string_view name, std::string_view value) {
    file.Write(fmt::format("#graft {} {}\n", name, value));
  };
  line("dump", "1");
  const std::string spec = ToToml(header.spec);
  for (std::string_view setting : SplitFields(spec, "\n"))
    if (!setting.empty()) line("spec", setting);
  line("scores", ScoreCodingName(header.coding));
  if (header.counts) line("flags", "counts");
  if (header.lhs) line("flags", "lhs");
  for (const ScoreBook& book : header.books) line("book", fmt::format("{}", fmt::join(book, " ")));
  for (const std::string& word : header.source_words) line("source", EscapeWord(word));
  for (const std::string& word : header.target_words) line("target", EscapeWord(word));
  for (const std::string& label : header.labels) line("label", EscapeWord(label));
  for (uint32_t signature : header.signatures) line("signature", std::to_string(signature));
  for (const std::string& alignment : header.alignments) line("alignment", alignment);
  file.Write("\n");
  const RuleTable::EntriesVisitor write = [&](const std::vector<SourceSymbol>& source,
                                              std::vector<TableEntry>* entries) {
    for (const TableEntry& entry : *entries) {
      file.Write(FormatDumpRule(table, source, entry));
      file.Write("\n");
    }
  };
  table.Unchanged([&] { table.ForEachSource(write); });
  file.Close();
}

}  // namespace graft::engine
