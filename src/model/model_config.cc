#include "model/model_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "corpus/sentence.h"
#include "graft/error.h"
#include "model/model_tables.h"
#include "util/output_file.h"
#include "util/toml_file.h"

namespace graft::engine {
namespace {

constexpr int kMany = 1'000'000'000;

}  // namespace

std::vector<std::string> SearchKeys(const SystemSpec& system) {
  std::vector<std::string> keys = {"algorithm", "beam", "pop_limit", "threshold", "table_limit"};
  const auto add = [&](std::initializer_list<const char*> more) { keys.insert(keys.end(), more.begin(), more.end()); };
  if (system.search == SearchKind::kLeftToRight) add({"distortion_limit", "distortion_rule"});
  if (system.search != SearchKind::kForest) add({"max_span"});
  if (system.search == SearchKind::kBottomUp)
    add({"max_words", "glue_limit", "glue_order", "glue_distortion", "active_limit"});
  return keys;
}

void ReadSearchTable(const std::string& file, const toml::table& table, const SystemSpec& system,
                     SearchOptions* search) {
  const std::vector<std::string> meaningful = SearchKeys(system);
  const bool chart = system.search == SearchKind::kChart;
  for (const auto& [key, node] : table) {
    const TomlPlace place{file, fmt::format("search.{}", key.str())};
    const auto integer = [&place, &value = node](int least, int most) {
      return static_cast<int>(place.Integer(value, least, most));
    };
    if (key == "algorithm") {
      search->algorithm =
          place.OneOf(node, {"cube", "exhaustive"}) == "cube" ? SearchAlgorithm::kCube : SearchAlgorithm::kExhaustive;
    } else if (key == "distortion_rule") {
      search->distortion_rule =
          place.OneOf(node, {"paper", "moses"}) == "paper" ? DistortionRule::kPaper : DistortionRule::kMoses;
    } else if (key == "beam") {
      search->beam = integer(0, kMany);
    } else if (key == "pop_limit") {
      search->pop_limit = integer(0, kMany);
    } else if (key == "threshold") {
      search->threshold = place.Number(node);
      if (search->threshold < 0 || search->threshold >= 1) place.Fail(node, "must be at least 0 and less than 1");
    } else if (key == "table_limit") {
      search->table_limit = integer(0, kMostOptions);
    } else if (key == "distortion_limit") {
      search->distortion_limit = integer(0, kCoverageWindow);
    } else if (key == "max_span") {
      search->max_span = integer(1, chart ? kMaxSentenceWords : kCoverageWindow);
    } else if (key == "max_words") {
      search->max_words = integer(1, kCoverageWindow);
    } else if (key == "glue_limit") {
      search->glue_limit = integer(-1, kMaxSentenceWords);
    } else if (key == "glue_order") {
      search->glue_order = place.OneOf(node, {"left", "free"}) == "left" ? GlueOrder::kLeft : GlueOrder::kFree;
    } else if (key == "glue_distortion") {
      search->glue_distortion =
          place.OneOf(node, {"full", "jump"}) == "full" ? GlueDistortion::kFull : GlueDistortion::kJump;
    } else if (key == "active_limit") {
      search->active_limit = integer(0, kMany);
    } else {
      UnknownTomlKey(file, "search", key, meaningful);
    }
    if (std::find(meaningful.begin(), meaningful.end(), key.str()) == meaningful.end())
      place.Fail(node, fmt::format("means nothing for {}; it has {}", system.name, fmt::join(meaningful, ", ")));
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
      ReadSearchTable(path, TomlSection(path, key, node), config.system, &config.search);
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
      ReadSearchTable(path, TomlSection(path, key, node), config->system, &config->search);
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

// With the keys that say something about the system.
std::string SearchTable(const SystemSpec& system, const SearchOptions& search) {
  std::string text = "[search]\n";
  for (const std::string& key : SearchKeys(system)) {
    text += key + " = ";
    if (key == "algorithm")
      text += search.algorithm == SearchAlgorithm::kCube ? "\"cube\"" : "\"exhaustive\"";
    else if (key == "beam")
      text += std::to_string(search.beam);
    else if (key == "pop_limit")
      text += std::to_string(search.pop_limit);
    else if (key == "threshold")
      text += fmt::format("{}", search.threshold);
    else if (key == "table_limit")
      text += std::to_string(search.table_limit);
    else if (key == "distortion_limit")
      text += std::to_string(search.distortion_limit);
    else if (key == "distortion_rule")
      text += search.distortion_rule == DistortionRule::kPaper ? "\"paper\"" : "\"moses\"";
    else if (key == "max_span")
      text += std::to_string(search.max_span);
    else if (key == "max_words")
      text += std::to_string(search.max_words);
    else if (key == "glue_limit")
      text += std::to_string(search.glue_limit);
    else if (key == "glue_order")
      text += search.glue_order == GlueOrder::kLeft ? "\"left\"" : "\"free\"";
    else if (key == "glue_distortion")
      text += search.glue_distortion == GlueDistortion::kFull ? "\"full\"" : "\"jump\"";
    else if (key == "active_limit")
      text += std::to_string(search.active_limit);
    text += "\n";
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
  return text + "\n" + SearchTable(config.system, config.search) + "\n" + WeightsTable(config.system, config.weights);
}

void WriteModelToml(const std::string& path, const ModelConfig& config) {
  OutputFile file(path);
  file.Write(ModelToml(config));
  file.Close();
}

void CheckSearchOptions(const SystemSpec& system, const SearchOptions& options) {
  if (system.search != SearchKind::kLeftToRight) return;
  // A unit with gaps may end too far right for Moses's rule to ever come back to its gaps.
  if (options.distortion_rule == DistortionRule::kMoses && system.unit != UnitTest::kContiguous)
    throw Error("search.distortion_rule = \"moses\" is for pbmt; the units of " + system.name + " have gaps");
  if (options.distortion_limit + options.max_span > kCoverageWindow)
    throw Error(fmt::format("search.distortion_limit ({}) and search.max_span ({}) may not exceed {} together",
                            options.distortion_limit, options.max_span, kCoverageWindow));
}

}  // namespace graft::engine
