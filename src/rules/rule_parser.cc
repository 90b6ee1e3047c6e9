// Reading rules as text (rule_text.h): everything malformed is found here.
#include <algorithm>
#include <charconv>

#include "graft/error.h"
#include "rules/labels.h"
#include "rules/rule_text.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

constexpr size_t kMaxTargetSymbols = 255;  // RuleLink has a byte for a position

[[noreturn]] void Malformed(std::string_view what, std::string_view text) {
  throw Error(std::string(what) + " " + Quoted(text));
}

// The number at the start of *text, which is shortened by it.
int TakeNumber(std::string_view* text, std::string_view whole) {
  int number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || text->empty() || !(text->front() >= '0' && text->front() <= '9'))
    Malformed("no number in", whole);
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return number;
}

// `[LABEL,k]` taken apart; labels may have commas and brackets in them.
struct NonTerminal {
  std::string_view label;
  size_t number;
};
NonTerminal ParseNonTerminal(const SystemSpec& spec, std::string_view token) {
  if (!spec.has_grammar()) Malformed("unexpected non-terminal (a word in brackets starts with &#91;)", token);
  const size_t comma = token.rfind(',');
  if (comma == std::string_view::npos || comma < 2)
    Malformed("a non-terminal is written [LABEL,k] (a word in brackets starts with &#91;), found", token);
  std::string_view number = token.substr(comma + 1, token.size() - comma - 2);
  const int k = TakeNumber(&number, token);
  if (!number.empty()) Malformed("no number after the comma of", token);
  return {token.substr(1, comma - 1), static_cast<size_t>(k)};
}

uint32_t ParseLabel(const SystemSpec& spec, std::string_view text, const InternLabel& intern) {
  if (text.empty()) throw Error("no label");
  if (!spec.grammar.pos && text != kLabelXText) Malformed("labels other than X need a system with --pos, found", text);
  return intern(UnescapeWord(text));
}

// The label of a non-terminal of the source.
uint32_t ParseSourceLabel(const SystemSpec& spec, std::string_view text, const InternLabel& intern) {
  if (!spec.has_blocks()) return ParseLabel(spec, text, intern);
  if (!(text.starts_with(kWordLabelPrefix) || text.starts_with(kTagLabelPrefix)) ||
      text.size() == kWordLabelPrefix.size())
    Malformed("a variable is written [w=WORD,k] or [p=TAG,k], found the label", text);
  return intern(UnescapeWord(text));
}

// Returns the number of non-terminals.
size_t ParseSource(const SystemSpec& spec, std::string_view text, const RuleInterns& ids, ParsedRule* rule,
                   std::vector<int>* symbol_at) {
  bool gap = false;
  size_t nonterminals = 0;
  for (std::string_view token : SplitTokens(text)) {
    if (spec.signature() == SignatureKind::kGap && token == kGapMark) {
      if (gap || rule->source.empty()) throw Error("a gap must lie between two words");
      gap = true;
      symbol_at->push_back(-1);
      continue;
    }
    symbol_at->push_back(static_cast<int>(rule->source.size()));
    if (InBrackets(token)) {
      const NonTerminal found = ParseNonTerminal(spec, token);
      if (found.number != ++nonterminals)
        throw Error("the non-terminals of the source must be numbered 1, 2, … in this order; " + Quoted(token) +
                    " is number " + std::to_string(nonterminals));
      rule->source.push_back({ParseSourceLabel(spec, found.label, ids.label) | kLabelBit, 0});
      continue;
    }
    rule->source.push_back({ids.source_word(UnescapeWord(token)), gap ? 1u : 0u});
    gap = false;
  }
  if (gap) throw Error("a gap must lie between two words");
  const bool needs_word = !spec.has_blocks() || nonterminals < 2;  // a structure may have only variables
  if (rule->source.size() == nonterminals && needs_word) throw Error("no source word");
  if (nonterminals > static_cast<size_t>(spec.grammar.max_nonterminals))
    throw Error(std::to_string(nonterminals) + " non-terminals; the system has at most " +
                std::to_string(spec.grammar.max_nonterminals));
  const auto room = static_cast<size_t>(spec.symbol_room());
  if (rule->source.size() > room)
    throw Error(std::to_string(rule->source.size()) + " source symbols; there is room for " + std::to_string(room));
  return nonterminals;
}

