// A model folder under construction: all parts are complete beside those that are there before the first takes its
// place, and then they change together. Whenever that ends (full disk, kill), the folder holds the earlier model or the
// new one, or it has no model.toml and is refused.
//
//   ModelFolderUpdate update(folder, stop);            // alone in the folder; clears away what killed runs left
//   … write to update.Part("lm.bin").name() …
//   … write to update.Part(kModelToml).name() …        // the last one
//   update.Publish();
//
// What is not published disappears.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "util/folder_lock.h"
#include "util/unfinished_file.h"

namespace graft::engine {

// Whether a folder holds a model, or nothing but what killed runs left of one.
bool HoldsModelOrRemains(const std::string& folder);

class ModelFolderUpdate {
 public:
  // The folder is there. Waits for others that write into it. Throws Error, as all below.
  ModelFolderUpdate(const std::string& folder, const StopCheck& stop);

  // A file of the new model.
  UnfinishedFile& Part(const std::string& name);
  // One that is elsewhere and changes with it.
  UnfinishedFile& Beside(const std::string& path) { return files_.emplace_back(path); }
  // A part of earlier models that the new one does not have.
  void Drop(const std::string& name) { dropped_.push_back(name); }

  // The model.toml that is there gets the name `keep_as`; empty: it goes.
  void Publish(const std::string& keep_as = "");

 private:
  std::string PathOf(const std::string& name) const;

  std::string folder_;
  FolderLock lock_;
  std::deque<UnfinishedFile> files_;  // take their names in this order
  std::vector<std::string> dropped_;
};

}  // namespace graft::engine
