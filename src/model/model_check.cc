#include "model/model_check.h"

#include <algorithm>
#include <filesystem>

#include "graft/error.h"
#include "model/file_sums.h"
#include "model/model.h"
#include "model/model_config.h"
#include "util/folder_lock.h"
#include "util/output_file.h"
#include "util/toml_file.h"

namespace graft::engine {
namespace {

namespace fs = std::filesystem;

std::string ModelTomlOf(const std::string& folder) { return (fs::path(folder) / kModelToml).string(); }

// The files of the folder that belong to a model: its parts, and the weights of tuning runs.
std::vector<std::string> PartsIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const char* part : {"rules.graft", "lm.bin", kTruecaseParts[0], kTruecaseParts[1]})
    if (fs::exists(fs::path(folder) / part)) names.emplace_back(part);
  std::vector<std::string> runs;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (const std::string name = entry.path().filename().string();
        name.starts_with("weights.run") && name.ends_with(".toml"))
      runs.push_back(name);
  std::sort(runs.begin(), runs.end());
  names.insert(names.end(), runs.begin(), runs.end());
  return names;
}

uint64_t SizeOf(const std::string& folder, const std::string& name) {
  std::error_code error;
  const uint64_t bytes = fs::file_size(fs::path(folder) / name, error);
  return error ? 0 : bytes;
}

// The text of model.toml with these sums, proven to say what it said before: people write TOML in more ways than
// those whose [files] can be replaced in the text.
std::string Sealed(const std::string& path, const std::string& text, const ModelConfig& config,
                   std::vector<FileSum> sums) {
  std::string sealed = WithFiles(text, sums);
  sums.push_back(SumOfModelToml(sealed));
  const auto by_name = [](const FileSum& a, const FileSum& b) { return a.name < b.name; };
  std::sort(sums.begin(), sums.end(), by_name);
  bool same = false;
  try {
    ModelDescription read = ParseModelDescription(sealed, path);
    std::sort(read.files.begin(), read.files.end(), by_name);
    same = ModelToml(read.config) == ModelToml(config) && read.files == sums && !read.edited;
  } catch (const Error&) {  // not even TOML
  }
  if (!same)
    throw Error(path + ": its sums are not in a section [files] that can be replaced; take out all of `files`, and " +
                "seal it again");
  return sealed;
}

}  // namespace

ModelState InspectFolder(const std::string& folder, const Reporter& reporter) {
  CheckIsModel(folder);
  const ModelDescription model = ReadModelDescription(ModelTomlOf(folder), {});
  ModelState state;
  state.sums = !model.files.empty();
  state.edited = model.edited;
  state.files.push_back({kModelToml, SizeOf(folder, kModelToml), ""});
  std::vector<std::string> names;
  for (const FileSum& file : model.files) names.push_back(file.name);
  for (const std::string& name : PartsIn(folder))
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  for (const std::string& name : names) {
    if (name == kModelToml) continue;
    ModelFile& file = state.files.emplace_back(ModelFile{name, SizeOf(folder, name), ""});
    const auto sum =
        std::find_if(model.files.begin(), model.files.end(), [&](const FileSum& one) { return one.name == name; });
    if (sum == model.files.end()) {
      if (state.sums) file.problem = "model.toml has no sum of it";
      continue;
    }
    try {
      CheckFile(folder, *sum, StopCheck(reporter.stop));
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      file.problem = error.problem();
    }
  }
  return state;
}

void VerifyFolder(const std::string& folder, const Reporter& reporter) {
  const StopCheck stop(reporter.stop);
  const std::unique_ptr<Model> model = Model::Load(folder, {}, reporter);  // checks what it opens
  const ModelDescription description = ReadModelDescription(ModelTomlOf(folder), {});
  for (const FileSum& file : description.files)
    if (file.name != kModelToml) CheckFile(folder, file, stop);
  model->table().Verify(stop);
  model->table().CheckUnchanged();
  if (description.files.empty())
    reporter.Warn(ModelTomlOf(folder) +
                  ": has no sums of the files, as models of older versions: their form was checked, not whether they "
                  "are what was trained; `graft model seal " +
                  folder + "` adds sums");
}

void SealFolder(const std::string& folder, const Reporter& reporter) {
  const StopCheck stop(reporter.stop);
  CheckIsModel(folder);
  const FolderLock lock = FolderLock::WithoutFile(folder, stop);  // what is summed stays as it is
  const std::string path = ModelTomlOf(folder);
  const std::string text = ReadTomlText(path);
  ModelDescription description = ParseModelDescription(text, path);
  description.files.clear();  // those of before
  Model::LoadAs(folder, description, stop)->table().Verify(stop);
  std::vector<FileSum> sums;
  for (const std::string& name : PartsIn(folder)) sums.push_back(SumOf((fs::path(folder) / name).string(), name, stop));
  const std::string sealed = Sealed(path, text, description.config, sums);
  OutputFile file(path);
  file.Write(sealed);
  file.Close();
}

}  // namespace graft::engine
