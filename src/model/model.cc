#include "model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <future>

#include "graft/error.h"
#include "model/model_config.h"
#include "model/model_folder.h"
#include "util/file_operations.h"
#include "util/system_error.h"

namespace graft::engine {

namespace fs = std::filesystem;

Model::Model(ModelConfig config, RuleTable table, std::unique_ptr<LanguageModel> lm, Truecaser source, Truecaser target)
    : config_(std::move(config)),
      text_(config_.text, std::move(source), std::move(target)),
      table_(std::move(table)),
      lm_(std::move(lm)) {
  CheckSearchOptions(config_.system, config_.search);
  lm_words_.reserve(table_.target_words());
  for (WordId id = 0; id < table_.target_words(); ++id) {
    const std::string_view word = table_.TargetWord(id);
    if (word.empty() || word.find_first_of(" \t") != std::string_view::npos)
      throw Error(fmt::format("{}: number {} of its target words is empty or has white space; build the table again",
                              table_.path(), id));
    lm_words_.push_back(lm_->Word(word));
  }
}

namespace {

// Why a search may never end; empty if something bounds it.
std::string_view UnboundedBy(const SystemSpec& system, const SearchOptions& search) {
  if (search.unbounded())
    return "search.beam, search.pop_limit and search.threshold are all 0, so that nothing bounds the search; a "
           "sentence of more than some ten words may take hours. Set one of them";
  // Beam and threshold take their choice of what has been made: of rules with many variables all combinations.
  if (system.search == SearchKind::kForest && search.algorithm == SearchAlgorithm::kExhaustive)
    return "search.algorithm = \"exhaustive\" bounds nothing where a word has many dependents; a sentence of more than "
           "some ten words may take hours. Use \"cube\"";
  return "";
}

// Whether a file of the folder is read when the model is opened.
bool IsOpened(const std::string& name, const TextOptions& text) {
  const bool truecase = std::find(kTruecaseParts.begin(), kTruecaseParts.end(), name) != kTruecaseParts.end();
  return name == "rules.graft" || name == "lm.bin" || (truecase && text.truecase);
}

}  // namespace

void CheckIsModel(const std::string& folder) {
  std::error_code failure;
  if (!fs::exists(folder, failure)) {
    const bool absent = !failure || failure == std::errc::no_such_file_or_directory;
    if (!absent) FailSystem("open the model", folder, failure.value());
    throw Error(folder + ": there is no such folder; name a model that `graft train` or `graft model new` has made");
  }
  if (!fs::is_directory(folder)) throw Error(folder + ": not a model folder, but a file; name the folder it is in");
  for (const char* part : {kModelToml, "rules.graft", "lm.bin", kTruecaseParts[0], kTruecaseParts[1]})
    RequireRegularFile((fs::path(folder) / part).string());
  for (const char* part : {kModelToml, "rules.graft", "lm.bin"})
    if (!fs::exists(fs::path(folder) / part)) throw Error(folder + ": not a model folder: it has no " + part);
}

std::unique_ptr<Model> Model::Load(const std::string& folder, const std::vector<Override>& overrides,
                                   const Reporter& reporter) {
  CheckIsModel(folder);
  const std::string model_toml = (fs::path(folder) / kModelToml).string();
  const ModelDescription description = ReadModelDescription(model_toml, overrides);
  std::unique_ptr<Model> model = LoadAs(folder, description, StopCheck(reporter.stop));
  if (const std::string_view reason = UnboundedBy(model->system(), model->search()); !reason.empty())
    reporter.Warn(fmt::format("{}: {}", model_toml, reason));
  if (description.edited)
    reporter.Warn(model_toml + ": was changed after the model was written; if that was on purpose, `graft model seal " +
                  folder + "` takes it for good, else copy the model again");
  return model;
}

std::unique_ptr<Model> Model::LoadAs(const std::string& folder, const ModelDescription& description,
                                     const StopCheck& stop) {
  stop.Poll();
  const fs::path root(folder);
  const ModelConfig& config = description.config;
  RuleTable table = RuleTable::Open((root / "rules.graft").string());
  if (!(table.spec() == config.system))
    throw Error((root / "model.toml").string() +
                ": [system] does not agree with rules.graft, whose table was built with\n" + ToToml(table.spec()));
  for (const char* part : kTruecaseParts)
    if (config.text.truecase && !fs::exists(root / part))
      throw Error(folder + ": text.truecase = true, but the model has no " + part);
  // Beside the rest: of a large language model the sum takes as long as reading it. What is read before the sum is
  // known is checked in form, and used by nobody.
  std::future<void> sums = std::async([&] {
    for (const FileSum& file : description.files)
      if (IsOpened(file.name, config.text)) CheckFile(folder, file, stop);
  });
  std::array<Truecaser, 2> truecasers;
  std::unique_ptr<LanguageModel> lm;
  try {
    for (size_t side = 0; side < 2 && config.text.truecase; ++side)
      truecasers[side] = Truecaser::Read((root / kTruecaseParts[side]).string(), {});
    lm = LanguageModel::Load((root / "lm.bin").string());
  } catch (const Error&) {
    sums.get();  // a file that is not what was written is the cause
    throw;
  }
  sums.get();
  return std::make_unique<Model>(config, std::move(table), std::move(lm), std::move(truecasers[0]),
                                 std::move(truecasers[1]));
}

namespace {

void Assemble(const std::string& folder, const ModelParts& parts, const ModelConfig& config, const StopCheck& stop) {
  ModelFolderUpdate update(folder, stop);
  std::vector<FileSum> sums;
  const auto add = [&](const char* name, auto write) {
    UnfinishedFile& file = update.Part(name);
    stop.Poll();
    write(file);
    sums.push_back(SumOf(file.name(), name, stop));
  };
  add("rules.graft", [&](const UnfinishedFile& file) { CopyFile(parts.table, file.name(), stop); });
  add("lm.bin", [&](const UnfinishedFile& file) { LanguageModel::WriteBinary(parts.lm, file.name(), stop); });
  const std::array<const std::string*, 2> truecase = {&parts.truecase_source, &parts.truecase_target};
  for (size_t side = 0; side < 2; ++side) {
    if (config.text.truecase)
      add(kTruecaseParts[side],
          [&](const UnfinishedFile& file) { Truecaser::Read(*truecase[side], {}).Write(file.name()); });
    else
      update.Drop(kTruecaseParts[side]);
  }
  WriteModelToml(update.Part(kModelToml).name(), config, sums);
  stop.Poll();
  update.Publish();
}

}  // namespace

void WriteModel(const std::string& folder, const ModelParts& parts, const ModelConfig& config, const StopCheck& stop) {
  CheckSearchOptions(config.system, config.search);
  CheckTextOptions(config.text);
  if (config.text.truecase == parts.truecase_source.empty() || config.text.truecase == parts.truecase_target.empty())
    throw Error("a model with text.truecase = true needs the truecase models of source and target, others have none");
  const bool exists = fs::exists(folder);
  if (exists && !(fs::is_directory(folder) && HoldsModelOrRemains(folder)))
    throw Error(folder + ": exists and is not a model folder; choose another name or remove it");
  MakeFolder(folder);
  try {
    Assemble(folder, parts, config, stop);
  } catch (...) {
    std::error_code ignored;
    if (!exists) fs::remove(folder, ignored);
    try {
      throw;
    } catch (const fs::filesystem_error& failure) {
      throw Error(FailureText(failure));
    }
  }
}

}  // namespace graft::engine
