#include "search/model.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "search/model_config.h"
#include "text/error.h"

namespace graft {

namespace fs = std::filesystem;

Model::Model(ModelConfig config, RuleTable table, std::unique_ptr<LanguageModel> lm)
    : config_(std::move(config)), table_(std::move(table)), lm_(std::move(lm)) {
  CheckSearchOptions(config_.search);
  lm_words_.reserve(table_.target_words());
  for (WordId id = 0; id < table_.target_words(); ++id) lm_words_.push_back(lm_->Word(table_.TargetWord(id)));
}

std::unique_ptr<Model> Model::Load(const std::string& folder, const std::vector<Override>& overrides) {
  if (!fs::is_directory(folder)) throw Error(folder + ": not a model folder");
  const fs::path root(folder);
  for (const char* part : {"model.toml", "rules.graft", "lm.bin"})
    if (!fs::exists(root / part)) throw Error(folder + ": not a model folder: it has no " + part);
  ModelConfig config = ReadModelToml((root / "model.toml").string(), overrides);
  RuleTable table = RuleTable::Open((root / "rules.graft").string());
  if (!(table.spec() == config.system))
    throw Error((root / "model.toml").string() +
                ": [system] does not agree with rules.graft, whose table was built with\n" + ToToml(table.spec()));
  return std::make_unique<Model>(std::move(config), std::move(table), LanguageModel::Load((root / "lm.bin").string()));
}

void WriteModel(const std::string& folder, const std::string& table_path, const std::string& lm_path,
                const ModelConfig& config) {
  CheckSearchOptions(config.search);
  if (fs::exists(folder) &&
      !(fs::is_directory(folder) && (fs::is_empty(folder) || fs::exists(fs::path(folder) / "model.toml"))))
    throw Error(folder + ": exists and is not a model folder; choose another name or remove it");
  const fs::path root(folder);
  const fs::path temporary = root.string() + ".tmp" + std::to_string(getpid());
  std::error_code error;
  fs::remove_all(temporary, error);
  if (!fs::create_directories(temporary, error))
    throw Error("cannot create folder " + temporary.string() + ": " + error.message());
  try {
    fs::copy_file(table_path, temporary / "rules.graft");
    LanguageModel::WriteBinary(lm_path, (temporary / "lm.bin").string());
    WriteModelToml((temporary / "model.toml").string(), config);
    fs::remove_all(root);
    fs::rename(temporary, root);
  } catch (const fs::filesystem_error& failure) {
    fs::remove_all(temporary, error);
    throw Error(failure.what());
  } catch (...) {
    fs::remove_all(temporary, error);
    throw;
  }
}

}  // namespace graft
