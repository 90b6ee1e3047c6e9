#include "pipeline/install.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "graft/error.h"
#include "model/model_config.h"
#include "model/model_folder.h"
#include "util/file_operations.h"
#include "util/system_error.h"

namespace graft::engine {
namespace {

namespace fs = std::filesystem;

// Nothing of a file that is not there.
std::string Contents(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) ? ReadWholeFile(path.string()) : "";
}

bool IsWeightsOfARun(const std::string& name) {
  static const std::regex kName("weights\\.run[0-9]+\\.toml");
  return std::regex_match(name, kName);
}

// Links that are there already stay: renaming one onto another of the same file would leave both.
bool IsInstalled(const fs::path& from, const fs::path& to) {
  std::error_code error;
  return fs::equivalent(from, to, error);
}

}  // namespace

std::string FreeName(const std::string& path) {
  std::string name = path;
  std::error_code ignored;
  for (int k = 2; fs::exists(name, ignored); ++k) name = path + std::to_string(k);
  return name;
}

namespace {

// What model.toml said when training last wrote it: anything else was edited by hand.
constexpr const char* kWritten = "model.toml.written";

// The name under which a model.toml that somebody changed by hand is kept; empty for one that is as training made it.
std::string NameToKeep(const std::string& path, const std::string& written, const std::string& made) {
  if (!fs::exists(path)) return "";
  const std::string now = WithoutFiles(Contents(path));
  return now != WithoutFiles(Contents(written)) && now != made ? FreeName(path + ".old") : "";
}

// Whether only some models have such a part.
bool IsOptional(const std::string& name) {
  return IsWeightsOfARun(name) || std::find(kTruecaseParts.begin(), kTruecaseParts.end(), name) != kTruecaseParts.end();
}

}  // namespace

void CheckModelFolder(const std::string& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  if (!fs::is_directory(folder, error)) throw Error(folder + ": is a file; choose another output for the model");
  if (fs::is_empty(folder, error) || fs::exists(folder + ".work/ledger.json", error) ||
      (fs::exists(folder + "/model.toml", error) && fs::exists(folder + "/rules.graft", error)))
    return;
  throw Error(folder + ": holds files that are not a model's; choose another output, or remove it");
}

void InstallParts(const std::string& work_folder, const std::vector<std::string>& parts, const std::string& folder,
                  const ModelConfig& config, const Reporter& reporter) {
  const StopCheck stop(reporter.stop);
  const fs::path root(folder);
  const std::string model_toml = (root / kModelToml).string();
  const std::string written = (fs::path(work_folder) / kWritten).string();
  try {
    MakeFolder(folder);
    ModelFolderUpdate update(folder, stop);
    std::vector<std::string> names;
    std::vector<FileSum> sums;
    for (const std::string& part : parts) {
      const std::string& name = names.emplace_back(fs::path(part).filename().string());
      if (!IsInstalled(part, root / name)) LinkOrCopy(part, update.Part(name).name(), stop);
      sums.push_back(SumOf(part, name, stop));
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
      const std::string name = entry.path().filename().string();
      if (IsOptional(name) && std::find(names.begin(), names.end(), name) == names.end()) update.Drop(name);
    }
    WriteModelToml(update.Beside(written).name(), config, sums);
    WriteModelToml(update.Part(kModelToml).name(), config, sums);
    const std::string kept = NameToKeep(model_toml, written, ModelToml(config));
    update.Publish(kept);
    if (!kept.empty())
      reporter.Warn(fmt::format("{}: was changed by hand and is replaced; the old one is {}", model_toml, kept));
  } catch (const fs::filesystem_error& error) {
    throw Error(FailureText(error));
  }
}

}  // namespace graft::engine
