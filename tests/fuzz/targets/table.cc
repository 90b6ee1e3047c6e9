// Binary tables: damaged ones, ones that somebody made with sums that agree, and sound ones against their dumps.
#include <random>

#include "building/dump.h"
#include "fuzz/targets/mended_sums.h"
#include "fuzz/targets/systems.h"
#include "fuzz/targets/table_checks.h"
#include "rules/rule_text.h"
#include "table/matcher.h"
#include "table/rule_table.h"
#include "table/table_writer.h"

namespace graft::engine::fuzz {
namespace {

// Everything that a program may ask of a table it could open.
void UseTable(const RuleTable& table) {
  table.statistics();
  table.nonterminal_statistics();
  table.header();
  for (WordId id = 0; id < table.source_words(); ++id) {
    table.FindSource(table.SourceWord(id));
    table.Child(RuleTable::kRoot, id, 0);
  }
  for (WordId id = 0; id < table.target_words(); ++id) table.FindTarget(table.TargetWord(id));
  table.FindSource("nowhere");
  for (uint32_t id = 0; id < table.alignment_count(); ++id) table.Links(id);
  TargetList targets;
  std::vector<TableEntry> entries;
  table.ForEachSource([&](const std::vector<SourceSymbol>& source, TrieNode node) {
    table.Children(node);
    table.ReadTargets(node, &targets);
    table.ReadEntries(node, &entries);
    for (const TableEntry& entry : entries) FormatDumpRule(table, source, entry);
  });
}

void RunTable(std::string_view bytes) {
  std::string whole(bytes);
  const bool mend = !whole.empty() && (whole.back() & 1) != 0;  // behind the table, so that offsets stay
  if (!whole.empty()) whole.pop_back();
  if (mend) MendSums(&whole);
  const std::string path = WriteScratch("any.graft", whole);
  Accepts([&] {
    const RuleTable table = RuleTable::Open(path);
    Accepts([&] { UseTable(table); });
    table.Verify();
    Accepts([&] { DumpTable(table, ScratchPath("any.dump")); });
  });
}

// A table of any rules, drawn from the bytes.
void RunTableDump(std::string_view bytes) {
  ByteSource source(bytes);
  TableHeader header;
  header.spec = FuzzSystems()[static_cast<size_t>(source.Below(5))];  // where edges of none are a signature of 0
  header.coding = source.Coin() ? ScoreCoding::kF32 : ScoreCoding::kQ16;
  header.counts = source.Coin();
  const auto words = [&](const std::string& prefix, int n) {
    std::vector<std::string> made;
    for (int i = 0; i < n; ++i)
      made.push_back(prefix + std::string(static_cast<size_t>(i % 3), '|') + std::to_string(i));
    return made;
  };
  header.source_words = words("s", 1 + source.Below(60));
  header.target_words = words("[t", 1 + source.Below(40));
  header.signatures = {0};
  header.alignments = {"0-0"};
  std::map<std::vector<SourceSymbol>, std::vector<TableEntry>> rules;
  while (!source.empty() && rules.size() < 400) {
    std::vector<SourceSymbol> side;
    for (int length = 1 + source.Below(4); length > 0; --length)
      side.push_back({static_cast<WordId>(source.Below(static_cast<int>(header.source_words.size()))), 0});
    TableEntry entry;
    for (int length = 1 + source.Below(4); length > 0; --length)
      entry.target.push_back(
          TargetWord(static_cast<WordId>(source.Below(static_cast<int>(header.target_words.size())))));
    const auto score = [&] { return -static_cast<float>(source.Byte()) / 16.0f; };
    entry.scores = {score(), score(), score(), score()};
    const auto count = [&] { return header.counts ? source.Byte() * kOneOccurrence + source.Byte() % 2 : 0; };
    entry.count_target = count();
    entry.count_source = count();
    entry.count_joint = count();
    auto& entries = rules[side];
    const bool known = std::any_of(entries.begin(), entries.end(),
                                   [&](const TableEntry& other) { return other.target == entry.target; });
    if (!known) entries.push_back(std::move(entry));
  }
  if (rules.empty()) return;
  const std::string path = ScratchPath("drawn.graft");
  TableWriter writer(path, header);
  for (auto& [side, entries] : rules) {
    for (TableEntry& entry : entries) entry.scores = writer.codec().Round(entry.scores);
    std::sort(entries.begin(), entries.end(),
              [&](const TableEntry& a, const TableEntry& b) { return StoredBefore(writer.codec(), a, b); });
    writer.Add(side, entries);
  }
  writer.Finish();
  CheckTable(path);
  const RuleTable table = RuleTable::Open(path);
  std::vector<TableEntry> entries;
  size_t seen = 0;
  table.ForEachSource([&](const std::vector<SourceSymbol>& side, TrieNode node) {
    table.ReadEntries(node, &entries);
    const auto known = rules.find(side);
    Require(known != rules.end() && known->second.size() == entries.size(), "a source side that nobody wrote");
    for (size_t i = 0; i < entries.size(); ++i)
      Require(entries[i].target == known->second[i].target && entries[i].count_joint == known->second[i].count_joint &&
                  entries[i].scores.p_target_given_source == known->second[i].scores.p_target_given_source,
              "an entry that nobody wrote");
    ++seen;
  });
  Require(seen == rules.size(), "source sides that were lost");
}

const bool registered =
    Register({"table", "binary tables, with sums that agree and with sums that do not", RunTable, 65536}) &&
    Register({"table_dump", "tables against their dumps: looking up, restoring", RunTableDump, 8192});

}  // namespace
}  // namespace graft::engine::fuzz
