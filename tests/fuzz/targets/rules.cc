// Rules as text: single rules, occurrences with their lexicon, dumps, tables of Moses. What is taken must read back the
// same, and the table that is made of it must be sound.
#include "building/build.h"
#include "building/dump.h"
#include "building/moses_import.h"
#include "building/occurrences.h"
#include "fuzz/targets/systems.h"
#include "fuzz/targets/table_checks.h"
#include "rules/rule_text.h"
#include "text/vocabulary.h"
#include "util/utf8.h"

namespace graft::engine::fuzz {
namespace {

// Ids for words and labels in order of their first use.
struct Ids {
  Vocabulary source, target, labels;
  Ids() { labels.Add("X"); }

  RuleInterns interns(const SystemSpec& spec) {
    RuleInterns made;
    made.source_word = [this](std::string_view word) { return source.Add(word); };
    made.target_word = [this](std::string_view word) { return target.Add(word); };
    if (spec.labelled()) made.label = [this](std::string_view label) { return labels.Add(label); };
    return made;
  }
};

void RunRule(std::string_view bytes) {
  ByteSource source(bytes);
  const SystemSpec& spec = DrawSystem(&source);
  const auto fields = SplitFields(source.Rest(), " ||| ");
  if (fields.size() < 5 || !IsValidUtf8(source.Rest())) return;
  const std::string_view count = fields.size() > 5 ? fields[5] : "1";
  Accepts([&] {
    const RuleCount parsed = ParseCount(count);
    Require(ParseCount(FormatCount(parsed)) == parsed, "a count that does not read back");
  });
  Accepts([&] {
    Ids ids;
    const ParsedRule rule = ParseRule(spec, {fields[0], fields[1], fields[2], fields[3], fields[4]}, ids.interns(spec));
    const RuleOccurrence occurrence{rule.lhs, rule.source, rule.target, rule.links};
    const auto text = [&] {
      return FormatRule(
          spec.signature(), occurrence, [&](WordId id) -> std::string_view { return ids.source.Word(id); },
          [&](WordId id) -> std::string_view { return ids.target.Word(id); },
          [&](uint32_t id) -> std::string_view { return ids.labels.Word(id); });
    };
    const RuleFields written = text();
    const ParsedRule again =
        ParseRule(spec, {written.lhs, written.source, written.edges, written.target, written.links}, ids.interns(spec));
    Require(again.lhs == rule.lhs && again.source == rule.source && again.target == rule.target &&
                again.links == rule.links,
            "a rule that does not read back: " + written.source + " ||| " + written.edges);
  });
}

// A byte for the system, then the occurrences, then the lexicon.
void RunOccurrences(std::string_view bytes) {
  ByteSource source(bytes);
  BuildOptions options;
  options.spec = DrawSystem(&source);
  const uint8_t flags = source.Byte();
  options.scores = static_cast<ScoreCoding>(flags % 3);
  options.counts = (flags & 4) != 0;
  options.keep = (flags & 8) != 0 ? 1 : 0;
  const auto parts = SplitParts(source.Rest(), 2);
  const std::vector<std::string> rules = {WriteScratch("occurrences", parts[0])};
  const std::vector<std::string> lexicon = {WriteScratch("lexicon", parts[1])};
  const WorkOptions work{.memory_bytes = 1 << 20, .temp_folder = ScratchPath("")};
  const std::string table = ScratchPath("built.graft"), text = ScratchPath("occurrences.again");
  if (!Accepts([&] { BuildTable(ReadOccurrences(rules, lexicon, options.spec, work, {}), options, work, table, {}); }))
    return;
  CheckTable(table);
  // What was read, written again, makes the same table.
  Occurrences read = ReadOccurrences(rules, lexicon, options.spec, work, {});
  const std::vector<std::string> lexicon_again = {ScratchPath("lexicon.again")};
  WriteOccurrences(std::move(read), work, text, lexicon_again[0]);
  const std::vector<std::string> rules_again = {text};
  const std::string second = ScratchPath("built-again.graft");
  BuildTable(ReadOccurrences(rules_again, lexicon_again, options.spec, work, {}), options, work, second, {});
  Require(ReadWhole(table) == ReadWhole(second), "occurrences that were read and written make another table");
}

void RunDump(std::string_view bytes) {
  const std::string dump = WriteScratch("dump", bytes), table = ScratchPath("restored.graft");
  if (!Accepts([&] { RestoreTable(dump, table, {}); })) return;
  CheckTable(table);
}

void RunMoses(std::string_view bytes) {
  ByteSource source(bytes);
  const uint8_t flags = source.Byte();
  MosesImportOptions options;
  options.hierarchical = (flags & 1) != 0;
  options.counts = (flags & 2) != 0;
  options.keep = (flags & 4) != 0 ? 1 : 0;
  options.scores = static_cast<ScoreCoding>(flags / 8 % 3);
  const auto parts = SplitParts(source.Rest(), 2);
  const std::string text = WriteScratch("moses", parts[0]), glue = WriteScratch("glue", parts[1]);
  Accepts([&] { CheckMosesGlue(glue, {}); });
  const WorkOptions work{.memory_bytes = 1 << 20, .temp_folder = ScratchPath("")};
  const std::string table = ScratchPath("moses.graft");
  if (Accepts([&] { ImportMoses(text, options, work, table, {}); })) CheckTable(table);
}

const bool registered =
    Register({"rule", "one rule as text, of any system", RunRule, 512}) &&
    Register({"occurrences", "occurrences and lexicon as text, and the table made of them", RunOccurrences}) &&
    Register({"dump", "dumps of tables: restored, dumped and restored again", RunDump, 20000}) &&
    Register({"moses", "phrase tables, hierarchical tables and glue grammars of Moses", RunMoses});

}  // namespace
}  // namespace graft::engine::fuzz
