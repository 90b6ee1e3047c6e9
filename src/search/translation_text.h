// Translations as text: n-best lines, JSON objects, and derivations for people to read.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "corpus/sentence.h"
#include "model/features.h"
#include "search/translation.h"

namespace graft::engine {

// `TranslationModel= v v v v LM= v … `: the system's features in fixed order, UnknownWordPenalty only when not 0;
// shortest floats that read back the same.
std::string FormatFeatures(const SystemSpec& spec, const FeatureVector& features);

// `id ||| tokens ||| features ||| total`, no line end. A `|` in a token is written `&#124;`, a space `&#32;`, and
// what would read as one of these gets one more `amp;` (`&#124;` is `&amp;#124;`); any other `&` stays.
std::string FormatNBestLine(const SystemSpec& spec, uint64_t id, const Translation& translation);

// The line of a string that cannot be derived: an empty feature field and total -inf.
std::string FormatUnderivableLine(uint64_t id, const std::vector<std::string>& tokens);

// `tokens ||| 0-0 1-2`, tokens escaped as in n-best lines so that positions can be counted.
std::string FormatAlignedLine(const Translation& translation);
std::string FormatAlignment(const Translation& translation);  // `0-0 1-2`

struct JsonOptions {
  bool explain = false;
  // How "text" is written, e.g. detokenised; tokens and spaces if empty.
  std::function<std::string(const std::vector<std::string>& tokens)> present;
};
// One object a sentence: text, score, features, alignment, alternatives, and the derivation on request: an array of
// steps; with a grammar each has glue, lhs, rule_source, rule_target and children (the steps that fill its
// non-terminals, as indexes) besides.
std::string FormatJson(const SystemSpec& spec, const Sentence& source, const std::vector<Translation>& translations,
                       const JsonOptions& options);

// The derivation for people: each unit with its words, edges, target words and scores; with a grammar the tree of
// rules.
std::string FormatDerivation(const SystemSpec& spec, uint64_t id, const Sentence& source,
                             const Translation& translation);

// A line of an n-best list of ours or of Moses's.
struct NBestLine {
  uint64_t id = 0;
  std::vector<std::string> tokens;
};
NBestLine ParseNBestLine(std::string_view line);  // throws Error without position

}  // namespace graft::engine
