#include "model/model.h"

#include <unistd.h>

#include <array>
#include <filesystem>

#include "graft/error.h"
#include "model/model_config.h"

namespace graft::engine {

namespace fs = std::filesystem;

Model::Model(ModelConfig config, RuleTable table, std::unique_ptr<LanguageModel> lm, Truecaser source, Truecaser target)
    : config_(std::move(config)),
      text_(config_.text, std::move(source), std::move(target)),
      table_(std::move(table)),
      lm_(std::move(lm)) {
  CheckSearchOptions(config_.system, config_.search);
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
  std::array<Truecaser, 2> truecasers;
  for (size_t side = 0; side < 2 && config.text.truecase; ++side) {
    const fs::path part = root / kTruecaseParts[side];
    if (!fs::exists(part)) throw Error(folder + ": text.truecase = true, but the model has no " + kTruecaseParts[side]);
    truecasers[side] = Truecaser::Read(part.string(), {});
  }
  return std::make_unique<Model>(std::move(config), std::move(table), LanguageModel::Load((root / "lm.bin").string()),
                                 std::move(truecasers[0]), std::move(truecasers[1]));
}

void WriteModel(const std::string& folder, const ModelParts& parts, const ModelConfig& config) {
  CheckSearchOptions(config.system, config.search);
  CheckTextOptions(config.text);
  const std::array<const std::string*, 2> truecase = {&parts.truecase_source, &parts.truecase_target};
  if (config.text.truecase != !truecase[0]->empty() || config.text.truecase != !truecase[1]->empty())
    throw Error("a model with text.truecase = true needs the truecase models of source and target, others have none");
  const fs::path root(folder);
  const bool exists = fs::exists(root);
  if (exists && !(fs::is_directory(root) && (fs::is_empty(root) || fs::exists(root / "model.toml"))))
    throw Error(folder + ": exists and is not a model folder; choose another name or remove it");
  const std::string unfinished = ".tmp" + std::to_string(getpid());
  std::error_code error;
  if (!exists && !fs::create_directories(root, error) && error)
    throw Error(folder + ": cannot create the folder: " + error.message());
  // Every part is complete before the first takes its place; model.toml, which makes a folder a model, comes last.
  constexpr std::array<const char*, 5> kParts = {"rules.graft", "lm.bin", kTruecaseParts[0], kTruecaseParts[1],
                                                 "model.toml"};
  auto temporary = [&](const char* part) { return (root / (part + unfinished)).string(); };
  try {
    fs::copy_file(parts.table, temporary(kParts[0]), fs::copy_options::overwrite_existing);
    LanguageModel::WriteBinary(parts.lm, temporary(kParts[1]));
    for (size_t side = 0; side < 2 && config.text.truecase; ++side)
      Truecaser::Read(*truecase[side], {}).Write(temporary(kTruecaseParts[side]));
    WriteModelToml(temporary(kParts[4]), config);
    for (const char* part : kParts) {
      if (fs::exists(temporary(part)))
        fs::rename(temporary(part), root / part);
      else
        fs::remove(root / part);
    }
  } catch (...) {
    for (const char* part : kParts) fs::remove(temporary(part), error);
    if (!exists) fs::remove(root, error);
    try {
      throw;
    } catch (const fs::filesystem_error& failure) {
      throw Error(failure.what());
    }
  }
}

}  // namespace graft::engine
