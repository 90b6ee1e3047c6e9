#include "search/model_config.h"

#include <fmt/format.h>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "text/error.h"
#include "text/output_file.h"
#include "text/suggest.h"

namespace graft {
namespace {

// Keys of [search] that belong to searches with non-terminals; named so that the error can say why they are refused.
constexpr std::array<std::string_view, 5> kGrammarKeys = {"max_words", "glue_limit", "glue_order", "glue_distortion",
                                                          "active_limit"};

constexpr double kLargestNumber = 1e6;  // of a weight: beyond, sums of floats lose all meaning

// A node of a TOML file with where it came from, for messages.
struct Place {
  const std::string& file;
  std::string key;

  [[noreturn]] void Fail(const toml::node& node, const std::string& message) const {
    const auto line = node.source().begin.line;
    const std::string text = key + ": " + message;
    if (line == 0) throw Error(file + ": " + text);
    throw Error::At(file, line, text);
  }
  int Integer(const toml::node& node, int low, int high) const {
    const auto value = node.value_exact<int64_t>();
    if (!value) Fail(node, "must be a whole number");
    if (*value < low || *value > high) Fail(node, fmt::format("must be between {} and {}", low, high));
    return static_cast<int>(*value);
  }
  double Number(const toml::node& node) const {
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !(std::abs(*value) <= kLargestNumber))
      Fail(node, fmt::format("must be a number of at most {} either way", kLargestNumber));
    return *value;
  }
  bool Boolean(const toml::node& node) const {
    const auto value = node.value_exact<bool>();
    if (!value) Fail(node, "must be true or false");
    return *value;
  }
  std::string String(const toml::node& node) const {
    const auto value = node.value_exact<std::string>();
    if (!value) Fail(node, "must be a string");
    return *value;
  }
};

[[noreturn]] void UnknownKey(const std::string& file, std::string_view section, const toml::key& key,
                             const std::vector<std::string>& known) {
  const std::string name = section.empty() ? std::string(key.str()) : fmt::format("{}.{}", section, key.str());
  std::string message = "unknown key " + name + Suggestion(key.str(), known);
  const auto line = key.source().begin.line;
  if (line == 0) throw Error(file + ": " + message);
  throw Error::At(file, line, message);
}

constexpr int kMany = 1'000'000'000;

void ReadSearch(const std::string& file, const toml::table& table, SearchOptions* search) {
  static const std::vector<std::string> kKnown = {
      "algorithm", "beam", "pop_limit", "threshold", "table_limit", "distortion_limit", "max_span", "distortion_rule"};
  for (const auto& [key, node] : table) {
    const Place place{file, fmt::format("search.{}", key.str())};
    if (key == "algorithm") {
      const std::string name = place.String(node);
      if (name != "cube" && name != "exhaustive") place.Fail(node, "must be \"cube\" or \"exhaustive\"");
      search->algorithm = name == "cube" ? SearchAlgorithm::kCube : SearchAlgorithm::kExhaustive;
    } else if (key == "distortion_rule") {
      const std::string name = place.String(node);
      if (name != "paper" && name != "moses") place.Fail(node, "must be \"paper\" or \"moses\"");
      search->distortion_rule = name == "paper" ? DistortionRule::kPaper : DistortionRule::kMoses;
    } else if (key == "beam") {
      search->beam = place.Integer(node, 0, kMany);
    } else if (key == "pop_limit") {
      search->pop_limit = place.Integer(node, 0, kMany);
    } else if (key == "threshold") {
      search->threshold = place.Number(node);
      if (search->threshold < 0 || search->threshold >= 1) place.Fail(node, "must be at least 0 and less than 1");
    } else if (key == "table_limit") {
      search->table_limit = place.Integer(node, 0, kMostOptions);
    } else if (key == "distortion_limit") {
      search->distortion_limit = place.Integer(node, 0, kCoverageWindow);
    } else if (key == "max_span") {
      search->max_span = place.Integer(node, 1, kCoverageWindow);
    } else if (std::find(kGrammarKeys.begin(), kGrammarKeys.end(), key.str()) != kGrammarKeys.end()) {
      place.Fail(node, "means nothing for a system that translates left to right");
    } else {
      UnknownKey(file, "search", key, kKnown);
    }
  }
}

void ReadText(const std::string& file, const toml::table& table, TextOptions* text) {
  for (const auto& [key, node] : table) {
    const Place place{file, fmt::format("text.{}", key.str())};
    if (key == "lowercase") {
      text->lowercase = place.Boolean(node);
    } else if (key == "languages") {
      const toml::array* list = node.as_array();
      if (list == nullptr) place.Fail(node, "must be a list of language codes");
      text->languages.clear();
      for (const toml::node& item : *list) text->languages.push_back(place.String(item));
    } else if (key == "tokeniser") {
      if (place.String(node) != "none") place.Fail(node, "must be \"none\": this version takes tokenised text");
    } else if (key == "truecase") {
      if (place.Boolean(node)) place.Fail(node, "must be false: this version does not truecase");
    } else {
      UnknownKey(file, "text", key, {"lowercase", "tokeniser", "truecase", "languages"});
    }
  }
}

void ReadWeights(const std::string& file, const toml::table& table, const SystemSpec& system, FeatureVector* weights) {
  std::vector<std::string> known;
  for (const FeatureGroup& group : kFeatureGroups) known.emplace_back(group.name);
  for (const auto& [key, node] : table) {
    const Place place{file, fmt::format("weights.{}", key.str())};
    const std::string_view name = key.str();
    const auto group = std::find_if(kFeatureGroups.begin(), kFeatureGroups.end(),
                                    [&](const FeatureGroup& g) { return g.name == name; });
    if (group == kFeatureGroups.end()) UnknownKey(file, "weights", key, known);
    if (!HasFeature(system, group->first)) place.Fail(node, "the system " + system.name + " has no such feature");
    if (group->size == 1) {
      (*weights)[group->first] = static_cast<float>(place.Number(node));
      continue;
    }
    const toml::array* list = node.as_array();
    if (list == nullptr || static_cast<int>(list->size()) != group->size)
      place.Fail(node, fmt::format("must be a list of {} numbers", group->size));
    for (int i = 0; i < group->size; ++i)
      (*weights)[group->first + i] = static_cast<float>(place.Number((*list)[static_cast<size_t>(i)]));
  }
}

const toml::table& Section(const std::string& file, const toml::key& key, const toml::node& node) {
  if (const toml::table* table = node.as_table()) return *table;
  throw Error::At(file, node.source().begin.line, std::string(key.str()) + ": must be a table");
}

toml::table Parse(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error("cannot open " + path);
  std::ostringstream text;
  text << in.rdbuf();
  try {
    return toml::parse(text.str(), path);
  } catch (const toml::parse_error& error) {
    throw Error::At(path, error.source().begin.line, std::string(error.description()));
  }
}

// Merges `section.key=value` into a parsed file.
void Apply(const Override& override_text, toml::table* root) {
  const std::string name = "--set " + override_text;
  const size_t equals = override_text.find('=');
  const size_t dot = override_text.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot > equals)
    throw Error(name + ": must look like section.key=value, e.g. search.beam=500");
  const std::string section = override_text.substr(0, dot);
  const std::string key = override_text.substr(dot + 1, equals - dot - 1);
  const std::string value = override_text.substr(equals + 1);
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + value);
  } catch (const toml::parse_error&) {
    try {  // a bare word is taken as a string
      parsed = toml::parse("value = \"" + value + "\"");
    } catch (const toml::parse_error&) {
      throw Error(name + ": the value is not valid TOML");
    }
  }
  if (!root->contains(section)) root->insert(section, toml::table{});
  toml::table* table = root->get(section)->as_table();
  if (table == nullptr) throw Error(name + ": " + section + " is not a section");
  table->insert_or_assign(key, *parsed.get("value"));
}

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string Number(float value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

ModelConfig ReadWith(const std::string& path, const std::vector<Override>& overrides) {
  toml::table root = Parse(path);
  for (const Override& one : overrides) Apply(one, &root);
  const auto format = root["format"].value<int64_t>();
  if (!format) throw Error(path + ": has no `format = 1`");
  if (*format != 1) throw Error(fmt::format("{}: format {}, but this version of graft reads format 1", path, *format));
  ModelConfig config;
  const toml::table* system = root["system"].as_table();
  if (system == nullptr) throw Error(path + ": has no [system] table");
  std::ostringstream system_text;
  system_text << *system;
  try {
    config.system = SystemSpecFromToml(system_text.str());
  } catch (const Error& error) {
    throw Error::At(path, system->source().begin.line, std::string("[system]: ") + error.what());
  }
  for (const auto& [key, node] : root) {
    if (key == "format" || key == "system") continue;
    if (key == "weights")
      ReadWeights(path, Section(path, key, node), config.system, &config.weights);
    else if (key == "search")
      ReadSearch(path, Section(path, key, node), &config.search);
    else if (key == "text")
      ReadText(path, Section(path, key, node), &config.text);
    else
      UnknownKey(path, "", key, {"format", "system", "text", "search", "weights"});
  }
  return config;
}

}  // namespace

