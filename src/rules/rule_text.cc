#include "rules/rule_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "text/error.h"
#include "text/utf8.h"

namespace graft {
namespace {

constexpr std::string_view kLhs = "X";
constexpr std::string_view kGapMark = "[*]";
constexpr size_t kMaxTargetSymbols = 255;  // RuleLink has a byte for a position
constexpr std::array<std::pair<char, std::string_view>, 5> kEscapes = {
    {{'&', "&amp;"}, {'|', "&#124;"}, {' ', "&#32;"}, {'\t', "&#9;"}, {'[', "&#91;"}}};

bool InBrackets(std::string_view word) { return word.size() >= 2 && word.front() == '[' && word.back() == ']'; }

[[noreturn]] void Malformed(std::string_view what, std::string_view text) {
  throw Error(std::string(what) + " `" + std::string(text) + "`");
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

void AppendNumber(size_t number, std::string* text) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  text->append(digits, end);
}

bool GapBefore(SignatureKind kind, const SourceSymbol& symbol) {
  return kind == SignatureKind::kGap && symbol.signature != 0;
}

// The label bits of the edge from → to, as one of "", ":dep", ":seq"; false if there is no such edge.
bool FindEdge(SignatureKind kind, std::span<const SourceSymbol> source, size_t from, size_t to,
              std::string_view* label) {
  if (from == to) return false;
  const size_t later = std::max(from, to), earlier = std::min(from, to);
  const bool backward = from > to;
  if (kind == SignatureKind::kEdges) {
    *label = "";
    return (source[later].signature >> (2 * earlier + (backward ? 1 : 0)) & 1) != 0;
  }
  const uint32_t bits = source[later].signature >> (4 * earlier + (backward ? 2 : 0)) & 3;
  *label = (bits & 1) != 0 ? ":dep" : ":seq";
  return bits != 0;
}

void ParseSource(SignatureKind kind, std::string_view text, const Intern& intern, ParsedRule* rule,
                 std::vector<int>* symbol_at) {
  bool gap = false;
  for (std::string_view token : SplitTokens(text)) {
    if (kind == SignatureKind::kGap && token == kGapMark) {
      if (gap || rule->source.empty()) throw Error("a gap must lie between two words");
      gap = true;
      symbol_at->push_back(-1);
      continue;
    }
    if (InBrackets(token)) Malformed("unexpected non-terminal (a word in brackets starts with &#91;)", token);
    symbol_at->push_back(static_cast<int>(rule->source.size()));
    rule->source.push_back({intern(UnescapeWord(token)), gap ? 1u : 0u});
    gap = false;
  }
  if (gap) throw Error("a gap must lie between two words");
  if (rule->source.empty()) throw Error("no source word");
  const size_t room = kind == SignatureKind::kLabelledEdges ? kMaxLabelledSymbols : kMaxSourceSymbols;
  if (rule->source.size() > room)
    throw Error(std::to_string(rule->source.size()) + " source words; there is room for " + std::to_string(room));
}

void ParseEdges(SignatureKind kind, std::string_view text, ParsedRule* rule) {
  const bool labelled = kind == SignatureKind::kLabelledEdges;
  for (std::string_view token : SplitTokens(text)) {
    if (kind != SignatureKind::kEdges && !labelled) Malformed("edges in a rule of a system without edges:", token);
    std::string_view rest = token;
    const int from = TakeNumber(&rest, token);
    if (!rest.starts_with('>')) Malformed("an edge is written u>v, found", token);
    rest.remove_prefix(1);
    const int to = TakeNumber(&rest, token);
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

void ParseTarget(std::string_view text, const Intern& intern, ParsedRule* rule) {
  for (std::string_view token : SplitTokens(text)) {
    if (InBrackets(token)) Malformed("unexpected non-terminal (a word in brackets starts with &#91;)", token);
    rule->target.push_back(TargetWord(intern(UnescapeWord(token))));
  }
  if (rule->target.empty()) throw Error("no target word");
  if (rule->target.size() > kMaxTargetSymbols) throw Error("more than 255 target words");
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
    rule->links.push_back({static_cast<uint8_t>(symbol_at[source]), static_cast<uint8_t>(target)});
  }
  std::sort(rule->links.begin(), rule->links.end());
  if (std::adjacent_find(rule->links.begin(), rule->links.end()) != rule->links.end())
    Malformed("link given twice:", text);
}

}  // namespace

std::string EscapeWord(std::string_view word) {
  std::string text;
  text.reserve(word.size());
  for (size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    const bool escaped = c == '&' || c == '|' || c == ' ' || c == '\t' || (c == '[' && i == 0 && InBrackets(word));
    if (!escaped) {
      text += c;
      continue;
    }
    for (const auto& [plain, escape] : kEscapes)
      if (c == plain) text += escape;
  }
  return text;
}

std::string UnescapeWord(std::string_view text) {
  std::string word;
  word.reserve(text.size());
  while (!text.empty()) {
    size_t taken = 1;
    char c = text.front();
    if (c == '&') {
      for (const auto& [plain, escape] : kEscapes) {
        if (!text.starts_with(escape)) continue;
        c = plain;
        taken = escape.size();
        break;
      }
    }
    word += c;
    text.remove_prefix(taken);
  }
  return word;
}

std::string FormatCount(RuleCount count) {
  std::string text = std::to_string(count / kOneOccurrence);
  if (RuleCount fraction = count % kOneOccurrence; fraction != 0) {
    std::string digits = std::to_string(kOneOccurrence + fraction);  // a leading 1 keeps the zeros
    digits[0] = '.';
    digits.erase(digits.find_last_not_of('0') + 1);
    text += digits;
  }
  return text;
}

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

RuleFields FormatRule(SignatureKind kind, const RuleOccurrence& rule, const WordOf& source_word,
                      const WordOf& target_word) {
  RuleFields fields{std::string(kLhs), {}, {}, {}, {}};
  for (const SourceSymbol& symbol : rule.source) {
    if (!fields.source.empty()) fields.source += ' ';
    if (GapBefore(kind, symbol)) fields.source.append(kGapMark) += ' ';
    fields.source += EscapeWord(source_word(symbol.symbol));
  }
  if (kind == SignatureKind::kEdges || kind == SignatureKind::kLabelledEdges) {
    std::string_view label;
    for (size_t from = 0; from < rule.source.size(); ++from) {
      for (size_t to = 0; to < rule.source.size(); ++to) {
        if (!FindEdge(kind, rule.source, from, to, &label)) continue;
        if (!fields.edges.empty()) fields.edges += ' ';
        AppendNumber(from, &fields.edges);
        fields.edges += '>';
        AppendNumber(to, &fields.edges);
        fields.edges += label;
      }
    }
  }
  for (TargetSymbol symbol : rule.target) {
    if (!fields.target.empty()) fields.target += ' ';
    fields.target += EscapeWord(target_word(TargetWordId(symbol)));
  }
  fields.links = FormatLinks(kind, rule.source, rule.links);
  return fields;
}

std::string FormatLinks(SignatureKind kind, std::span<const SourceSymbol> source, std::span<const RuleLink> links) {
  std::string text;
  size_t symbol = 0, gaps = 0;  // gaps before or at `symbol`
  for (const RuleLink& link : links) {
    for (; symbol <= link.source; ++symbol) gaps += GapBefore(kind, source[symbol]) ? 1 : 0;
    if (!text.empty()) text += ' ';
    AppendNumber(link.source + gaps, &text);
    text += '-';
    AppendNumber(link.target, &text);
  }
  return text;
}

ParsedRule ParseRule(SignatureKind kind, std::string_view lhs, std::string_view source, std::string_view edges,
                     std::string_view target, std::string_view links, const Intern& source_word,
                     const Intern& target_word) {
  if (lhs != kLhs) Malformed("the left-hand side must be X, found", lhs);
  ParsedRule rule;
  std::vector<int> symbol_at;  // by text position; -1 = a gap
  ParseSource(kind, source, source_word, &rule, &symbol_at);
  ParseEdges(kind, edges, &rule);
  ParseTarget(target, target_word, &rule);
  ParseRuleLinks(links, symbol_at, &rule);
  return rule;
}

}  // namespace graft
