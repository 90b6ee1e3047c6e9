#include "pipeline/install.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "graft/error.h"
#include "model/model_config.h"
#include "pipeline/step.h"

namespace graft::engine {
namespace {

namespace fs = std::filesystem;

std::string Contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool IsWeightsOfARun(const std::string& name) {
  static const std::regex kName("weights\\.run[0-9]+\\.toml");
  return std::regex_match(name, kName);
}

void LinkOrCopy(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_hard_link(from, to, error);
  if (error) fs::copy_file(from, to, fs::copy_options::overwrite_existing);
}

// Links that are there already stay: renaming one onto another of the same file would leave both.
bool IsInstalled(const fs::path& from, const fs::path& to) {
  std::error_code error;
  return fs::equivalent(from, to, error);
}

}  // namespace

std::string FreeName(const std::string& path) {
  std::string name = path;
  for (int k = 2; fs::exists(name); ++k) name = path + std::to_string(k);
  return name;
}

namespace {

// What model.toml said when training last wrote it: anything else was edited by hand.
constexpr const char* kWritten = "model.toml.written";

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
  const fs::path root(folder);
  const fs::path work(work_folder);
  const fs::path model_toml = root / "model.toml";
  const std::string unfinished = ".tmp" + std::to_string(getpid());
  try {
    fs::create_directories(root);
    for (const fs::directory_entry& entry : fs::directory_iterator(root))
      if (IsUnfinished(entry.path().filename().string())) fs::remove(entry.path());
    std::vector<std::string> names, missing;
    for (const std::string& part : parts) {
      const std::string name = names.emplace_back(fs::path(part).filename().string());
      if (IsInstalled(part, root / name)) continue;
      missing.push_back(name);
      LinkOrCopy(part, root / (name + unfinished));
    }
    if (fs::exists(model_toml)) {
      const std::string now = Contents(model_toml);
      if (now != Contents(work / kWritten) && now != ModelToml(config)) {
        const std::string kept = FreeName(model_toml.string() + ".old");
        fs::rename(model_toml, kept);
        reporter.Warn(
            fmt::format("{}: was changed by hand and is replaced; the old one is {}", model_toml.string(), kept));
      } else {
        fs::remove(model_toml);
      }
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
      const std::string name = entry.path().filename().string();
      if (IsWeightsOfARun(name) && std::find(names.begin(), names.end(), name) == names.end()) fs::remove(entry.path());
    }
    for (const std::string& name : missing) fs::rename(root / (name + unfinished), root / name);
    WriteModelToml((work / kWritten).string(), config);
    WriteModelToml(model_toml.string(), config);
  } catch (const fs::filesystem_error& error) {
    throw Error(error.what());
  }
}

}  // namespace graft::engine
