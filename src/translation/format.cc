#include "graft/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "graft/error.h"
#include "util/utf8.h"

namespace graft {
namespace {

using engine::JoinTokens;
using engine::SplitFields;
using engine::SplitTokens;

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

template <class AnyToken>
std::vector<std::string> Texts(const std::vector<AnyToken>& tokens) {
  std::vector<std::string> texts;
  for (const AnyToken& token : tokens) texts.push_back(token.text);
  return texts;
}

// Whether the steps are rules of a grammar rather than units.
bool HasRules(const Translation& translation) {
  return std::ranges::any_of(translation.derivation, [](const Step& step) { return !step.lhs.empty(); });
}

// A JSON number that prints as the shortest float, not as the double next to it.
Json JsonFloat(float value) { return Json::parse(Shortest(value)); }

Json JsonFeatures(const std::vector<Feature>& features) {
  Json object = Json::object();
  for (const Feature& feature : features) {
    if (feature.values.size() == 1) {
      object[feature.name] = JsonFloat(feature.values[0]);
      continue;
    }
    Json list = Json::array();
    for (const float value : feature.values) list.push_back(JsonFloat(value));
    object[feature.name] = list;
  }
  return object;
}

// Tokens with the characters (code points) of `text` they stand for: begin .. end - 1. Their byte ranges count from
// `base`, where `text` begins.
template <class AnyToken>
Json JsonTokens(const std::vector<AnyToken>& tokens, std::string_view text, size_t base) {
  std::vector<size_t> characters(text.size() + 1, 0);  // that begin before a byte
  for (size_t byte = 0; byte < text.size(); ++byte)
    characters[byte + 1] = characters[byte] + ((static_cast<unsigned char>(text[byte]) & 0xC0) != 0x80 ? 1 : 0);
  const auto place = [&](size_t byte) { return characters[std::min(byte - std::min(byte, base), text.size())]; };
  Json list = Json::array();
  for (const AnyToken& token : tokens)
    list.push_back({{"text", token.text}, {"begin", place(token.begin)}, {"end", place(token.end)}});
  return list;
}

Json JsonStep(const Sentence& sentence, const Translation& translation, const Step& step) {
  Json item;
  item["positions"] = step.positions;
  Json words = Json::array();
  for (const int position : step.positions) words.push_back(sentence.tokens[static_cast<size_t>(position)].text);
  item["source"] = words;
  item["edges"] = step.edges;
  Json target = Json::array();
  for (int t = step.target_begin; t < step.target_end; ++t)
    target.push_back(translation.tokens[static_cast<size_t>(t)].text);
  item["target"] = target;
  item["copied"] = step.copied;
  if (!step.lhs.empty()) {
    item["glue"] = step.glue;
    item["lhs"] = step.lhs;
    item["rule_source"] = step.rule_source;
    item["rule_target"] = step.rule_target;
    item["children"] = step.children;
  }
  item["score"] = JsonFloat(step.score);
  item["features"] = JsonFeatures(step.features);
  return item;
}

Json JsonTranslation(const Sentence& sentence, const Translation& translation, bool derivation) {
  Json object;
  object["text"] = translation.text;
  object["score"] = JsonFloat(translation.score);
  object["features"] = JsonFeatures(translation.features);
  Json alignment = Json::array();
  for (const auto& [s, t] : translation.alignment) alignment.push_back({s, t});
  object["alignment"] = alignment;
  object["tokens"] = JsonTokens(translation.tokens, translation.text, 0);
  if (!derivation) return object;
  Json steps = Json::array();
  for (const Step& step : translation.derivation) steps.push_back(JsonStep(sentence, translation, step));
  object["derivation"] = steps;
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
std::string StepDetails(const Step& step, int indent) {
  std::string edges;
  for (const std::string& edge : step.edges) edges += " " + edge;
  return fmt::format("{:{}}words {}{}{}\n{:{}}score {}   {}\n", "", indent, FormatPositions(step.positions),
                     edges.empty() ? "" : "   edges", edges, "", indent, Shortest(step.score),
                     FeaturesText(step.features));
}

// A derivation with a grammar as a tree: rules below the rule whose non-terminal they fill. What glue joins stands side
// by side, in target order.
struct TreeText {
  const Translation& translation;
  std::string text = {};
  int number = 0;

  const Step& step(size_t index) const { return translation.derivation[index]; }

  void AddGlued(size_t index) {
    const Step& glue = step(index);
    if (!glue.glue || glue.lhs != "S") return Add(index, 0, "");
    if (glue.children.size() > 1) AddGlued(static_cast<size_t>(glue.children[0]));
    AddLine(glue, 0, "", "   (glue)");
    Add(static_cast<size_t>(glue.children.back()), 1, "");
  }

  void Add(size_t index, int level, const std::string& role) {
    const Step& rule = step(index);
    AddLine(rule, level, role, rule.copied ? "   (unknown, copied)" : rule.glue ? "   (glue)" : "");
    size_t k = 0;
    for (const std::string& symbol : rule.rule_source)
      if (symbol.starts_with('[') && symbol.ends_with(']'))
        Add(static_cast<size_t>(rule.children[k++]), level + 1, symbol + " = ");
  }

  void AddLine(const Step& line, int level, const std::string& role, const char* remark) {
    const int indent = 2 + 4 * level;
    text +=
        fmt::format("{:{}}{:>2}. {}{}: {} → {}{}\n", "", indent, ++number, role, line.lhs, JoinTokens(line.rule_source),
                    line.rule_target.empty() ? "(nothing)" : JoinTokens(line.rule_target), remark);
    text += StepDetails(line, indent + 4);
  }
};

// The units of a derivation in the order of translation.
std::string UnitsText(const Sentence& sentence, const Translation& translation) {
  std::string text;
  int number = 0;
  for (const Step& step : translation.derivation) {
    std::string words, target;
    int previous = -1;
    for (const int position : step.positions) {
      if (previous >= 0) words += position > previous + 1 ? " … " : " ";
      words += sentence.tokens[static_cast<size_t>(position)].text;
      previous = position;
    }
    for (int t = step.target_begin; t < step.target_end; ++t)
      target += (target.empty() ? "" : " ") + translation.tokens[static_cast<size_t>(t)].text;
    text += fmt::format("  {:>2}. {} → {}{}\n", ++number, words, target.empty() ? "(nothing)" : target,
                        step.copied ? "   (unknown, copied)" : "");
    text += StepDetails(step, 6);
  }
  return text;
}

// The rules of a derivation; a long sentence has a tree for each of its pieces: every step that fills nothing is a
// root.
std::string RulesText(const Translation& translation) {
  std::vector<char> root(translation.derivation.size(), 1);
  for (const Step& step : translation.derivation)
    for (const int child : step.children) root[static_cast<size_t>(child)] = 0;
  TreeText tree{translation};
  for (size_t i = 0; i < root.size(); ++i)
    if (root[i] != 0) tree.AddGlued(i);
  return tree.text;
}

std::string Explained(const Sentence& sentence, const Translation& translation, uint64_t id) {
  return fmt::format("sentence {}\n  source  {}\n  target  {}\n  score   {}   {}\n", id,
                     JoinTokens(Texts(sentence.tokens)), JoinTokens(Texts(translation.tokens)),
                     Shortest(translation.score), FeaturesText(translation.features)) +
         (HasRules(translation) ? RulesText(translation) : UnitsText(sentence, translation));
}

}  // namespace

std::string FeaturesText(const std::vector<Feature>& features) {
  std::string text;
  for (const Feature& feature : features) {
    if (!text.empty()) text += ' ';
    text += feature.name + "=";
    for (const float value : feature.values) text += " " + Shortest(value);
  }
  return text;
}

std::string NBestLine(const Translation& translation, uint64_t id) {
  return fmt::format("{} ||| {} ||| {} ||| {}", id, EscapedTokens(Texts(translation.tokens)),
                     FeaturesText(translation.features), Shortest(translation.score));
}

std::vector<std::string> NBestLines(const Sentence& sentence, uint64_t id) {
  std::vector<std::string> lines;
  if (sentence.tokens.empty()) return lines;
  lines.push_back(NBestLine(sentence.best, id));
  for (const Translation& alternative : sentence.alternatives) lines.push_back(NBestLine(alternative, id));
  return lines;
}

std::string AlignedLine(const Translation& translation) {
  return EscapedTokens(Texts(translation.tokens)) + " ||| " + AlignmentText(translation);
}

std::string UnderivableLine(const std::vector<std::string>& tokens, uint64_t id) {
  return fmt::format("{} ||| {} |||  ||| -inf", id, EscapedTokens(tokens));
}

std::string AlignmentText(const Translation& translation) {
  std::string text;
  for (const auto& [s, t] : translation.alignment) text += fmt::format("{}{}-{}", text.empty() ? "" : " ", s, t);
  return text;
}

std::string JsonOf(const Sentence& sentence, bool derivation) {
  Json object = JsonTranslation(sentence, sentence.best, derivation);
  Json alternatives = Json::array();
  for (const Translation& alternative : sentence.alternatives)
    alternatives.push_back(JsonTranslation(sentence, alternative, derivation));
  object["alternatives"] = alternatives;
  object["source"] = sentence.text;
  object["source_tokens"] = JsonTokens(sentence.tokens, sentence.text, sentence.begin);
  return object.dump();
}

std::string ExplanationOf(const Sentence& sentence, uint64_t id) {
  std::string text = Explained(sentence, sentence.best, id);
  for (const Translation& alternative : sentence.alternatives) text += Explained(sentence, alternative, id);
  return text;
}

ParsedNBestLine ParseNBestLine(std::string_view line) {
  const std::vector<std::string_view> fields = SplitFields(line, "|||");
  if (fields.size() < 2) throw Error("an n-best line is `id ||| tokens ||| …`");
  const std::vector<std::string_view> id = SplitTokens(fields[0]);
  ParsedNBestLine parsed;
  const bool one = id.size() == 1;
  const char* end = one ? id[0].data() + id[0].size() : nullptr;
  if (!one || std::from_chars(id[0].data(), end, parsed.id).ptr != end)
    throw Error("the first field must be a sentence number");
  for (const std::string_view token : SplitTokens(fields[1])) parsed.tokens.push_back(UnescapedToken(token));
  return parsed;
}

}  // namespace graft