// The nodes of `u>v` at the start of *text, which is shortened by it.
EdgeEnds TakeEnds(std::string_view* text, std::string_view whole) {
  EdgeEnds ends;
  ends.start = TakeNumber(text, whole);
  if (!text->starts_with('>')) Malformed("an edge is written u>v, found", whole);
  text->remove_prefix(1);
  ends.end = TakeNumber(text, whole);
  return ends;
}

// One edge for each symbol, which is that edge.
void ParseNodes(std::string_view text, ParsedRule* rule) {
  const std::vector<std::string_view> tokens = SplitTokens(text);
  if (tokens.size() != rule->source.size())
    throw Error(std::to_string(tokens.size()) + " edges for " + std::to_string(rule->source.size()) +
                " source symbols; the system needs one for each");
  NodeNumbers nodes;
  for (size_t k = 0; k < tokens.size(); ++k) {
    std::string_view rest = tokens[k];
    const EdgeEnds ends = TakeEnds(&rest, tokens[k]);
    if (!rest.empty()) Malformed("an edge without label expected, found", tokens[k]);
    if (ends.start == ends.end) Malformed("an edge needs two nodes, found", tokens[k]);
    rule->source[k].signature = nodes.Signature(ends);
    if (NodeNumbers::EndsOf(k, rule->source[k].signature) != ends)
      Malformed("nodes must be numbered 0, 1, … in the order in which edges name them, found", tokens[k]);
  }
}

// `h>d` from one symbol to every other, or none.
void ParseRoles(std::string_view text, ParsedRule* rule) {
  const int symbols = static_cast<int>(rule->source.size());
  std::vector<bool> reached(rule->source.size());
  int head = kNoHeadSymbol;
  for (std::string_view token : SplitTokens(text)) {
    std::string_view rest = token;
    const auto [from, to] = TakeEnds(&rest, token);
    if (!rest.empty()) Malformed("an edge without label expected, found", token);
    if (from >= symbols || to >= symbols || from == to) Malformed("edge out of range:", token);
    if (head != kNoHeadSymbol && from != head) Malformed("edges must lead from one symbol to all others, found", token);
    if (reached[static_cast<size_t>(to)]) Malformed("edge given twice:", token);
    head = from;
    reached[static_cast<size_t>(to)] = true;
  }
  if (head != kNoHeadSymbol && std::count(reached.begin(), reached.end(), true) != symbols - 1)
    Malformed("edges must lead from one symbol to all others, found only", text);
  SetRoles(head, rule->source);
}

void ParseEdges(SignatureKind kind, std::string_view text, ParsedRule* rule) {
  if (kind == SignatureKind::kNodes) return ParseNodes(text, rule);
  if (kind == SignatureKind::kRole) return ParseRoles(text, rule);
  const bool labelled = kind == SignatureKind::kLabelledEdges;
  for (std::string_view token : SplitTokens(text)) {
    if (!HasWordEdges(kind)) Malformed("edges in a rule of a system without edges:", token);
    std::string_view rest = token;
    const auto [from, to] = TakeEnds(&rest, token);
    if (labelled ? rest != ":dep" && rest != ":seq" : !rest.empty())
      Malformed(labelled ? "an edge needs the label :dep or :seq, found" : "an edge without label expected, found",
                token);
    const int words = static_cast<int>(rule->source.size());
    if (from >= words || to >= words || from == to) Malformed("edge out of range:", token);
    const int earlier = std::min(from, to);
    uint32_t& signature = rule->source[static_cast<size_t>(std::max(from, to))].signature;
    const int slot = labelled ? 4 * earlier + (from > to ? 2 : 0) : 2 * earlier + (from > to ? 1 : 0);
    if ((signature >> slot & (labelled ? 3u : 1u)) != 0) Malformed("edge given twice:", token);
    signature |= (rest == ":seq" ? 2u : 1u) << slot;
  }
}

