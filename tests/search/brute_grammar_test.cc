// The exhaustive search itself, by the derivation counts of the paper's running example.
#include "search/brute_grammar.h"

#include <gtest/gtest.h>

#include "search/grammar_cases.h"

namespace graft::engine::fixtures {
namespace {

TEST(BruteGrammar, CountsDerivationsOfThePapersExample) {
  std::mt19937 random(1);
  for (const PaperCount& c : PaperCounts()) {
    const std::vector<GrammarRule> rules = PaperRules(c, &random);
    for (PaperGlueCount glue : c.glue) {
      glue.settings.copy_unknown = false;
      const GrammarCounts counts = CountGrammarDerivations(rules, c.spec, PaperSentence(), glue.settings);
      EXPECT_EQ(counts.x, c.x) << c.system;
      EXPECT_EQ(counts.s, glue.s) << c.system << " glue limit " << glue.settings.glue_limit << " free "
                                  << glue.settings.free_order;
    }
  }
}

}  // namespace
}  // namespace graft::engine::fixtures
