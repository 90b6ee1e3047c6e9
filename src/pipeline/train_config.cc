#include "pipeline/train_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <limits>
#include <sstream>

#include "align/align.h"
#include "corpus/source_reader.h"
#include "graft/error.h"
#include "model/model_tables.h"
#include "pipeline/train_table.h"
#include "util/toml_file.h"

namespace graft::engine {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMostPairs = int64_t{1} << 48;

class Reader {
 public:
  Reader(const std::string& path, toml::table root, const std::vector<Override>& overrides)
      : file_(path), folder_(fs::path(path).parent_path()), root_(std::move(root)) {
    for (const Override& one : overrides) ApplyOverride(one, &root_);
  }

  TrainConfig Read() {
    ReadSystem();  // weights and formats are judged by it
    for (const auto& [key, node] : root_) ReadRoot(key, node);
    Require(!config_.output.empty(), "has no `output = \"…\"`, the folder for the model");
    Require(!config_.corpus.source.empty(), "has no corpus.source");
    Require(!config_.corpus.references.empty(), "has no corpus.target");
    CheckTogether();
    try {
      CheckTextOptions(config_.text);
      CheckSearchOptions(config_.system, config_.search);
    } catch (const Error& error) {
      throw Error(file_ + ": " + error.what());
    }
    CheckSource("corpus", config_.corpus.source);
    if (config_.dev) CheckSource("dev", config_.dev->source);
    for (const auto& test : config_.tests) CheckSource("test." + test.first, test.second.source);
    return config_;
  }

 private:
  void Require(bool holds, const char* message) const {
    if (!holds) throw Error(file_ + ": " + message);
  }

  // Settings that would be read and then mean nothing.
  void CheckTogether() const {
    Require(config_.lm_file.empty() || config_.lm_text.empty(), "lm.text and lm.file exclude each other");
    Require(config_.lm_file.empty() || !(root_["lm"]["order"] || root_["lm"]["prune"]),
            "lm.order and lm.prune are for a model made here; lm.file brings its own");
    Require(config_.align.empty() || !root_["align"], "[align] is for links made here; corpus.align brings them");
    Require(config_.align.empty() || config_.text.tokeniser == "none",
            "corpus.align counts the tokens of the files, which tokenised = false makes anew; leave one of them out");
    Require(config_.dev.has_value() || !root_["tune"], "[tune] means nothing without a [dev] set to tune on");
    Require(!(config_.text.lowercase && config_.text.truecase),
            "corpus.lowercase and corpus.truecase exclude each other");
    for (const std::string& target : config_.corpus.references)
      if (SourceFormatOf(target) == SourceFormat::kConllu)
        throw Error(file_ + ": corpus.target: " + target + " is CoNLL-U; are source and target swapped?");
  }

  void ReadSystem() {
    const toml::table* system = root_["system"].as_table();
    Require(!root_.contains("row"), "has [[row]] tables: it is for `graft experiment`");
    Require(system != nullptr, "has no [system] table with the name of a system");
    for (const auto& [key, node] : *system) {
      const std::vector<std::string>& known = SystemKeys();
      if (std::find(known.begin(), known.end(), key.str()) == known.end()) UnknownTomlKey(file_, "system", key, known);
    }
    std::ostringstream text;
    text << *system;
    try {
      config_.system = SystemSpecFromToml(text.str());
    } catch (const Error& error) {
      throw Error::At(file_, system->source().begin.line, std::string("[system]: ") + error.what());
    }
    config_.reading = config_.system.reading.options();
  }

