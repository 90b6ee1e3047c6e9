#include "search/translation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "graft/error.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

using Json = nlohmann::ordered_json;

// -0 prints as 0: a value of "minus no words" is still nothing.
float Plain(float value) { return value == 0 ? 0.0f : value; }
std::string Shortest(float value) { return fmt::format("{}", Plain(value)); }

constexpr std::array<std::pair<char, std::string_view>, 2> kTokenEscapes = {{{'|', "#124;"}, {' ', "#32;"}}};

// The escaped character if `text`, which follows an `&`, goes on as one of the escapes after any number of `amp;`.
struct Escape {
  char character = 0;  // 0: none
  size_t guards = 0;   // `amp;` before it
};
Escape EscapeAt(std::string_view text) {
  constexpr std::string_view kGuard = "amp;";
  Escape found;
  for (; text.starts_with(kGuard); text.remove_prefix(kGuard.size())) ++found.guards;
  for (const auto& [character, name] : kTokenEscapes)
    if (text.starts_with(name)) found.character = character;
  return found;
}

// `|` and the space inside a copied CoNLL-U form are escaped. What looks like such an escape gets one more `amp;`, so
// that every token reads back; any other `&` stays as it is.
std::string EscapedToken(std::string_view token) {
  std::string text;
  for (size_t i = 0; i < token.size(); ++i) {
    const auto* escape = std::ranges::find(kTokenEscapes, token[i], &std::pair<char, std::string_view>::first);
    if (escape != kTokenEscapes.end()) {
      text.append("&").append(escape->second);
    } else {
      text += token[i];
      if (token[i] == '&' && EscapeAt(token.substr(i + 1)).character != 0) text += "amp;";
    }
  }
  return text;
}

std::string UnescapedToken(std::string_view text) {
  std::string token;
  for (size_t i = 0; i < text.size(); ++i) {
    const Escape escape = text[i] == '&' ? EscapeAt(text.substr(i + 1)) : Escape();
    if (escape.character != 0 && escape.guards == 0) {
      token += escape.character;
      i = text.find(';', i);
    } else {
      token += text[i];
      if (escape.character != 0) i += std::string_view("amp;").size();
    }
  }
  return token;
}

// Tokens for a line that is read by tokens again.
std::string EscapedTokens(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    if (!text.empty()) text += ' ';
    text += EscapedToken(token);
  }
  return text;
}

bool Shown(const SystemSpec& spec, const FeatureGroup& group, const FeatureVector& features) {
  return HasFeature(spec, group.first) && (group.first != kUnknownWord || features[kUnknownWord] != 0);
}

// A JSON number that prints as the shortest float, not as the double next to it.
Json JsonFloat(float value) { return Json::parse(Shortest(value)); }

Json JsonFeatures(const SystemSpec& spec, const FeatureVector& features) {
  Json object = Json::object();
  for (const FeatureGroup& group : kFeatureGroups) {
    if (!Shown(spec, group, features)) continue;
    if (group.size == 1) {
      object[std::string(group.name)] = JsonFloat(features[group.first]);
      continue;
    }
    Json list = Json::array();
    for (int i = 0; i < group.size; ++i) list.push_back(JsonFloat(features[group.first + i]));
    object[std::string(group.name)] = list;
  }
  return object;
}

Json JsonTranslation(const SystemSpec& spec, const Sentence& source, const Translation& translation,
                     const JsonOptions& options) {
  Json object;
  object["text"] = options.present ? options.present(translation.tokens) : JoinTokens(translation.tokens);
  object["score"] = JsonFloat(translation.score);
  object["features"] = JsonFeatures(spec, translation.features);
  Json alignment = Json::array();
  for (const auto& [s, t] : translation.alignment) alignment.push_back({s, t});
  object["alignment"] = alignment;
  if (!options.explain) return object;
  Json derivation = Json::array();
  for (const DerivationStep& step : translation.derivation) {
    Json item;
    item["positions"] = step.positions;
    Json words = Json::array();
    for (int position : step.positions) words.push_back(source.tokens[position]);
    item["source"] = words;
    item["edges"] = step.edges;
    Json target = Json::array();
    for (int t = step.target_begin; t < step.target_end; ++t) target.push_back(translation.tokens[t]);
    item["target"] = target;
    item["copied"] = step.copied;
    if (spec.has_grammar()) {
      item["glue"] = step.glue;
      item["lhs"] = step.lhs;
      item["rule_source"] = step.source_symbols;
      item["rule_target"] = step.target_symbols;
      item["children"] = step.children;
    }
    item["score"] = JsonFloat(step.score);
    item["features"] = JsonFeatures(spec, step.features);
    derivation.push_back(item);
  }
  object["derivation"] = derivation;
  return object;
}

// `0-4,7,9`: runs of three positions or more by their ends.
std::string FormatPositions(const std::vector<int>& positions) {
  std::string text;
  for (size_t first = 0; first < positions.size();) {
    size_t last = first;
    while (last + 1 < positions.size() && positions[last + 1] == positions[last] + 1) ++last;
    if (last < first + 2) last = first;
    text += fmt::format("{}{}", text.empty() ? "" : ",", positions[first]);
    if (last > first) text += fmt::format("-{}", positions[last]);
    first = last + 1;
  }
  return text;
}

// Where a step applies and what it costs, two lines.
std::string StepDetails(const SystemSpec& spec, const DerivationStep& step, int indent) {
  std::string edges;
  for (const std::string& edge : step.edges) edges += " " + edge;
  return fmt::format("{:{}}words {}{}{}\n{:{}}score {}   {}\n", "", indent, FormatPositions(step.positions),
                     edges.empty() ? "" : "   edges", edges, "", indent, Shortest(step.score),
                     FormatFeatures(spec, step.features));
}