void ParseTarget(const SystemSpec& spec, std::string_view text, size_t nonterminals, const Intern& intern,
                 ParsedRule* rule) {
  uint32_t seen = 0;
  for (std::string_view token : SplitTokens(text)) {
    if (!InBrackets(token)) {
      rule->target.push_back(TargetWord(intern(UnescapeWord(token))));
      continue;
    }
    const NonTerminal found = ParseNonTerminal(spec, token);
    if (found.label != kLabelXText) Malformed("a non-terminal of the target is written [X,k], found", token);
    if (found.number < 1 || found.number > nonterminals) Malformed("a non-terminal that the source lacks:", token);
    if ((seen >> found.number & 1) != 0) Malformed("a non-terminal given twice in the target:", token);
    seen |= 1u << found.number;
    rule->target.push_back(static_cast<TargetSymbol>(found.number));
  }
  for (size_t k = 1; k <= nonterminals; ++k)
    if ((seen >> k & 1) == 0) throw Error("the target lacks the non-terminal [X," + std::to_string(k) + "]");
  if (rule->target.size() == nonterminals && !(spec.has_blocks() && nonterminals > 0)) throw Error("no target word");
  if (rule->target.size() > kMaxTargetSymbols) throw Error("more than 255 target symbols");
}

void ParseRuleLinks(std::string_view text, const std::vector<int>& symbol_at, ParsedRule* rule) {
  for (std::string_view token : SplitTokens(text)) {
    std::string_view rest = token;
    const size_t source = static_cast<size_t>(TakeNumber(&rest, token));
    if (!rest.starts_with('-')) Malformed("a link is written s-t, found", token);
    rest.remove_prefix(1);
    const size_t target = static_cast<size_t>(TakeNumber(&rest, token));
    if (!rest.empty()) Malformed("a link is written s-t, found", token);
    if (source >= symbol_at.size() || target >= rule->target.size()) Malformed("link out of range:", token);
    if (symbol_at[source] < 0) Malformed("link of a gap:", token);
    if ((rule->source[static_cast<size_t>(symbol_at[source])].symbol & kLabelBit) != 0 ||
        !IsTargetWord(rule->target[target]))
      Malformed("link of a non-terminal:", token);
    rule->links.push_back({static_cast<uint8_t>(symbol_at[source]), static_cast<uint8_t>(target)});
  }
  std::sort(rule->links.begin(), rule->links.end());
  if (std::adjacent_find(rule->links.begin(), rule->links.end()) != rule->links.end())
    Malformed("link given twice:", text);
}

}  // namespace

RuleCount ParseCount(std::string_view text) {
  const size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = point == std::string_view::npos ? std::string_view("0") : text.substr(point + 1);
  const auto digits_only = [](std::string_view s) {
    return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (!digits_only(whole) || !digits_only(fraction) || fraction.size() > 9) Malformed("not a count:", text);
  uint64_t ones = 0;
  const auto error = std::from_chars(whole.data(), whole.data() + whole.size(), ones).ec;
  if (error != std::errc() || ones >= UINT64_MAX / kOneOccurrence) Malformed("count too large:", text);
  uint64_t billionths = 0;
  std::from_chars(fraction.data(), fraction.data() + fraction.size(), billionths);
  for (size_t i = fraction.size(); i < 9; ++i) billionths *= 10;
  return ones * kOneOccurrence + billionths;
}

uint32_t InternOnlyX(std::string_view label) {
  if (label != kLabelXText) Malformed("the only label is X, found", label);
  return kLabelX;
}

ParsedRule ParseRule(const SystemSpec& spec, const RuleText& text, const RuleInterns& ids) {
  if (!spec.grammar.pos && text.lhs != kLabelXText) Malformed("the left-hand side must be X, found", text.lhs);
  ParsedRule rule;
  rule.lhs = ParseLabel(spec, text.lhs, ids.label);
  std::vector<int> symbol_at;  // by text position; -1 = a gap
  const size_t nonterminals = ParseSource(spec, text.source, ids, &rule, &symbol_at);
  ParseEdges(spec.signature(), text.edges, &rule);
  ParseTarget(spec, text.target, nonterminals, ids.target_word, &rule);
  ParseRuleLinks(text.links, symbol_at, &rule);
  return rule;
}

}  // namespace graft::engine
