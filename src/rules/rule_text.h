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

// `&`→`&amp;`, `|`→`&#124;`, space→`&#32;`, tab→`&#9;`, CR→`&#13;` (at the end of a line a reader drops it), and in a
// word that starts with `[` and ends with `]` the first `[`→`&#91;`.
std::string EscapeWord(std::string_view word);
inline bool InBrackets(std::string_view word) { return word.size() >= 2 && word.front() == '[' && word.back() == ']'; }
std::string UnescapeWord(std::string_view text);

// The count in units of one: at most 9 decimals, no trailing zeros, no exponent ("3", "0.5", "0.233766234").
std::string FormatCount(RuleCount count);
RuleCount ParseCount(std::string_view text);  // throws Error

using WordOf = std::function<std::string_view(WordId)>;
using LabelOf = std::function<std::string_view(uint32_t)>;  // the text of a label (labels.h), 0 = X
std::string_view OnlyX(uint32_t label);                     // for systems without other labels; throws Error

inline constexpr std::string_view kGapMark = "[*]";  // of SDTU, in source sides

// The key fields of a rule, without count. A non-terminal is `[LABEL,k]` in the source, k = 1, 2, … in source order,
// and `[X,k]` in the target. Edges of roles lead from the head-position symbol to every other. Link positions count
// SDTU's gap marks as symbols.
struct RuleFields {
  std::string lhs, source, edges, target, links;
};
RuleFields FormatRule(SignatureKind kind, const RuleOccurrence& rule, const WordOf& source_word,
                      const WordOf& target_word, const LabelOf& label = OnlyX);

// `0-0 1-2` over text positions (gaps counted), for a source side of the given kind.
std::string FormatLinks(SignatureKind kind, std::span<const SourceSymbol> source, std::span<const RuleLink> links);

struct ParsedRule {
  uint32_t lhs = 0;
  std::vector<SourceSymbol> source;
  std::vector<TargetSymbol> target;
  std::vector<RuleLink> links;
};
using Intern = std::function<WordId(std::string_view)>;
using InternLabel = std::function<uint32_t(std::string_view)>;
uint32_t InternOnlyX(std::string_view label);  // for systems without other labels; throws Error
struct RuleInterns {                           // where words and labels get their ids
  Intern source_word, target_word;
  InternLabel label = InternOnlyX;  // X must give 0
};
struct RuleText {  // the fields between the bars
  std::string_view lhs, source, edges, target, links;
};
// The reverse of FormatRule. Throws Error (without file and line) on anything malformed and on what a rule of the
// system cannot have: more symbols than the signature has room for, links out of range or of a gap or non-terminal,
// edges in a system without edges, non-terminals in one without a grammar or more of them than it has, labels other
// than the system's.
ParsedRule ParseRule(const SystemSpec& spec, const RuleText& text, const RuleInterns& ids);

}  // namespace graft::engine
