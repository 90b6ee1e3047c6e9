// Results as text: what `graft translate` prints.
//
//   graft::Translator translator(graft::Model::Open("model"));
//   const graft::Result result = translator.Translate("Er kommt.", {.alternatives = 9, .derivation = true});
//   std::puts(graft::ExplanationOf(result.sentences[0], 0).c_str());
//   for (const std::string& line : graft::NBestLines(result.sentences[0], 0)) std::puts(line.c_str());
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graft/result.h"

#pragma GCC visibility push(default)
namespace graft {

// `TranslationModel= v v v v LM= v …`, shortest numbers that read back the same.
std::string FeaturesText(const std::vector<Feature>& features);

// `id ||| tokens ||| features ||| total` of the best translation and its alternatives; none for an empty sentence. A
// `|` in a token is written `&#124;`, a space `&#32;`, and what would read as one of these gets one more `amp;`.
std::vector<std::string> NBestLines(const Sentence& sentence, uint64_t id);
std::string NBestLine(const Translation& translation, uint64_t id);
// The line of a string that cannot be derived: an empty feature field and total -inf.
std::string UnderivableLine(const std::vector<std::string>& tokens, uint64_t id);

std::string AlignmentText(const Translation& translation);  // `0-0 1-2`
std::string AlignedLine(const Translation& translation);    // `tokens ||| 0-0 1-2`, tokens as in n-best lists

// The derivations of the best translation and its alternatives for people: each unit with its words, edges, target
// words and scores; with a grammar the tree of rules.
std::string ExplanationOf(const Sentence& sentence, uint64_t id);

// One object: text, score, features, alignment, alternatives, and with `derivation` an array of steps.
std::string JsonOf(const Sentence& sentence, bool derivation);

// A line of an n-best list of Graft's or of Moses's. Throws Error.
struct ParsedNBestLine {
  uint64_t id = 0;
  std::vector<std::string> tokens;
};
ParsedNBestLine ParseNBestLine(std::string_view line);

}  // namespace graft
#pragma GCC visibility pop
