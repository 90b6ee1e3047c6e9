#include "model/model_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "graft/error.h"
#include "model/model_tables.h"
#include "rules/system_options.h"
#include "text/text_option_table.h"
#include "util/file_operations.h"
#include "util/option_toml.h"
#include "util/output_file.h"
#include "util/toml_file.h"

namespace graft::engine {
namespace {

// As TOML writes it.
std::string WeightText(const FeatureGroup& group, const FeatureVector& weights) {
  if (group.size == 1) return TomlNumber(weights[group.first]);
  std::string text;
  for (int i = 0; i < group.size; ++i) text += (i == 0 ? "[" : ", ") + TomlNumber(weights[group.first + i]);
  return text + "]";
}

}  // namespace

void ReadSearchTable(const std::string& file, const toml::table& table, const SystemSpec& system,
                     SearchOptions* search) {
  ReadOptions({file, "search"}, SearchOptionTable(), {system, system.name}, table, search);
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
  ReadOptions({file, "text"}, TextOptionTable(), table, text);
  try {
    CheckTextOptions(*text);
  } catch (const Error& error) {
    FailInSection(file, "", table, error.what());
  }
}

// Every feature of the system must have its weight: a file that is cut short has lost some.
void RequireWeights(const std::string& path, const toml::table& root, const SystemSpec& system) {
  const std::string advice = "; copy the model again, or add what is missing";
  const toml::table* weights = root["weights"].as_table();
  if (weights == nullptr) throw Error(path + ": has no [weights] table: it is damaged or cut short" + advice);
  for (const FeatureGroup& group : kFeatureGroups)
    if (HasFeature(system, group.first) && !weights->contains(group.name))
      throw Error::At(path, weights->source().begin.line,
                      fmt::format("[weights] has no {}: it is damaged or cut short{}", group.name, advice));
}

std::vector<FileSum> ReadFiles(const std::string& path, const toml::table& table) {
  std::vector<FileSum> files;
  for (const auto& [key, node] : table) {
    const TomlPlace place{path, fmt::format("files.{}", key.str())};
    FileSum& sum = files.emplace_back();
    sum.name = key.str();
    const toml::table* about = node.as_table();
    if (sum.name.find('/') != std::string::npos || about == nullptr || about->size() != 2 ||
        !about->contains("bytes") || !about->contains("xxh3"))
      place.Fail(node, "must be a file of the folder with { bytes = …, xxh3 = \"…\" }");
    sum.bytes = static_cast<uint64_t>(place.Integer(*about->get("bytes"), 0, INT64_MAX));
    const std::string hex = place.String(*about->get("xxh3"));
    const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), sum.xxh3, 16);
    if (hex.size() != 16 || error != std::errc() || end != hex.data() + hex.size())
      place.Fail(node, "the sum must have 16 hexadecimal digits");
  }
  for (const char* name : {kModelToml, "rules.graft", "lm.bin"})
    if (!table.contains(name))
      throw Error::At(path, table.source().begin.line,
                      fmt::format("[files] has no {}: it is damaged; copy the model again", name));
  return files;
}

ModelDescription ParseWith(const std::string& text, const std::string& path, const std::vector<Override>& overrides) {
  toml::table root = ParseTomlText(text, path);
  for (const Override& one : overrides) ApplyOverride(one, &root);
  const auto format = root["format"].value<int64_t>();
  if (!format) throw Error(path + ": has no `format = 1`");
  if (*format != 1)
    throw Error(
        fmt::format("{}: format {}, but this version of graft reads format 1; use a newer graft", path, *format));
  ModelDescription model;
  ModelConfig& config = model.config;
  const toml::table* system = root["system"].as_table();
  if (system == nullptr) throw Error(path + ": has no [system] table");
  std::ostringstream system_text;
  system_text << *system;
  try {
    config.system = SystemSpecFromToml(system_text.str());
  } catch (const Error& error) {
    FailInSection(path, "[system]", *system, error.what());
  }
  for (const auto& [key, node] : root) {
    if (key == "format" || key == "system") continue;
    if (key == "weights")
      ReadWeightsTable(path, TomlSection(path, key, node), config.system, &config.weights);
    else if (key == "search")
      ReadSearchTable(path, TomlSection(path, key, node), config.system, &config.search);
    else if (key == "text")
      ReadText(path, TomlSection(path, key, node), &config.text);
    else if (key == "files")
      model.files = ReadFiles(path, TomlSection(path, key, node));
    else
      UnknownTomlKey(path, "", key, {"format", "files", "system", "text", "search", "weights"});
  }
  RequireWeights(path, root, config.system);
  const FileSum own = SumOfModelToml(text);
  model.edited = !model.files.empty() && std::find(model.files.begin(), model.files.end(), own) == model.files.end();
  return model;
}

