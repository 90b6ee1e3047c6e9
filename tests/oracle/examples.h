// Aligned graphs to test with: random ones, and those of files of training records.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "oracle/brute_force.h"
#include "rules/extract.h"
#include "text/vocabulary.h"

namespace graft::engine::oracle {

// Up to 8 source and 9 target words from a handful of words (some of which need escapes), any tree
// (several roots, not projective), a few tags, links of any density from almost none to almost all.
Example RandomExample(std::mt19937_64* random);

// The same with links as words of a translation have them, most words one, in an order more or less changed: more
// rules, above all of units with gaps.
Example RandomReordering(std::mt19937_64* random, int most_words = 8);

// Lines `source ||| tags ||| heads ||| target ||| links`, positions 1-based.
std::vector<Example> ReadExamples(const std::string& path);

// An example over word ids, its tree made projective if the system wants it.
IndexedPair Index(const Example& example, const SystemSpec& spec, Vocabulary* source_words, Vocabulary* target_words);

// An occurrence as text.
RuleLine Line(const RuleOccurrence& rule, const SystemSpec& spec, const Vocabulary& source_words,
              const Vocabulary& target_words, const LabelNumbers& labels = LabelNumbers());

// One line per occurrence that the engine extracts, sorted.
std::vector<RuleLine> EngineExtract(const Example& example, const SystemSpec& spec);
std::vector<RuleLine> BoundedExtract(const Example& example, const SystemSpec& spec, uint64_t max_rules);

// The lines of `graft extract`: equal lines merged, with counts, sorted by fields.
std::vector<std::string> Merged(const std::vector<RuleLine>& lines);

}  // namespace graft::engine::oracle
