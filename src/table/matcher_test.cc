#include "table/matcher.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "graft/error.h"
#include "rules/extract_units.h"
#include "rules/source_side.h"
#include "table/test_tables.h"

namespace graft::engine {
namespace {

using fixtures::RuleMap;
using fixtures::SpecOf;
using fixtures::WriteTable;

// A table with the given source sides, each with one target.
class MatchTable {
 public:
  MatchTable(const SystemSpec& spec, WordId words, const std::set<std::vector<SourceSymbol>>& sources) {
    TableHeader header;
    header.spec = spec;
    header.source_words = fixtures::Words("s", words);
    header.target_words = {"t"};
    header.alignments = {"0-0"};
    std::set<uint32_t> signatures = {0};
    RuleMap rules;
    for (const auto& source : sources) {
      for (const SourceSymbol& symbol : source) signatures.insert(symbol.signature);
      rules[source] = {TableEntry{0, {kFirstTargetWord}, 0, {}, 0, 0, 0}};
    }
    header.signatures.assign(signatures.begin(), signatures.end());
    WriteTable(folder_.File("t"), header, &rules);
    table_.emplace(RuleTable::Open(folder_.File("t")));
  }
  const RuleTable& table() const { return *table_; }

 private:
  TemporaryFolder folder_;
  std::optional<RuleTable> table_;
};

// 2010nian FIFA shijiebei zai Nanfei chenggong juxing ||| 2010 FIFA World Cup was held successfully in South Africa
IndexedPair RunningExample() {
  IndexedPair pair;
  for (WordId i = 0; i < 7; ++i) pair.source.push_back(i);
  for (WordId j = 0; j < 10; ++j) pair.target.push_back(j);
  pair.heads = {3, 3, 7, 7, 4, 7, 0};
  pair.links = {{0, 0}, {1, 1}, {2, 2}, {2, 3}, {3, 7}, {4, 8}, {4, 9}, {5, 6}, {6, 4}, {6, 5}};
  return pair;
}

std::set<std::vector<SourceSymbol>> SourcesOf(const SystemSpec& spec, const IndexedPair& pair) {
  std::set<std::vector<SourceSymbol>> sources;
  UnitExtractor(spec).Extract(pair, [&](const RuleOccurrence& rule, const UnitPair&) {
    sources.insert({rule.source.begin(), rule.source.end()});
  });
  return sources;
}

TEST(MatcherTest, RulesOfOneGraphOnAnother) {
  const IndexedPair pair = RunningExample();
  const std::vector<std::pair<std::string, GraphKind>> graphs = {
      {"tree", GraphKind::kTree}, {"dsg", GraphKind::kDsg}, {"dbg", GraphKind::kDbg}};
  std::vector<std::vector<size_t>> found;
  for (const auto& [trained, trained_kind] : graphs) {
    const SystemSpec spec = SpecOf("seggbmt", trained);
    const MatchTable made(spec, 7, SourcesOf(spec, pair));
    UnitMatcher matcher(made.table());
    found.emplace_back();
    for (const auto& [name, kind] : graphs) {
      std::vector<UnitMatch> matches;
      matcher.Match(pair.source, DependencyGraph(kind, 7, pair.heads), 20, &matches);
      found.back().push_back(matches.size());
    }
  }
  EXPECT_EQ(found, (std::vector<std::vector<size_t>>{{21, 14, 14}, {14, 24, 17}, {14, 17, 23}}));
}

TEST(MatcherTest, EverySystemFindsItsOwnUnits) {
  const IndexedPair pair = RunningExample();
  for (const SystemSpec& spec : {SpecOf("pbmt"), SpecOf("sdtu"), SpecOf("tbmt"), SpecOf("seggbmt", "dbg")}) {
    const auto sources = SourcesOf(spec, pair);
    const MatchTable made(spec, 7, sources);
    std::vector<UnitMatch> matches;
    UnitMatcher(made.table()).Match(pair.source, DependencyGraph(spec.graph, 7, pair.heads), 20, &matches);
    EXPECT_EQ(matches.size(), sources.size()) << spec.name;
  }
}

constexpr int kLongest = 5;  // symbols of the random source sides

// All sets of positions within the span whose source side is in the table, ordered by (start, mask).
std::vector<UnitMatch> BruteForce(const RuleTable& table, const std::set<std::vector<SourceSymbol>>& sources,
                                  const std::vector<WordId>& words, const DependencyGraph& graph, int max_span) {
  std::vector<UnitMatch> matches;
  const int size = static_cast<int>(words.size());
  for (int start = 0; start < size; ++start) {
    for (uint64_t mask = 1; mask < uint64_t{1} << std::min(max_span, size - start); mask += 2) {
      if (std::popcount(mask) > kLongest) continue;
      std::vector<int> unit;
      std::vector<SourceSymbol> source;
      for (uint64_t bits = mask; bits != 0; bits &= bits - 1) {
        const int position = start + std::countr_zero(bits);
        source.push_back(
            {words[static_cast<size_t>(position)], Signature(table.spec().signature(), graph, unit, position)});
        unit.push_back(position);
      }
      const bool contiguous = static_cast<size_t>(unit.back() - start) + 1 == unit.size();
      if (!sources.contains(source) || (table.spec().unit == UnitTest::kContiguous && !contiguous)) continue;
      TrieNode node = RuleTable::kRoot;
      for (const SourceSymbol& symbol : source) node = table.Child(node, symbol.symbol, symbol.signature).value();
      matches.push_back({node, mask, static_cast<uint16_t>(start), static_cast<uint16_t>(unit.back())});
    }
  }
  return matches;
}

std::string Text(const std::vector<UnitMatch>& matches) {
  std::string text;
  for (const UnitMatch& m : matches)
    text += std::to_string(m.start) + "-" + std::to_string(m.end) + ":" + std::to_string(m.mask) + "@" +
            std::to_string(m.node.level) + "." + std::to_string(m.node.index) + " ";
  return text;
}

TEST(MatcherTest, EqualsBruteForceOnRandomGraphs) {
  std::mt19937_64 random(11);
  const auto below = [&](size_t n) { return static_cast<uint32_t>(random() % n); };
  SystemSpec labelled = SpecOf("seggbmt", "dsg");
  labelled.edge_labels = true;
  size_t found = 0;
  for (const SystemSpec& spec : {SpecOf("pbmt"), SpecOf("sdtu"), SpecOf("tbmt"), SpecOf("seggbmt", "dbg"), labelled}) {
    const WordId vocabulary = 6;
    const auto sentence = [&](std::vector<WordId>* words, DependencyGraph* graph) {
      const int size = 1 + static_cast<int>(below(10));
      std::vector<int> heads;
      words->clear();
      for (int i = 0; i < size; ++i) {
        words->push_back(below(vocabulary));
        // A word before it, or the root: never a cycle.
        heads.push_back(static_cast<int>(below(static_cast<size_t>(i) + 1)));
      }
      *graph = DependencyGraph(spec.graph, size, heads);
    };
    // Source sides of random sets of positions of random sentences, with or without gaps, connected or not.
    std::set<std::vector<SourceSymbol>> sources;
    std::vector<WordId> words;
    DependencyGraph graph;
    for (int i = 0; i < 600; ++i) {
      sentence(&words, &graph);
      std::vector<int> unit;
      std::vector<SourceSymbol> source;
      for (int position = 0; position < static_cast<int>(words.size()) && unit.size() < kLongest; ++position) {
        const bool next = !unit.empty() && unit.back() + 1 == position;
        if (below(2) == 0 || (spec.unit == UnitTest::kContiguous && !unit.empty() && !next)) continue;
        source.push_back({words[static_cast<size_t>(position)], Signature(spec.signature(), graph, unit, position)});
        unit.push_back(position);
      }
      if (!source.empty()) sources.insert(source);
    }
    const MatchTable made(spec, vocabulary, sources);
    UnitMatcher matcher(made.table());
    for (int i = 0; i < 200; ++i) {
      sentence(&words, &graph);
      if (i % 4 == 0) words[below(words.size())] = i % 8 == 0 ? kNoWord : vocabulary;  // unknown
      const int max_span = 1 + static_cast<int>(below(11));
      std::vector<UnitMatch> matches;
      matcher.Match(words, graph, max_span, &matches);
      EXPECT_EQ(Text(matches), Text(BruteForce(made.table(), sources, words, graph, max_span))) << spec.name;
      found += matches.size();
    }
  }
  EXPECT_GT(found, 10'000u);
}

TEST(MatcherTest, SpansAndEmptySentences) {
  const SystemSpec spec = SpecOf("sdtu");
  const MatchTable made(spec, 2, {{{0, 0}, {1, 1}}});
  UnitMatcher matcher(made.table());
  std::vector<WordId> words(60, kNoWord);
  words[1] = 0;
  words[48] = 1;
  std::vector<UnitMatch> matches;
  matcher.Match(words, DependencyGraph(), 48, &matches);
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].start, 1);
  EXPECT_EQ(matches[0].end, 48);
  EXPECT_EQ(matches[0].mask, uint64_t{1} << 47 | 1);
  matcher.Match(words, DependencyGraph(), 47, &matches);
  EXPECT_TRUE(matches.empty());
  matcher.Match({}, DependencyGraph(), 48, &matches);
  EXPECT_TRUE(matches.empty());
  EXPECT_THROW(matcher.Match(words, DependencyGraph(), 49, &matches), Error);
  const MatchTable edges(SpecOf("tbmt"), 2, {{{0, 0}}});
  EXPECT_THROW(UnitMatcher(edges.table()).Match(words, DependencyGraph(), 20, &matches), Error);
}

TEST(MatcherTest, RepeatedStepsAreRememberedWithinASentence) {
  const MatchTable made(SpecOf("pbmt"), 2, {{{0, 0}, {0, 0}, {0, 0}}});
  UnitMatcher matcher(made.table());
  const std::vector<WordId> words(40, 0);
  std::vector<UnitMatch> matches;
  for (uint64_t sentence = 1; sentence <= 2; ++sentence) {
    matcher.Match(words, DependencyGraph(), 7, &matches);
    EXPECT_EQ(matches.size(), 38u);
    EXPECT_EQ(matcher.steps(), 3 * sentence);
  }
}

}  // namespace
}  // namespace graft::engine
