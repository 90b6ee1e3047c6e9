#include "search/translation_text.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "text/error.h"
#include "text/utf8.h"

namespace graft {
namespace {

using Json = nlohmann::ordered_json;

// -0 prints as 0: a value of "minus no words" is still nothing.
float Plain(float value) { return value == 0 ? 0.0f : value; }
std::string Shortest(float value) { return fmt::format("{}", Plain(value)); }

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Tokens for a line that is read by tokens again: `|` and the space inside a copied CoNLL-U form are escaped.
std::string EscapedTokens(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    if (!text.empty()) text += ' ';
    text += Replaced(Replaced(token, "|", "&#124;"), " ", "&#32;");
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
    item["score"] = JsonFloat(step.score);
    item["features"] = JsonFeatures(spec, step.features);
    derivation.push_back(item);
  }
  object["derivation"] = derivation;
  return object;
}

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
  int number = 0;
  for (const DerivationStep& step : translation.derivation) {
    std::string words, positions, target;
    int previous = -1;
    for (int position : step.positions) {
      if (previous >= 0) words += position > previous + 1 ? " … " : " ";
      words += source.tokens[position];
      positions += fmt::format("{}{}", positions.empty() ? "" : ",", position);
      previous = position;
    }
    for (int t = step.target_begin; t < step.target_end; ++t)
      target += (target.empty() ? "" : " ") + translation.tokens[t];
    std::string edges;
    for (const std::string& edge : step.edges) edges += " " + edge;
    text += fmt::format("  {:>2}. {} → {}{}\n", ++number, words, target.empty() ? "(nothing)" : target,
                        step.copied ? "   (unknown, copied)" : "");
    text += fmt::format("      words {}{}{}\n", positions, edges.empty() ? "" : "   edges", edges);
    text += fmt::format("      score {}   {}\n", Shortest(step.score), FormatFeatures(spec, step.features));
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
  for (std::string_view token : SplitTokens(fields[1]))
    parsed.tokens.push_back(Replaced(Replaced(std::string(token), "&#124;", "|"), "&#32;", " "));
  return parsed;
}

}  // namespace graft
