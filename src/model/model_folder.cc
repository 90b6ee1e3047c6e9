#include "model/model_folder.h"

#include <filesystem>

#include "model/file_sums.h"
#include "util/files_aside.h"

namespace graft::engine {

namespace fs = std::filesystem;

bool HoldsModelOrRemains(const std::string& folder) {
  bool only_unfinished = true;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool unfinished = IsUnfinished(name);
    if (name == kModelToml || (unfinished && name.starts_with(kModelToml))) return true;
    only_unfinished &= unfinished;
  }
  return only_unfinished;
}

ModelFolderUpdate::ModelFolderUpdate(const std::string& folder, const StopCheck& stop)
    : folder_(folder), lock_(FolderLock::WithoutFile(folder, stop)) {
  // Where there is no model.toml, one under another name tells that the rest is a model's, until there is a new one.
  RemoveUnfinished(folder, Whose::kEndedProcesses, fs::exists(PathOf(kModelToml)) ? "" : kModelToml);
}

std::string ModelFolderUpdate::PathOf(const std::string& name) const { return (fs::path(folder_) / name).string(); }

UnfinishedFile& ModelFolderUpdate::Part(const std::string& name) { return files_.emplace_back(PathOf(name)); }

void ModelFolderUpdate::Publish(const std::string& keep_as) {
  for (UnfinishedFile& file : files_) file.Complete();
  FilesAside before;
  if (keep_as.empty())
    before.Move(PathOf(kModelToml));
  else
    before.MoveTo(PathOf(kModelToml), keep_as);
  for (const std::string& name : dropped_) before.Move(PathOf(name));
  std::vector<UnfinishedFile*> all;
  for (UnfinishedFile& file : files_) all.push_back(&file);
  UnfinishedFile::PublishTogether(all);
  before.Drop();
  RemoveUnfinished(folder_, Whose::kEndedProcesses);
}

}  // namespace graft::engine