void ReadWeightsFile(const std::string& path, ModelConfig* config) {
  const toml::table root = Parse(path);
  for (const auto& [key, node] : root) {
    if (key == "weights")
      ReadWeights(path, Section(path, key, node), config->system, &config->weights);
    else if (key == "search")
      ReadSearch(path, Section(path, key, node), &config->search);
    else if (key == "text")
      ReadText(path, Section(path, key, node), &config->text);
    else
      UnknownKey(path, "", key, {"weights", "search", "text"});
  }
}

ModelConfig ReadModelToml(const std::string& path, const std::vector<Override>& overrides) {
  if (overrides.empty()) return ReadWith(path, {});
  ReadWith(path, {});  // what is wrong with the file itself is said of the file
  try {
    return ReadWith(path, overrides);
  } catch (const Error& error) {
    const std::string_view message = error.what();
    const std::string prefix = path + ":";
    if (!message.starts_with(prefix)) throw;
    throw Error("--set:" + std::string(message.substr(prefix.size())));
  }
}
std::string ModelToml(const ModelConfig& config) {
  std::string text = "format = 1\n\n[system]\n" + ToToml(config.system);
  text += fmt::format("\n[text]\nlowercase = {}\n", config.text.lowercase);
  if (!config.text.languages.empty()) {
    text += "languages = [";
    for (size_t i = 0; i < config.text.languages.size(); ++i)
      text += (i == 0 ? "" : ", ") + Quoted(config.text.languages[i]);
    text += "]\n";
  }
  const SearchOptions& search = config.search;
  text += fmt::format(
      "\n[search]\nalgorithm = \"{}\"\nbeam = {}\npop_limit = {}\nthreshold = {}\ntable_limit = {}\ndistortion_limit = "
      "{}\n"
      "distortion_rule = \"{}\"\nmax_span = {}\n",
      search.algorithm == SearchAlgorithm::kCube ? "cube" : "exhaustive", search.beam, search.pop_limit,
      search.threshold, search.table_limit, search.distortion_limit,
      search.distortion_rule == DistortionRule::kPaper ? "paper" : "moses", search.max_span);
  text += "\n[weights]\n";
  for (const FeatureGroup& group : kFeatureGroups) {
    if (!HasFeature(config.system, group.first)) continue;
    text += std::string(group.name) + " = ";
    for (int i = 0; i < group.size; ++i)
      text += (group.size == 1 ? "" : i == 0 ? "[" : ", ") + Number(config.weights[group.first + i]);
    text += group.size == 1 ? "\n" : "]\n";
  }
  return text;
}

void WriteModelToml(const std::string& path, const ModelConfig& config) {
  OutputFile file(path);
  file.Write(ModelToml(config));
  file.Close();
}

void CheckSearchOptions(const SystemSpec& system, const SearchOptions& options) {
  // A unit with gaps may end too far right for Moses's rule to ever come back to its gaps.
  if (options.distortion_rule == DistortionRule::kMoses && system.unit != UnitTest::kContiguous)
    throw Error("search.distortion_rule = \"moses\" is for pbmt; the units of " + system.name + " have gaps");
  if (options.distortion_limit + options.max_span > kCoverageWindow)
    throw Error(fmt::format("search.distortion_limit ({}) and search.max_span ({}) may not exceed {} together",
                            options.distortion_limit, options.max_span, kCoverageWindow));
}

}  // namespace graft