// A derivation with a grammar as a tree: rules below the rule whose non-terminal they fill. What glue joins stands side
// by side, in target order.
struct TreeText {
  const SystemSpec& spec;
  const Translation& translation;
  std::string text = {};
  int number = 0;

  const DerivationStep& step(size_t index) const { return translation.derivation[index]; }

  void AddGlued(size_t index) {
    const DerivationStep& glue = step(index);
    if (!glue.glue || glue.lhs != "S") return Add(index, 0, "");
    if (glue.children.size() > 1) AddGlued(static_cast<size_t>(glue.children[0]));
    AddLine(glue, 0, "", "   (glue)");
    Add(static_cast<size_t>(glue.children.back()), 1, "");
  }

  void Add(size_t index, int level, const std::string& role) {
    const DerivationStep& rule = step(index);
    AddLine(rule, level, role, rule.copied ? "   (unknown, copied)" : rule.glue ? "   (glue)" : "");
    size_t k = 0;
    for (const std::string& symbol : rule.source_symbols)
      if (symbol.starts_with('[') && symbol.ends_with(']'))
        Add(static_cast<size_t>(rule.children[k++]), level + 1, symbol + " = ");
  }

  void AddLine(const DerivationStep& line, int level, const std::string& role, const char* remark) {
    const int indent = 2 + 4 * level;
    text += fmt::format("{:{}}{:>2}. {}{}: {} → {}{}\n", "", indent, ++number, role, line.lhs,
                        JoinTokens(line.source_symbols),
                        line.target_symbols.empty() ? "(nothing)" : JoinTokens(line.target_symbols), remark);
    text += StepDetails(spec, line, indent + 4);
  }
};

}  // namespace

std::string FormatFeatures(const SystemSpec& spec, const FeatureVector& features) {
  std::string text;
  for (const FeatureGroup& group : kFeatureGroups) {
    if (!Shown(spec, group, features)) continue;
    if (!text.empty()) text += ' ';
    text += std::string(group.name) + "=";
    for (int i = 0; i < group.size; ++i) text += " " + Shortest(features[group.first + i]);
  }
  return text;
}

std::string FormatNBestLine(const SystemSpec& spec, uint64_t id, const Translation& translation) {
  return fmt::format("{} ||| {} ||| {} ||| {}", id, EscapedTokens(translation.tokens),
                     FormatFeatures(spec, translation.features), Shortest(translation.score));
}

std::string FormatAlignedLine(const Translation& translation) {
  return EscapedTokens(translation.tokens) + " ||| " + FormatAlignment(translation);
}

std::string FormatUnderivableLine(uint64_t id, const std::vector<std::string>& tokens) {
  return fmt::format("{} ||| {} |||  ||| -inf", id, EscapedTokens(tokens));
}

std::string FormatAlignment(const Translation& translation) {
  std::string text;
  for (const auto& [s, t] : translation.alignment) text += fmt::format("{}{}-{}", text.empty() ? "" : " ", s, t);
  return text;
}

std::string FormatJson(const SystemSpec& spec, const Sentence& source, const std::vector<Translation>& translations,
                       const JsonOptions& options) {
  const Translation empty;
  Json object = JsonTranslation(spec, source, translations.empty() ? empty : translations[0], options);
  Json alternatives = Json::array();
  for (size_t k = 1; k < translations.size(); ++k)
    alternatives.push_back(JsonTranslation(spec, source, translations[k], options));
  object["alternatives"] = alternatives;
  return object.dump();
}

std::string FormatDerivation(const SystemSpec& spec, uint64_t id, const Sentence& source,
                             const Translation& translation) {
  std::string text = fmt::format("sentence {}\n  source  {}\n  target  {}\n  score   {}   {}\n", id,
                                 JoinTokens(source.tokens), JoinTokens(translation.tokens), Shortest(translation.score),
                                 FormatFeatures(spec, translation.features));
  if (spec.has_grammar()) {
    // A long sentence has a tree for each of its pieces: every step that fills nothing is a root.
    std::vector<char> root(translation.derivation.size(), 1);
    for (const DerivationStep& step : translation.derivation)
      for (const int child : step.children) root[static_cast<size_t>(child)] = 0;
    TreeText tree{spec, translation};
    for (size_t i = 0; i < root.size(); ++i)
      if (root[i] != 0) tree.AddGlued(i);
    return text + tree.text;
  }
  int number = 0;
  for (const DerivationStep& step : translation.derivation) {
    std::string words, target;
    int previous = -1;
    for (int position : step.positions) {
      if (previous >= 0) words += position > previous + 1 ? " … " : " ";
      words += source.tokens[position];
      previous = position;
    }
    for (int t = step.target_begin; t < step.target_end; ++t)
      target += (target.empty() ? "" : " ") + translation.tokens[t];
    text += fmt::format("  {:>2}. {} → {}{}\n", ++number, words, target.empty() ? "(nothing)" : target,
                        step.copied ? "   (unknown, copied)" : "");
    text += StepDetails(spec, step, 6);
  }
  return text;
}

NBestLine ParseNBestLine(std::string_view line) {
  const std::vector<std::string_view> fields = SplitFields(line, "|||");
  if (fields.size() < 2) throw Error("an n-best line is `id ||| tokens ||| …`");
  const std::vector<std::string_view> id = SplitTokens(fields[0]);
  NBestLine parsed;
  const bool one = id.size() == 1;
  const char* end = one ? id[0].data() + id[0].size() : nullptr;
  if (!one || std::from_chars(id[0].data(), end, parsed.id).ptr != end)
    throw Error("the first field must be a sentence number");
  for (const std::string_view token : SplitTokens(fields[1])) parsed.tokens.push_back(UnescapedToken(token));
  return parsed;
}

}  // namespace graft::engine