  void ReadRoot(const toml::key& key, const toml::node& node) {
    if (key == "output") {
      config_.output = Resolve(TomlPlace{file_, "output"}.String(node));
      while (config_.output.size() > 1 && config_.output.back() == '/') config_.output.pop_back();
    } else if (key == "corpus") {
      ReadCorpus(TomlSection(file_, key, node));
    } else if (key == "align") {
      ReadAlign(TomlSection(file_, key, node));
    } else if (key == "lm") {
      ReadLm(TomlSection(file_, key, node));
    } else if (key == "dev") {
      config_.dev = ReadPart("dev", node, TomlSection(file_, key, node));
    } else if (key == "test") {
      for (const auto& [name, test] : TomlSection(file_, key, node)) ReadTest(name, test);
    } else if (key == "tune") {
      ReadTune(TomlSection(file_, key, node));
    } else if (key == "search") {
      ReadSearchTable(file_, TomlSection(file_, key, node), config_.system, &config_.search);
    } else if (key == "weights") {
      ReadWeightsTable(file_, TomlSection(file_, key, node), config_.system, &config_.weights);
    } else if (key != "system") {
      UnknownTomlKey(file_, "", key,
                     {"output", "system", "corpus", "align", "lm", "dev", "test", "tune", "search", "weights"});
    }
  }

  void ReadTest(const toml::key& name, const toml::node& node) {
    const std::string section = fmt::format("test.{}", name.str());
    const TomlPlace place{file_, section};
    if (!node.is_table()) place.Fail(node, "test sets have names: [test.NAME]");
    const auto plain = [](unsigned char c) { return c == '-' || c == '_' || std::isalnum(c) != 0; };
    if (name.str().empty() || !std::all_of(name.str().begin(), name.str().end(), plain))
      place.Fail(node, "the name becomes part of file names; use letters, digits, - and _");
    config_.tests.emplace_back(std::string(name.str()), ReadPart(section, node, *node.as_table()));
  }

  void ReadCorpus(const toml::table& table) {
    for (const auto& [key, node] : table) {
      const TomlPlace place{file_, fmt::format("corpus.{}", key.str())};
      if (key == "source")
        config_.corpus.source = ExistingFile(place, node);
      else if (key == "target")
        config_.corpus.references = {ExistingFile(place, node)};
      else if (key == "align")
        config_.align = ExistingFile(place, node);
      else if (key == "limit")
        config_.corpus.limit = static_cast<uint64_t>(place.Integer(node, 1, kMostPairs));
      else if (key == "lowercase")
        config_.text.lowercase = place.Boolean(node);
      else if (key == "truecase")
        config_.text.truecase = place.Boolean(node);
      else if (key == "tokenised")
        config_.text.tokeniser = place.Boolean(node) ? "none" : "icu";
      else if (key == "languages")
        config_.text.languages = place.Strings(node);
      else
        UnknownTomlKey(file_, "corpus", key,
                       {"source", "target", "align", "limit", "lowercase", "truecase", "tokenised", "languages"});
    }
  }

  void ReadAlign(const toml::table& table) {
    for (const auto& [key, node] : table) {
      const TomlPlace place{file_, fmt::format("align.{}", key.str())};
      if (key == "method")
        config_.align_method = place.OneOf(node, AlignMethods());
      else if (key == "symmetrise")
        config_.symmetrise = Symmetrise(place, node);
      else if (key == "seed")
        config_.align_seed = Seed(place, node);
      else
        UnknownTomlKey(file_, "align", key, {"method", "symmetrise", "seed"});
    }
  }

