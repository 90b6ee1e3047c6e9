#include "pipeline/train_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "align/align_table.h"
#include "corpus/source_reader.h"
#include "graft/error.h"
#include "lm/estimate.h"
#include "lm/lm_table.h"
#include "model/model_tables.h"
#include "pipeline/train_table.h"
#include "pipeline/train_tables.h"
#include "rules/system_options.h"
#include "tune/tune_table.h"
#include "util/option_toml.h"
#include "util/toml_file.h"

namespace graft::engine {
namespace {

namespace fs = std::filesystem;

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
      CheckPruning(config_.lm.order, config_.lm.prune);
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
      const std::vector<std::string> known = SystemOptionTable().Keys();
      if (std::find(known.begin(), known.end(), key.str()) == known.end()) UnknownTomlKey(file_, "system", key, known);
    }
    std::ostringstream text;
    text << *system;
    try {
      config_.system = SystemSpecFromToml(text.str());
    } catch (const Error& error) {
      FailInSection(file_, "[system]", *system, error.what());
    }
    config_.reading = config_.system.reading.options();
  }

  void ReadRoot(const toml::key& key, const toml::node& node) {
    if (key == "output") {
      config_.output = Resolve(TomlPlace{file_, "output"}.String(node));
      while (config_.output.size() > 1 && config_.output.back() == '/') config_.output.pop_back();
    } else if (key == "corpus") {
      Read(CorpusOptionTable(), key, node, &config_);
    } else if (key == "align") {
      Read(AlignOptionTable(), key, node, &config_.aligning);
    } else if (key == "lm") {
      ReadLm(TomlSection(file_, key, node));
    } else if (key == "dev") {
      config_.dev = ReadPart("dev", node, TomlSection(file_, key, node));
    } else if (key == "test") {
      for (const auto& [name, test] : TomlSection(file_, key, node)) ReadTest(name, test);
    } else if (key == "tune") {
      Read(TuneOptionTable(), key, node, &config_.tune);
    } else if (key == "search") {
      ReadSearchTable(file_, TomlSection(file_, key, node), config_.system, &config_.search);
    } else if (key == "weights") {
      ReadWeightsTable(file_, TomlSection(file_, key, node), config_.system, &config_.weights);
    } else if (key != "system") {
      UnknownTomlKey(file_, "", key,
                     {"output", "system", "corpus", "align", "lm", "dev", "test", "tune", "search", "weights"});
    }
  }

  // A section of the name that its table has.
  template <class Struct>
  void Read(const OptionTable<Struct>& table, const toml::key& key, const toml::node& node, Struct* options) const {
    ReadOptions({file_, table.section, files_}, table, TomlSection(file_, key, node), options);
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

  void ReadLm(const toml::table& table) {
    const TomlSource source{file_, "lm", files_};
    for (const auto& [key, node] : table) {
      if (ReadOption(source, LmOptionTable(), key, node, &config_.lm) ||
          ReadOption(source, LmFileOptionTable(), key, node, &config_))
        continue;
      std::vector<std::string> known = LmOptionTable().Keys();
      for (const std::string& other : LmFileOptionTable().Keys()) known.push_back(other);
      UnknownTomlKey(file_, "lm", key, known);
    }
  }

  TextPart ReadPart(const std::string& section, const toml::node& where, const toml::table& table) {
    TextPart part;
    ReadOptions({file_, section, files_}, TextPartOptionTable(), table, &part);
    const TomlPlace place{file_, section};
    if (part.source.empty()) place.Fail(where, "has no source");
    if (part.references.empty()) place.Fail(where, "has no references, a list of files");
    return part;
  }

  std::string Resolve(const std::string& path) const { return (folder_ / path).lexically_normal().string(); }

  std::string ExistingFile(const TomlPlace& place, const toml::node& node, const std::string& name) const {
    const std::string path = Resolve(name);
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) place.Fail(node, path + " is a folder; name a file");
    if (!fs::exists(path, ignored))
      place.Fail(node, path + " does not exist; paths are relative to the configuration file");
    return path;
  }

  void CheckSource(const std::string& section, const std::string& path) const {
    if (config_.system.reads_tree() && SourceFormatOf(path) == SourceFormat::kText)
      throw Error(
          fmt::format("{}: {}.source: {} is plain text, but {} translates parsed sentences; give CoNLL-U "
                      "(a name ending in .conllu), or choose {}",
                      file_, section, path, config_.system.name,
                      Joined(SystemsWhere([](const SystemSpec& preset) { return !preset.reads_tree(); }), "or")));
  }

  const std::string file_;
  const fs::path folder_;
  toml::table root_;
  TrainConfig config_;
  const FileResolver files_ = [this](const TomlPlace& place, const toml::node& node, const std::string& path) {
    return ExistingFile(place, node, path);
  };
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
