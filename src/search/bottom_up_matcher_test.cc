#include "search/bottom_up_matcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include <set>
#include <string>

#include "support/small_model.h"
#include "table/test_tables.h"

namespace graft::engine {
namespace {

using fixtures::RuleMap;
using fixtures::WriteTable;

using Positions = std::vector<int>;  // ascending
struct PlainGroup {
  uint32_t label;
  Positions words;
};
// A symbol of a match: a word, or a group.
struct PlainSymbol {
  SourceSymbolId symbol;
  Positions words;
  int group;  // -1: a word
};

struct Case {
  std::vector<WordId> words;
  DependencyGraph graph;
  bool labelled = false;
  BottomUpLimits limits;
  std::vector<PlainGroup> groups;
};

// By the definition of the contracted graph, edge by edge.
uint32_t PlainSignature(const Case& c, const std::vector<PlainSymbol>& earlier, const PlainSymbol& next) {
  uint32_t signature = 0;
  for (size_t u = 0; u < earlier.size(); ++u) {
    bool to = false, from = false, to_dep = false, from_dep = false;
    for (int a : earlier[u].words)
      for (int b : next.words) {
        to |= c.graph.HasEdge(a, b);
        from |= c.graph.HasEdge(b, a);
        to_dep |= c.graph.dep_out(a).Contains(b);
        from_dep |= c.graph.dep_out(b).Contains(a);
      }
    if (c.labelled)
      signature |= ((to ? (to_dep ? 1u : 2u) : 0u) | (from ? (from_dep ? 4u : 8u) : 0u)) << (4 * u);
    else
      signature |= ((to ? 1u : 0u) | (from ? 2u : 0u)) << (2 * u);
  }
  return signature;
}

bool Allowed(const Case& c, const std::vector<PlainSymbol>& symbols) {
  std::set<int> all;
  size_t count = 0;
  for (size_t k = 0; k < symbols.size(); ++k) {
    if (k > 0 && symbols[k].words[0] <= symbols[k - 1].words[0]) return false;
    count += symbols[k].words.size();
    all.insert(symbols[k].words.begin(), symbols[k].words.end());
  }
  return all.size() == count && static_cast<int>(count) <= c.limits.max_words &&
         *all.rbegin() - *all.begin() < c.limits.max_span;
}

std::vector<PlainSymbol> AllSymbols(const Case& c) {
  std::vector<PlainSymbol> symbols;
  for (int i = 0; i < static_cast<int>(c.words.size()); ++i)
    if (c.words[static_cast<size_t>(i)] != kNoWord) symbols.push_back({c.words[static_cast<size_t>(i)], {i}, -1});
  for (size_t g = 0; g < c.groups.size(); ++g)
    symbols.push_back({c.groups[g].label | kLabelBit, c.groups[g].words, static_cast<int>(g)});
  return symbols;
}

std::vector<SourceSymbol> SourceOf(const Case& c, const std::vector<PlainSymbol>& symbols) {
  std::vector<SourceSymbol> source;
  for (size_t k = 0; k < symbols.size(); ++k)
    source.push_back({symbols[k].symbol,
                      PlainSignature(c, {symbols.begin(), symbols.begin() + static_cast<ptrdiff_t>(k)}, symbols[k])});
  return source;
}

std::string Describe(size_t rule, const std::vector<int>& covered, const std::vector<int>& terminals,
                     const std::vector<int>& groups, int gap) {
  std::string text = std::to_string(rule) + ":";
  for (int i : covered) text += " " + std::to_string(i);
  text += " |";
  for (int i : terminals) text += " " + std::to_string(i);
  text += " |";
  for (int g : groups) text += " " + std::to_string(g);
  return text + " | " + std::to_string(gap);
}

int PlainGapCount(const std::vector<PlainSymbol>& symbols) {
  std::set<int> covered, inside;
  for (const PlainSymbol& s : symbols) {
    covered.insert(s.words.begin(), s.words.end());
    for (int i = s.words.front(); i <= s.words.back(); ++i) inside.insert(i);
  }
  return *covered.rbegin() - *covered.begin() + 1 - static_cast<int>(inside.size());
}

// Every sequence of symbols, without a trie and in no particular order of sizes.
void BruteForce(const Case& c, const std::vector<PlainSymbol>& all, const RuleMap& rules, size_t longest,
                std::vector<PlainSymbol>* symbols, std::multiset<std::string>* found) {
  if (!symbols->empty()) {
    const auto rule = rules.find(SourceOf(c, *symbols));
    const bool only_group = symbols->size() == 1 && symbols->front().group >= 0;
    if (rule != rules.end() && !only_group) {
      std::vector<int> covered, terminals, groups;
      for (const PlainSymbol& s : *symbols) {
        covered.insert(covered.end(), s.words.begin(), s.words.end());
        if (s.group < 0)
          terminals.push_back(s.words[0]);
        else
          groups.push_back(s.group);
      }
      std::sort(covered.begin(), covered.end());
      found->insert(Describe(static_cast<size_t>(std::distance(rules.begin(), rule)), covered, terminals, groups,
                             PlainGapCount(*symbols)));
    }
  }
  if (symbols->size() == longest) return;
  for (const PlainSymbol& next : all) {
    if (next.group >= 0 &&
        std::count_if(symbols->begin(), symbols->end(), [](const PlainSymbol& s) { return s.group >= 0; }) == 2)
      continue;
    symbols->push_back(next);
    if (Allowed(c, *symbols)) BruteForce(c, all, rules, longest, symbols, found);
    symbols->pop_back();
  }
}

class CaseMaker {
 public:
  explicit CaseMaker(uint64_t seed) : random_(seed) {}