ModelDescription ReadWith(const std::string& path, const std::vector<Override>& overrides) {
  RequireRegularFile(path);
  return ParseWith(ReadTomlText(path), path, overrides);
}

}  // namespace

ModelDescription ParseModelDescription(const std::string& text, const std::string& name) {
  return ParseWith(text, name, {});
}

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

ModelDescription ReadModelDescription(const std::string& path, const std::vector<Override>& overrides) {
  if (overrides.empty()) return ReadWith(path, {});
  ReadWith(path, {});  // what is wrong with the file itself is said of the file
  for (const Override& one : overrides)
    if (one.starts_with("files"))
      throw Error("--set " + one + ": the sums of files cannot be set; use `graft model seal`");
  try {
    return ReadWith(path, overrides);
  } catch (const Error& error) {
    // The file alone is sound, so its line is not to blame.
    std::string_view message = error.what();
    const std::string prefix = path + ":";
    if (!message.starts_with(prefix)) throw;
    message.remove_prefix(prefix.size());
    const size_t digits = message.find_first_not_of("0123456789");
    if (digits > 0 && digits < message.size() && message[digits] == ':') message.remove_prefix(digits + 1);
    throw Error(fmt::format("--set {}:{}", fmt::join(overrides, " --set "), message));
  }
}

ModelConfig ReadModelToml(const std::string& path, const std::vector<Override>& overrides) {
  return ReadModelDescription(path, overrides).config;
}

std::vector<OptionDescription> DescribeWeights() {
  std::vector<OptionDescription> weights;
  for (const FeatureGroup& group : kFeatureGroups) {
    OptionDescription& about = weights.emplace_back();
    about.key = group.name;
    about.help = group.help;
    about.type = OptionType::kNumber;
    about.range_text = group.size == 1 ? "" : fmt::format("a list of {}", group.size);
    about.default_text = WeightText(group, kDefaultWeights);
    const auto has = [&](const SystemSpec& preset) { return HasFeature(preset, group.first); };
    about.subjects = SystemsWhere(has);
    if (about.subjects.size() == SystemPresets().size()) about.subjects.clear();
  }
  return weights;
}

namespace {

// With the features of the system.
std::string WeightsTable(const SystemSpec& system, const FeatureVector& weights) {
  std::string text = "[weights]\n";
  for (const FeatureGroup& group : kFeatureGroups) {
    if (!HasFeature(system, group.first)) continue;
    text += std::string(group.name) + " = " + WeightText(group, weights) + "\n";
  }
  return text;
}

}  // namespace

std::string ModelToml(const ModelConfig& config) {
  return "format = 1\n\n[system]\n" + ToToml(config.system) + "\n" + WeightsFileToml(config);
}

std::string WeightsFileToml(const ModelConfig& config) {
  return "[text]\n" + WriteOptions(TextOptionTable(), Anything(), config.text) + "\n[search]\n" +
         WriteOptions(SearchOptionTable(), config.system, config.search) + "\n" +
         WeightsTable(config.system, config.weights);
}

void WriteModelToml(const std::string& path, const ModelConfig& config, const std::vector<FileSum>& files) {
  OutputFile file(path);
  file.Write(files.empty() ? ModelToml(config) : WithFiles(ModelToml(config), files));
  file.Close();
}

}  // namespace graft::engine
