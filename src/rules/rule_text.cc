#include "rules/rule_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "graft/error.h"
#include "rules/labels.h"

namespace graft::engine {
namespace {

constexpr std::array<std::pair<char, std::string_view>, 6> kEscapes = {
    {{'&', "&amp;"}, {'|', "&#124;"}, {' ', "&#32;"}, {'\t', "&#9;"}, {'\r', "&#13;"}, {'[', "&#91;"}}};

void AppendNumber(size_t number, std::string* text) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  text->append(digits, end);
}

bool GapBefore(SignatureKind kind, const SourceSymbol& symbol) {
  return kind == SignatureKind::kGap && symbol.signature != 0;
}

// The label of the edge from → to, as one of "", ":dep", ":seq"; false if there is no such edge.
bool FindEdge(SignatureKind kind, std::span<const SourceSymbol> source, size_t from, size_t to,
              std::string_view* label) {
  if (from == to) return false;
  if (kind == SignatureKind::kRole) {
    *label = "";
    return HeadSymbol(source) == static_cast<int>(from);
  }
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

// `u>v` for every edge between symbols, or for every symbol where these are edges.
std::string FormatEdges(SignatureKind kind, std::span<const SourceSymbol> source) {
  std::string edges;
  const auto append_edge = [&](size_t from, size_t to, std::string_view edge_label) {
    if (!edges.empty()) edges += ' ';
    AppendNumber(from, &edges);
    edges += '>';
    AppendNumber(to, &edges);
    edges += edge_label;
  };
  if (kind == SignatureKind::kNodes) {
    for (size_t k = 0; k < source.size(); ++k) {
      const EdgeEnds ends = NodeNumbers::EndsOf(k, source[k].signature);
      append_edge(static_cast<size_t>(ends.start), static_cast<size_t>(ends.end), "");
    }
  } else if (HasWordEdges(kind) || kind == SignatureKind::kRole) {
    std::string_view edge_label;
    for (size_t from = 0; from < source.size(); ++from)
      for (size_t to = 0; to < source.size(); ++to)
        if (FindEdge(kind, source, from, to, &edge_label)) append_edge(from, to, edge_label);
  }
  return edges;
}

}  // namespace

std::string EscapeWord(std::string_view word) {
  std::string text;
  text.reserve(word.size());
  for (size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    const bool escaped =
        c == '&' || c == '|' || c == ' ' || c == '\t' || c == '\r' || (c == '[' && i == 0 && InBrackets(word));
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

std::string_view OnlyX(uint32_t label) {
  if (label != kLabelX) throw Error("label " + std::to_string(label) + " in a system that has only X");
  return kLabelXText;
}

RuleFields FormatRule(SignatureKind kind, const RuleOccurrence& rule, const WordOf& source_word,
                      const WordOf& target_word, const LabelOf& label) {
  RuleFields fields{EscapeWord(label(rule.lhs)), {}, {}, {}, {}};
  size_t nonterminals = 0;
  const auto append_nonterminal = [](std::string_view text, size_t number, std::string* field) {
    field->append("[").append(text) += ',';
    AppendNumber(number, field);
    *field += ']';
  };
  for (const SourceSymbol& symbol : rule.source) {
    if (!fields.source.empty()) fields.source += ' ';
    if (GapBefore(kind, symbol)) fields.source.append(kGapMark) += ' ';
    if ((symbol.symbol & kLabelBit) != 0)
      append_nonterminal(EscapeWord(label(symbol.symbol & ~kLabelBit)), ++nonterminals, &fields.source);
    else
      fields.source += EscapeWord(source_word(symbol.symbol));
  }
  fields.edges = FormatEdges(kind, rule.source);
  for (TargetSymbol symbol : rule.target) {
    if (!fields.target.empty()) fields.target += ' ';
    if (IsTargetWord(symbol))
      fields.target += EscapeWord(target_word(TargetWordId(symbol)));
    else
      append_nonterminal(kLabelXText, symbol, &fields.target);
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

}  // namespace graft::engine