  int Below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }

  Case Make() {
    Case c;
    const int n = 1 + Below(7);
    constexpr GraphKind kKinds[] = {GraphKind::kTree, GraphKind::kDsg, GraphKind::kDbg};
    std::vector<int> heads;
    for (int i = 0; i < n; ++i) {
      c.words.push_back(Below(8) == 0 ? kNoWord : static_cast<WordId>(Below(kWords)));
      heads.push_back(i == 0 ? 0 : Below(i + 1));
    }
    c.graph = DependencyGraph(kKinds[Below(3)], n, heads);
    c.labelled = Below(3) == 0;
    c.limits = {Below(3) == 0 ? 1 + Below(6) : 20, Below(3) == 0 ? 1 + Below(6) : 20, 0};
    const int labels = Below(2) == 0 ? 1 : kLabels + 1;  // the last one is unknown to the table
    std::set<std::pair<uint32_t, Positions>> seen;
    for (int k = Below(10); k > 0; --k) {
      Positions words;
      for (int i = 0; i < n; ++i)
        if (Below(2) == 0) words.push_back(i);
      if (words.empty() || words.back() - words.front() >= c.limits.max_span) continue;
      seen.insert({static_cast<uint32_t>(Below(labels)), words});
    }
    for (const auto& [label, words] : seen) c.groups.push_back({label, words});
    return c;
  }

  // Half of the rules are matches of the sentence, the others nearly.
  RuleMap Rules(const Case& c, size_t longest) {
    RuleMap rules;
    const std::vector<PlainSymbol> all = AllSymbols(c);
    if (all.empty()) return rules;
    for (int k = 0; k < 60; ++k) {
      std::vector<PlainSymbol> symbols;
      int groups = 0;
      for (int tries = 0; tries < 12 && symbols.size() < longest; ++tries) {
        const PlainSymbol& next = all[static_cast<size_t>(Below(static_cast<int>(all.size())))];
        if (next.group >= 0 && (groups == 2 || c.groups[static_cast<size_t>(next.group)].label >= kLabels)) continue;
        symbols.push_back(next);
        if (!Allowed(c, symbols))
          symbols.pop_back();
        else if (next.group >= 0)
          ++groups;
        if (Below(4) == 0) break;
      }
      if (symbols.empty()) continue;
      std::vector<SourceSymbol> source = SourceOf(c, symbols);
      if (Below(2) == 0) {
        SourceSymbol& changed = source[static_cast<size_t>(Below(static_cast<int>(source.size())))];
        if (Below(2) == 0 && &changed != &source[0])
          changed.signature ^= 1u << Below(2);
        else if ((changed.symbol & kLabelBit) == 0)
          changed.symbol = static_cast<WordId>(Below(kWords));
      }
      rules[source] = {TableEntry{}};
    }
    return rules;
  }

  static constexpr int kWords = 5;
  static constexpr int kLabels = 3;