  void ReadLm(const toml::table& table) {
    for (const auto& [key, node] : table) {
      const TomlPlace place{file_, fmt::format("lm.{}", key.str())};
      if (key == "order") {
        config_.lm_order = static_cast<int>(place.Integer(node, 1, 6));
      } else if (key == "prune") {
        const toml::array* list = node.as_array();
        if (list == nullptr) place.Fail(node, "must be a list of thresholds, one for each order");
        for (const toml::node& item : *list)
          config_.lm_prune.push_back(static_cast<uint64_t>(place.Integer(item, 0, 1'000'000'000)));
      } else if (key == "text") {
        config_.lm_text = ExistingFiles(place, node);
      } else if (key == "file") {
        config_.lm_file = ExistingFile(place, node);
      } else {
        UnknownTomlKey(file_, "lm", key, {"order", "prune", "text", "file"});
      }
    }
  }

  TextPart ReadPart(const std::string& section, const toml::node& where, const toml::table& table) {
    TextPart part;
    for (const auto& [key, node] : table) {
      const TomlPlace place{file_, fmt::format("{}.{}", section, key.str())};
      if (key == "source")
        part.source = ExistingFile(place, node);
      else if (key == "references")
        part.references = ExistingFiles(place, node);
      else if (key == "skip")
        part.skip = static_cast<uint64_t>(place.Integer(node, 0, kMostPairs));
      else if (key == "limit")
        part.limit = static_cast<uint64_t>(place.Integer(node, 1, kMostPairs));
      else
        UnknownTomlKey(file_, section, key, {"source", "references", "skip", "limit"});
    }
    const TomlPlace place{file_, section};
    if (part.source.empty()) place.Fail(where, "has no source");
    if (part.references.empty()) place.Fail(where, "has no references, a list of files");
    return part;
  }

  void ReadTune(const toml::table& table) {
    for (const auto& [key, node] : table) {
      const TomlPlace place{file_, fmt::format("tune.{}", key.str())};
      if (key == "runs")
        config_.tune_runs = static_cast<int>(place.Integer(node, 1, 1000));
      else if (key == "iterations")
        config_.tune_iterations = static_cast<int>(place.Integer(node, 1, 1000));
      else if (key == "seed")
        config_.tune_seed = Seed(place, node);
      else if (key == "method")
        config_.tune_method = place.OneOf(node, {"mira", "paper"});
      else
        UnknownTomlKey(file_, "tune", key, {"runs", "iterations", "seed", "method"});
    }
  }

  static std::string Symmetrise(const TomlPlace& place, const toml::node& node) {
    const std::string name = place.String(node);
    try {
      ParseSymmetrisation(name);
    } catch (const Error& error) {
      place.Fail(node, error.what());
    }
    return name;
  }

  static uint64_t Seed(const TomlPlace& place, const toml::node& node) {
    return static_cast<uint64_t>(place.Integer(node, 0, std::numeric_limits<int32_t>::max()));
  }

  std::string Resolve(const std::string& path) const { return (folder_ / path).lexically_normal().string(); }

  std::string ExistingFile(const TomlPlace& place, const toml::node& node) const {
    const std::string path = Resolve(place.String(node));
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) place.Fail(node, path + " is a folder; name a file");
    if (!fs::exists(path, ignored))
      place.Fail(node, path + " does not exist; paths are relative to the configuration file");
    return path;
  }

  std::vector<std::string> ExistingFiles(const TomlPlace& place, const toml::node& node) const {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty()) place.Fail(node, "must be a list of files: [\"…\"]");
    std::vector<std::string> files;
    for (const toml::node& item : *list) files.push_back(ExistingFile(place, item));
    return files;
  }

  void CheckSource(const std::string& section, const std::string& path) const {
    if (config_.system.reads_tree() && SourceFormatOf(path) == SourceFormat::kText)
      throw Error(
          fmt::format("{}: {}.source: {} is plain text, but {} translates parsed sentences; give CoNLL-U "
                      "(a name ending in .conllu), or choose pbmt, sdtu or hpbmt",
                      file_, section, path, config_.system.name));
  }

  const std::string file_;
  const fs::path folder_;
  toml::table root_;
  TrainConfig config_;
};

}  // namespace

TrainConfig ReadTrainConfig(const std::string& path, const std::vector<Override>& overrides) {
  return Reader(path, ParseToml(path), overrides).Read();
}

TrainConfig ReadTrainTable(const std::string& path, toml::table root) {
  return Reader(path, std::move(root), {}).Read();
}

TrainConfig ParseTrainConfig(const std::string& text, const std::string& path, const std::vector<Override>& overrides) {
  return Reader(path, ParseTomlText(text, path), overrides).Read();
}

}  // namespace graft::engine
