#include "search/model_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "search/model_tables.h"
#include "text/error.h"
#include "text/output_file.h"
#include "text/toml_file.h"

namespace graft {
namespace {

// Keys of [search] that belong to searches with non-terminals; named so that the error can say why they are refused.
constexpr std::array<std::string_view, 5> kGrammarKeys = {"max_words", "glue_limit", "glue_order", "glue_distortion",
                                                          "active_limit"};

constexpr int kMany = 1'000'000'000;

}  // namespace

void ReadSearchTable(const std::string& file, const toml::table& table, SearchOptions* search) {
  static const std::vector<std::string> kKnown = {
      "algorithm", "beam", "pop_limit", "threshold", "table_limit", "distortion_limit", "max_span", "distortion_rule"};
  for (const auto& [key, node] : table) {
    const TomlPlace place{file, fmt::format("search.{}", key.str())};
    if (key == "algorithm") {
      search->algorithm =
          place.OneOf(node, {"cube", "exhaustive"}) == "cube" ? SearchAlgorithm::kCube : SearchAlgorithm::kExhaustive;
    } else if (key == "distortion_rule") {
      search->distortion_rule =
          place.OneOf(node, {"paper", "moses"}) == "paper" ? DistortionRule::kPaper : DistortionRule::kMoses;
    } else if (key == "beam") {
      search->beam = static_cast<int>(place.Integer(node, 0, kMany));
    } else if (key == "pop_limit") {
      search->pop_limit = static_cast<int>(place.Integer(node, 0, kMany));
    } else if (key == "threshold") {
      search->threshold = place.Number(node);
      if (search->threshold < 0 || search->threshold >= 1) place.Fail(node, "must be at least 0 and less than 1");
    } else if (key == "table_limit") {
      search->table_limit = static_cast<int>(place.Integer(node, 0, kMostOptions));
    } else if (key == "distortion_limit") {
      search->distortion_limit = static_cast<int>(place.Integer(node, 0, kCoverageWindow));
    } else if (key == "max_span") {
      search->max_span = static_cast<int>(place.Integer(node, 1, kCoverageWindow));
    } else if (std::find(kGrammarKeys.begin(), kGrammarKeys.end(), key.str()) != kGrammarKeys.end()) {
      place.Fail(node, "means nothing for a system that translates left to right");
    } else {
      UnknownTomlKey(file, "search", key, kKnown);
    }
  }
}

void ReadWeightsTable(const std::string& file, const toml::table& table, const SystemSpec& system,
                      FeatureVector* weights) {
  std::vector<std::string> known;
  for (const FeatureGroup& group : kFeatureGroups) known.emplace_back(group.name);
  for (const auto& [key, node] : table) {
    const TomlPlace place{file, fmt::format("weights.{}", key.str())};
    const std::string_view name = key.str();
    const auto group = std::find_if(kFeatureGroups.begin(), kFeatureGroups.end(),
                                    [&](const FeatureGroup& g) { return g.name == name; });
    if (group == kFeatureGroups.end()) UnknownTomlKey(file, "weights", key, known);
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

namespace {

void ReadText(const std::string& file, const toml::table& table, TextOptions* text) {
  for (const auto& [key, node] : table) {
    const TomlPlace place{file, fmt::format("text.{}", key.str())};
    if (key == "lowercase") {
      text->lowercase = place.Boolean(node);
    } else if (key == "languages") {
      text->languages = place.Strings(node);
    } else if (key == "tokeniser") {
      text->tokeniser = place.OneOf(node, {"none", "icu"});
    } else if (key == "truecase") {
      text->truecase = place.Boolean(node);
    } else {
      UnknownTomlKey(file, "text", key, {"lowercase", "tokeniser", "truecase", "languages"});
    }
  }
  try {
    CheckTextOptions(*text);
  } catch (const Error& error) {
    throw Error::At(file, table.source().begin.line, error.what());
  }
}

ModelConfig ReadWith(const std::string& path, const std::vector<Override>& overrides) {
  toml::table root = ParseToml(path);
  for (const Override& one : overrides) ApplyOverride(one, &root);
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
      ReadWeightsTable(path, TomlSection(path, key, node), config.system, &config.weights);
    else if (key == "search")
      ReadSearchTable(path, TomlSection(path, key, node), &config.search);
    else if (key == "text")
      ReadText(path, TomlSection(path, key, node), &config.text);
    else
      UnknownTomlKey(path, "", key, {"format", "system", "text", "search", "weights"});
  }
  return config;
}

}  // namespace

void ReadWeightsFile(const std::string& path, ModelConfig* config) {
  const toml::table root = ParseToml(path);
  for (const auto& [key, node] : root) {
    if (key == "weights")
      ReadWeightsTable(path, TomlSection(path, key, node), config->system, &config->weights);
    else if (key == "search")
      ReadSearchTable(path, TomlSection(path, key, node), &config->search);
    else if (key == "text")
      ReadText(path, TomlSection(path, key, node), &config->text);
    else
      UnknownTomlKey(path, "", key, {"weights", "search", "text"});
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
namespace {

// With the features of the system.
std::string WeightsTable(const SystemSpec& system, const FeatureVector& weights) {
  std::string text = "[weights]\n";
  for (const FeatureGroup& group : kFeatureGroups) {
    if (!HasFeature(system, group.first)) continue;
    text += std::string(group.name) + " = ";
    for (int i = 0; i < group.size; ++i)
      text += (group.size == 1 ? "" : i == 0 ? "[" : ", ") + TomlNumber(weights[group.first + i]);
    text += group.size == 1 ? "\n" : "]\n";
  }
  return text;
}

}  // namespace

std::string ModelToml(const ModelConfig& config) {
  return "format = 1\n\n[system]\n" + ToToml(config.system) + "\n" + WeightsFileToml(config);
}

std::string WeightsFileToml(const ModelConfig& config) {
  std::string text = fmt::format("[text]\ntokeniser = {}\nlowercase = {}\ntruecase = {}\n",
                                 TomlString(config.text.tokeniser), config.text.lowercase, config.text.truecase);
  if (!config.text.languages.empty()) {
    text += "languages = [";
    for (size_t i = 0; i < config.text.languages.size(); ++i)
      text += (i == 0 ? "" : ", ") + TomlString(config.text.languages[i]);
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
  return text + "\n" + WeightsTable(config.system, config.weights);
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
