// docs/limits.md says what the program does: the figures that have a name in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "corpus/sentence.h"
#include "model/search_options.h"
#include "rules/pair_bound.h"
#include "rules/source_side.h"
#include "search/forced_stacks.h"
#include "search/search_bound.h"
#include "support/paths.h"
#include "table/table_format.h"
#include "util/quantities.h"
#include "util/size_limits.h"

namespace graft::engine {
namespace {

TEST(LimitsTest, ThePageHasTheFiguresOfTheProgram) {
  std::vector<std::string> rows;
  std::ifstream page(TestData("../../docs/limits.md"));
  for (std::string line; std::getline(page, line);) rows.push_back(line);
  const auto expect = [&](const std::string& what, const std::string& figure) {
    const std::string row = "| " + what + " | " + figure + " |";
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&](const std::string& line) { return line.starts_with(row); }))
        << "no row `" << row << "`";
  };
  const std::string pairs = GroupDigits(kMaxPairRules), sub_pairs = GroupDigits(kMaxPairRulesWithSubPairs);
  expect("line of a text, a corpus, an n-best list, a dump", FormatBytes(kMostLineBytes));
  expect("sentence of CoNLL-U, comments included", FormatBytes(kMostLineBytes));
  expect("input of one call of the library", FormatBytes(kMostLineBytes));
  expect("configuration, ledger, file of a work folder that a report reads", FormatBytes(kMostWholeBytes));
  expect("words of a sentence in one search", GroupDigits(kMaxSentenceWords));
  expect("words of a side in training", GroupDigits(kMaxSentenceWords));
  expect("words of a sentence that links reach", GroupDigits(UINT16_MAX + 1));
  expect("rules of one pair (`max_pair_rules`)", pairs);
  expect("the same where non-terminals replace sub-pairs (HPBMT, SERG, GramGBMT)", sub_pairs);
  expect("`max_pair_rules` as a setting", GroupDigits(kLeastMaxPairRules) + " to " + GroupDigits(kMostMaxPairRules));
  expect("source symbols of a rule", GroupDigits(kMaxSourceSymbols));
  expect("source symbols of a rule with labels on its edges", GroupDigits(kMaxLabelledSymbols));
  expect("target symbols of a rule", GroupDigits(kMaxTargetSymbols));
  expect("non-terminals of a rule", GroupDigits(kMaxNonTerminals));
  expect("targets of a source side in a search (`search.table_limit`)", GroupDigits(kMostOptions));
  expect("nodes of one level of a table", GroupDigits(kMaxNodes));
  expect("partial translations of one search", GroupDigits(kMostKept));
  expect("words and steps of an n-best list of one sentence, of any length", GroupDigits(kMostListed));
  expect("tokens of a translation to rescore (`--rescore`), with a grammar", GroupDigits(kMostForcedWords));
  expect("distortion limit and `max_span` together, left to right", GroupDigits(kCoverageWindow));
}

}  // namespace
}  // namespace graft::engine