 private:
  std::mt19937_64 random_;
};

RuleTable Table(const Case& c, RuleMap rules) {
  TableHeader header;
  SystemOptions options;
  options["name"] = "gramgbmt-b";
  options["graph"] = "dsg";  // only the kind of signature matters: the matcher gets its graph from the caller
  options["edge_labels"] = c.labelled;
  header.spec = MakeSystemSpec(options);
  header.source_words = fixtures::Words("s", CaseMaker::kWords);
  header.target_words = fixtures::Words("t", 1);
  header.labels = {"X", "NN", "VV"};
  header.alignments = {""};
  std::set<uint32_t> signatures = {0};
  for (auto& [source, entries] : rules) {
    entries[0].target = {TargetWord(0)};
    uint32_t nonterminal = 0;
    for (const SourceSymbol& s : source) {
      signatures.insert(s.signature);
      if ((s.symbol & kLabelBit) != 0) entries[0].target.push_back(++nonterminal);
    }
  }
  header.signatures.assign(signatures.begin(), signatures.end());
  const std::string path = fixtures::TemporaryName(".graft");
  WriteTable(path, header, &rules);
  RuleTable table = RuleTable::Open(path);
  std::remove(path.c_str());
  return table;
}

std::multiset<std::string> Enumerate(const Case& c, const RuleTable& table, const RuleMap& rules,
                                     BottomUpMatcher* matcher) {
  std::multiset<std::string> found;
  matcher->Start(c.words, c.graph, c.limits);
  const int n = c.graph.size();
  std::map<std::pair<int32_t, uint32_t>, size_t> rule_of;
  table.ForEachSource([&](const std::vector<SourceSymbol>& source, TrieNode node) {
    rule_of[{node.level, node.index}] = static_cast<size_t>(std::distance(rules.begin(), rules.find(source)));
  });
  for (int size = 1; size <= n; ++size) {
    for (const BottomUpMatch& match : matcher->Advance(size)) {
      std::vector<int> covered, terminals, groups;
      for (int i = 0; i < 64; ++i) {
        if ((match.mask >> i & 1) != 0) covered.push_back(match.start + i);
        if ((match.terminals >> i & 1) != 0) terminals.push_back(match.start + i);
      }
      for (uint32_t cell : match.cells)
        if (cell != kNoGroup) groups.push_back(static_cast<int>(cell));
      EXPECT_EQ(covered.size(), static_cast<size_t>(size));
      EXPECT_EQ(covered.back(), match.end);
      found.insert(Describe(rule_of.at({match.node.level, match.node.index}), covered, terminals, groups, match.gap));
    }
    std::vector<BottomUpGroup> groups;
    for (size_t g = 0; g < c.groups.size(); ++g) {
      const Positions& words = c.groups[g].words;
      if (static_cast<int>(words.size()) != size) continue;
      BottomUpGroup group;
      group.label = c.groups[g].label;
      group.cell = static_cast<uint32_t>(g);
      group.start = static_cast<uint16_t>(words.front());
      group.end = static_cast<uint16_t>(words.back());
      for (int i : words) group.mask |= uint64_t{1} << (i - words.front());
      groups.push_back(group);
    }
    matcher->AddGroups(size, groups);
  }
  return found;
}

TEST(BottomUpMatcherTest, EqualsBruteForceOnRandomCases) {
  constexpr size_t kLongest = 5;
  CaseMaker maker(20161);
  size_t total = 0;
  for (int round = 0; round < 3000; ++round) {
    const Case c = maker.Make();
    const RuleMap rules = maker.Rules(c, kLongest);
    if (rules.empty()) continue;
    const RuleTable table = Table(c, rules);
    BottomUpMatcher matcher(table);
    std::multiset<std::string> expected;
    std::vector<PlainSymbol> symbols;
    BruteForce(c, AllSymbols(c), rules, kLongest, &symbols, &expected);
    const std::multiset<std::string> found = Enumerate(c, table, rules, &matcher);
    ASSERT_EQ(found, expected) << "case " << round;
    // Nothing of a sentence is left behind for the next.
    ASSERT_EQ(Enumerate(c, table, rules, &matcher), expected) << "case " << round << ", again";
    total += expected.size();
  }
  EXPECT_GT(total, 20000u);
}

// A match far into a long sentence, wider than 32 words, across a 64-bit border of the coverage.
TEST(BottomUpMatcherTest, FindsWideMatchesAnywhere) {
  Case c;
  constexpr int kWords = 200, kStart = 57;
  std::vector<int> heads(kWords, 0);
  c.words.assign(kWords, kNoWord);
  for (int i = 1; i < kWords; ++i) heads[static_cast<size_t>(i)] = i;
  c.graph = DependencyGraph(GraphKind::kTree, kWords, heads);
  c.words[kStart] = 0;
  c.words[kStart + 47] = 1;
  c.groups = {{0, {kStart + 1, kStart + 2, kStart + 46}}};
  c.limits = {48, 48, 0};
  RuleMap rules;
  rules[SourceOf(c, {{0, {kStart}, -1}, {kLabelBit, c.groups[0].words, 0}, {1, {kStart + 47}, -1}})] = {TableEntry{}};
  const RuleTable table = Table(c, rules);
  BottomUpMatcher matcher(table);
  EXPECT_THAT(Enumerate(c, table, rules, &matcher),
              ::testing::ElementsAre(Describe(0, {kStart, kStart + 1, kStart + 2, kStart + 46, kStart + 47},
                                              {kStart, kStart + 47}, {0}, 0)));
  c.limits.max_span = 47;
  EXPECT_THAT(Enumerate(c, table, rules, &matcher), ::testing::IsEmpty());
}

// Systems §8.2: covered {1,2,3,5,8}, non-terminals {1,3} and {2,5}, terminal 8 leaves 6 and 7.
TEST(BottomUpMatcherTest, GapCountIgnoresWhatNonterminalsSpan) {
  EXPECT_EQ(PlainGapCount({{kLabelBit, {1, 3}, 0}, {kLabelBit, {2, 5}, 1}, {0, {8}, -1}}), 2);
  EXPECT_EQ(PlainGapCount({{kLabelBit, {1, 2}, 0}, {0, {3}, -1}, {0, {7}, -1}}), 3);
}

}  // namespace
}  // namespace graft::engine
