// Rules as text: `LHS ||| source ||| edges ||| target ||| count ||| links` and the escapes of words in it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rule.h"
#include "rules/system_spec.h"

namespace graft::engine {

// `&`→`&amp;`, `|`→`&#124;`, space→`&#32;`, tab→`&#9;`, and in a word that starts with `[` and ends with `]` the first
// `[`→`&#91;`.
std::string EscapeWord(std::string_view word);
std::string UnescapeWord(std::string_view text);

// The count in units of one: at most 9 decimals, no trailing zeros, no exponent ("3", "0.5", "0.233766234").
std::string FormatCount(RuleCount count);
RuleCount ParseCount(std::string_view text);  // throws Error

using WordOf = std::function<std::string_view(WordId)>;
using LabelOf = std::function<std::string_view(uint32_t)>;  // the text of a label (labels.h), 0 = X
std::string_view OnlyX(uint32_t label);                     // for systems without other labels; throws Error

// The key fields of a rule, without count. A non-terminal is `[LABEL,k]` in the source, k = 1, 2, … in source order,
// and `[X,k]` in the target. Edges of roles lead from the
// head-position symbol to every other. Link positions count SDTU's `[*]` as a symbol.
struct RuleFields {
  std::string lhs, source, edges, target, links;
};
RuleFields FormatRule(SignatureKind kind, const RuleOccurrence& rule, const WordOf& source_word,
                      const WordOf& target_word, const LabelOf& label = OnlyX);

// `0-0 1-2` over text positions (gaps counted), for a source side of the given kind.
std::string FormatLinks(SignatureKind kind, std::span<const SourceSymbol> source, std::span<const RuleLink> links);

// The reverse, interning words and labels by the given calls (labels: X must give 0). The fields are those between the
// bars. Throws Error (without file and line) on anything malformed and on what a rule of the system cannot have: more
// symbols than the signature has room for, links out of range or of a gap or non-terminal, edges in a system without
// edges, non-terminals in one without a grammar or more of them than it has, labels other than the system's.
struct ParsedRule {
  uint32_t lhs = 0;
  std::vector<SourceSymbol> source;
  std::vector<TargetSymbol> target;
  std::vector<RuleLink> links;
};
using Intern = std::function<WordId(std::string_view)>;
using InternLabel = std::function<uint32_t(std::string_view)>;
uint32_t InternOnlyX(std::string_view label);  // for systems without other labels; throws Error
ParsedRule ParseRule(const SystemSpec& spec, std::string_view lhs, std::string_view source, std::string_view edges,
                     std::string_view target, std::string_view links, const Intern& source_word,
                     const Intern& target_word, const InternLabel& label = InternOnlyX);

}  // namespace graft::engine
