// Small grammars to test searches with: from files of rules, and random ones with a sentence to match.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "corpus/sentence.h"
#include "search/brute_grammar.h"
#include "table/rule_table.h"

namespace graft::engine::fixtures {

RuleScores RandomScores(std::mt19937* random);

// Rules of a file as `graft extract` writes it (without escapes); scores are random. An edge label, if any, is kept.
std::vector<GrammarRule> ReadGrammar(const SystemSpec& spec, const std::string& path, std::mt19937* random);

// A table with float scores, in memory.
RuleTable WriteGrammar(const SystemSpec& spec, const std::vector<GrammarRule>& rules);

// The paper's running example: the sentence, its rules of a system as the golden files name alignment and system, and
// how many derivations these have of it with each setting of glue, copied words apart.
GrammarInput PaperSentence();
struct PaperGlueCount {
  GrammarSettings settings;
  uint64_t s;
};
struct PaperCount {
  std::string system;
  SystemSpec spec;
  uint64_t x;
  std::vector<PaperGlueCount> glue;
};
std::vector<PaperCount> PaperCounts();
std::vector<GrammarRule> PaperRules(const PaperCount& count, std::mt19937* random);

Sentence ToSentence(const GrammarInput& input);

// The rule of a unit of `input` with non-terminals in place of `holes`, disjoint parts of it; sets of words, bit i =
// position i. Scores are 0.
GrammarRule MakeGrammarRule(const SystemSpec& spec, const GrammarInput& input, uint32_t unit,
                            const std::vector<uint32_t>& holes, std::vector<TargetText> target);

struct GrammarCase {
  GrammarInput input;
  std::vector<GrammarRule> rules;
};
// A sentence of 1 to 6 words over four words and two tags with a projective tree of one or more roots; `unseen` is a
// word that no random rule has.
GrammarInput RandomGrammarSentence(bool with_unknown, std::mt19937* random);
// Such a sentence, some words unknown; rules made of random units of it and of other such sentences, with up to
// max_nonterminals of `spec`. Has at most `most` derivations under `settings` without a table limit.
GrammarCase RandomGrammarCase(const SystemSpec& spec, const GrammarSettings& settings, uint64_t most,
                              std::mt19937* random);

}  // namespace graft::engine::fixtures
