#include "building/moses_import.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "building/dump.h"
#include "graft/error.h"
#include "rules/labels.h"
#include "table/rule_table.h"
#include "table/test_tables.h"

namespace graft::engine {
namespace {

constexpr std::string_view kGlue =
    "<s> [X] ||| <s> [S] ||| 1 ||| 0-0 ||| 0 ||| |||\n"
    "[X][S] </s> [X] ||| [X][S] </s> [S] ||| 1 ||| 0-0 1-1 ||| 0 ||| |||\n"
    "[X][S] [X][X] [X] ||| [X][S] [X][X] [S] ||| 2.718 ||| 0-0 1-1 ||| 0 ||| |||\n";

class MosesImportTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_.File(name), std::ios::binary) << text;
    return folder_.File(name);
  }

  RuleTable Import(std::string_view text, MosesImportOptions options = {}) const {
    options.hierarchical = true;
    ImportMoses(Write("moses", text), options, {}, folder_.File("table"), {});
    return RuleTable::Open(folder_.File("table"));
  }

  // Rules as `dump` prints them.
  static std::vector<std::string> Lines(const RuleTable& table) {
    std::vector<std::string> lines;
    std::vector<TableEntry> entries;
    table.ForEachSource([&](const std::vector<SourceSymbol>& source, TrieNode node) {
      table.ReadEntries(node, &entries);
      for (const TableEntry& entry : entries) lines.push_back(FormatDumpRule(table, source, entry));
    });
    return lines;
  }

  std::string ErrorOf(std::string_view text) const {
    try {
      Import(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  std::string GlueErrorOf(std::string_view text) const {
    try {
      CheckMosesGlue(Write("glue", text), {});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  TemporaryFolder folder_;
};

TEST_F(MosesImportTest, NonTerminalsFollowTheAlignment) {
  MosesImportOptions options;
  options.scores = ScoreCoding::kF32;
  options.counts = true;
  const RuleTable table = Import(
      "im haus [X] ||| in the house [X] ||| 1 1 1 1 ||| 0-0 0-1 1-2 ||| 2 2 2 ||| |||\n"
      "[X][X] im [X][X] . [X] ||| in the [X][X] 's [X][X] . [X] ||| 1 0.5 0.25 0 ||| 0-4 1-0 1-1 2-2 3-5 ||| "
      "0.00952381 15.031 0.00952381 ||| |||\n"
      "[X][X] im [X][X] . [X] ||| [X][X] in [X][X] . [X] ||| 1 1 0.75 1 ||| 0-0 1-1 2-2 3-3 ||| 1e-05 3 0.2 ||| |||\n"
      "[X][X] . [X] ||| [X][X] . [X] ||| 1 1 1 1 ||| 0-0 ||| 1 1 1 ||| |||\n",
      options);
  EXPECT_EQ(table.spec(), fixtures::SpecOf("hpbmt"));
  EXPECT_EQ(table.labels(), std::vector<std::string>{std::string(kLabelXText)});
  EXPECT_FALSE(table.has_lhs());
  // By number of occurrences, im and . before haus; non-terminals after words.
  EXPECT_EQ(
      Lines(table),
      (std::vector<std::string>{
          "X ||| im haus |||  ||| in the house ||| 0 0 0 0 ||| 0-0 0-1 1-2 ||| 2 2 2",
          "X ||| [X,1] . |||  ||| [X,1] . ||| 0 0 0 0 |||  ||| 1 1 1",
          "X ||| [X,1] im [X,2] . |||  ||| [X,1] in [X,2] . ||| 0 0 -0.2876821 0 ||| 1-1 3-3 ||| 0.00001 3 0.2",
          "X ||| [X,1] im [X,2] . |||  ||| in the [X,2] 's [X,1] . ||| 0 -0.6931472 -1.3862944 -100 ||| 1-0 1-1 3-5 "
          "||| 0.00952381 15.031 0.00952381"}));
  EXPECT_EQ(table.nonterminal_statistics().size(), 3u);
  EXPECT_EQ(table.nonterminal_statistics()[2].rules, 2u);
  EXPECT_EQ(table.nonterminal_statistics()[2].source_sides, 1u);
}

TEST_F(MosesImportTest, TheSystemHasWhatTheRulesNeed) {
  const RuleTable table = Import(
      "a b c d [X][X] [X][X] [X] ||| 1 2 3 4 5 6 7 8 9 10 [X][X] [X][X] [X] ||| 1 1 1 1 ||| 4-11 5-10 ||| 1 1 1\n");
  EXPECT_TRUE(table.spec().grammar.adjacent_nt);
  EXPECT_EQ(table.spec().grammar.max_symbols, 6);
  EXPECT_EQ(table.spec().max_length, 12);
}

TEST_F(MosesImportTest, ErrorsNameTheLine) {
  const std::string good = "a [X] ||| b [X] ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n";
  const auto expect = [&](const std::string& line, const std::string& part) {
    const std::string error = ErrorOf(good + line);
    EXPECT_NE(error.find("moses:2: "), std::string::npos) << error;
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  expect("a ||| b ||| 1 1 1 1\n", "does not end with the left-hand side");
  expect("a [S] ||| b [X] ||| 1 1 1 1\n", "does not end with the left-hand side");
  expect("[X][NP] a [X] ||| [X][X] b [X] ||| 1 1 1 1 ||| 0-0\n", "`[X][NP]`");
  expect("[X][X] a [X] ||| b [X] ||| 1 1 1 1 ||| 1-0\n", "1 non-terminals in the source, but 0");
  expect("[X][X] a [X] ||| [X][X] b [X] ||| 1 1 1 1 ||| 1-1\n", "does not link every non-terminal");
  expect("[X][X] a [X] ||| [X][X] b [X] ||| 1 1 1 1 ||| 0-1 1-0\n", "joins a word and a non-terminal");
  expect("[X][X] a [X][X] [X] ||| [X][X] b [X][X] [X] ||| 1 1 1 1 ||| 0-0 0-2\n", "the second one of a non-terminal");
  expect("[X][X] a [X][X] [X] ||| [X][X] b [X][X] [X] ||| 1 1 1 1 ||| 0-0 2-0\n", "the second one of a non-terminal");
  expect("[X][X] [X] ||| [X][X] [X] ||| 1 1 1 1 ||| 0-0\n", "without words");
  expect("[X][X] a [X][X] b [X][X] [X] ||| [X][X] a [X][X] b [X][X] [X] ||| 1 1 1 1 ||| 0-0 2-2 4-4\n", "at most 2");
  expect("a [X] ||| b [X] ||| 1 1 1 ||| 0-0\n", "3 scores");
  expect("a [X] ||| b [X] ||| 1 1 1 1 ||| 0-1\n", "0-1");
  EXPECT_NE(ErrorOf(good + good).find("occurs twice"), std::string::npos);
}

TEST_F(MosesImportTest, OnlyTheStandardGlueGrammarIsTaken) {
  EXPECT_EQ(GlueErrorOf(kGlue), "no error");
  EXPECT_EQ(GlueErrorOf("[X][S] [X][X] [X] ||| [X][S] [X][X] [S] ||| 2.718 ||| 0-0 1-1 ||| 0\n"
                        "<s> [X] ||| <s> [S] ||| 1 |||  ||| 0\n"
                        "[X][S] </s> [X] ||| [X][S] </s> [S] ||| 1 ||| 0-0 ||| 0\n")
                .find("glue:3: "),
            folder_.path().size() + 1);
  std::string other(kGlue);
  other.replace(other.find("2.718"), 5, "1.000");
  EXPECT_NE(GlueErrorOf(other).find("glue:3: the glue rule `[X][S] [X][X] [X]` has the score 1.000, not 2.718"),
            std::string::npos);
  EXPECT_NE(GlueErrorOf(std::string(kGlue) + "[X][S] [X][NP] [X] ||| [X][S] [X][NP] [S] ||| 2.718\n")
                .find("glue:4: not a standard glue rule"),
            std::string::npos);
  EXPECT_NE(GlueErrorOf(std::string(kGlue) + "<s> [X] ||| <s> [S] ||| 1\n").find("glue:4: "), std::string::npos);
  EXPECT_NE(GlueErrorOf(kGlue.substr(0, kGlue.find("[X][S] [X][X]"))).find("lacks the glue rule `[X][S] [X][X] [X]`"),
            std::string::npos);
}

}  // namespace
}  // namespace graft::engine
