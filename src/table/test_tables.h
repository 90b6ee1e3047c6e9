// Rule sets for the tests of tables: random ones, and a table written from a map.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "graft/error.h"
#include "support/specs.h"
#include "table/rule_table.h"
#include "table/table_writer.h"
#include "temporary_folder.h"

namespace graft::engine::fixtures {

using RuleMap = std::map<std::vector<SourceSymbol>, std::vector<TableEntry>>;

inline std::vector<std::string> Words(const std::string& prefix, size_t n) {
  std::vector<std::string> words;
  for (size_t i = 0; i < n; ++i) words.push_back(prefix + std::to_string(i));
  return words;
}

// Sorts every list as a table stores it, with scores rounded, and writes the table.
inline TableWriter::Totals WriteTable(const std::string& path, const TableHeader& header, RuleMap* rules) {
  TableWriter writer(path, header);
  for (auto& [source, entries] : *rules) {
    for (TableEntry& entry : entries) entry.scores = writer.codec().Round(entry.scores);
    std::sort(entries.begin(), entries.end(),
              [&](const TableEntry& a, const TableEntry& b) { return StoredBefore(writer.codec(), a, b); });
    writer.Add(source, entries);
  }
  return writer.Finish();
}

inline RuleMap ReadAll(const RuleTable& table) {
  RuleMap rules;
  table.ForEachSource(
      [&](const std::vector<SourceSymbol>& source, TrieNode node) { table.ReadEntries(node, &rules[source]); });
  return rules;
}

// Every field as text: equal texts are equal rules, bit by bit.
inline std::string Describe(const RuleMap& rules) {
  std::string text;
  for (const auto& [source, entries] : rules) {
    for (const SourceSymbol& s : source) text += std::to_string(s.symbol) + "/" + std::to_string(s.signature) + " ";
    for (const TableEntry& e : entries) {
      text += "\n  " + std::to_string(e.lhs) + " ->";
      for (TargetSymbol symbol : e.target) text += " " + std::to_string(symbol);
      text += " | " + std::to_string(e.alignment) + " |";
      for (float score : {e.scores.p_source_given_target, e.scores.lex_source_given_target,
                          e.scores.p_target_given_source, e.scores.lex_target_given_source}) {
        char buffer[40];
        snprintf(buffer, sizeof buffer, " %a", static_cast<double>(score));
        text += buffer;
      }
      for (RuleCount count : {e.count_target, e.count_source, e.count_joint}) text += " " + std::to_string(count);
    }
    text += "\n";
  }
  return text;
}

struct RandomShape {
  size_t sources = 500;
  size_t source_words = 40, target_words = 300, labels = 0, signatures = 1, alignments = 20;
  size_t max_length = 7, max_targets = 5;
  bool lhs = false, counts = false;
  ScoreCoding coding = ScoreCoding::kQ16;
};

struct RandomTable {
  TableHeader header;
  RuleMap rules;
};

inline RandomTable MakeRandomTable(const RandomShape& shape, uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](size_t n) { return static_cast<uint32_t>(random() % n); };
  RandomTable made;
  TableHeader& header = made.header;
  header.spec = SpecOf("seggbmt", "dbg");
  header.coding = shape.coding;
  header.counts = shape.counts;
  header.lhs = shape.lhs;
  header.source_words = Words("s", shape.source_words);
  header.target_words = Words("t", shape.target_words);
  header.labels = Words("L", shape.labels);
  if (shape.labels > 0) header.labels.front() = "X";
  header.alignments = Words("", shape.alignments);
  for (uint32_t i = 0; i < shape.signatures; ++i) header.signatures.push_back(i * 3);
  for (size_t i = 0; i < shape.sources; ++i) {
    std::vector<SourceSymbol> source;
    for (size_t k = 1 + below(shape.max_length); k > 0; --k) {
      const uint32_t symbol = below(shape.source_words + shape.labels);
      source.push_back(
          {symbol < shape.source_words ? symbol : (symbol - static_cast<uint32_t>(shape.source_words)) | kLabelBit,
           source.empty() ? 0 : header.signatures[below(shape.signatures)]});
    }
    auto& entries = made.rules[source];
    entries.clear();
    for (size_t n = 1 + below(shape.max_targets); n > 0; --n) {
      TableEntry entry;
      if (shape.lhs) entry.lhs = below(shape.labels);
      for (size_t k = below(8); k > 0; --k)
        entry.target.push_back(below(10) == 0 ? 1 + below(15) : TargetWord(below(shape.target_words)));
      entry.alignment = below(shape.alignments);
      const auto score = [&] { return -static_cast<float>(below(100000)) / 7000.0f; };
      entry.scores = {score(), score(), score(), score()};
      if (shape.counts) {
        entry.count_target = below(1000) * kOneOccurrence;
        entry.count_source = below(1000) * kOneOccurrence + below(2) * 233'766'234;
        entry.count_joint = random() >> 2;
      }
      entries.push_back(std::move(entry));
    }
  }
  if (shape.coding == ScoreCoding::kQ8) {
    std::vector<uint64_t> histogram(65536);
    for (const auto& [source, entries] : made.rules)
      for (const TableEntry& entry : entries) ++histogram[Q16Code(entry.scores.p_target_given_source)];
    header.books.assign(4, MakeScoreBook(histogram));
  }
  return made;
}

}  // namespace graft::engine::fixtures
