// Puts the parts of a trained model into its folder.
#pragma once

#include <string>
#include <vector>

#include "graft/reporter.h"
#include "model/model.h"

namespace graft::engine {

// Throws Error if training into `folder` would mix a model with files that are not one.
void CheckModelFolder(const std::string& folder);

// `path`, or the first of path2, path3, … that is not there yet: for copies of what somebody wrote.
std::string FreeName(const std::string& path);

// Links (where the disk allows it) or copies the files `parts` into the folder and writes model.toml, which makes a
// folder a model, last (model/model_folder.h). A model.toml that somebody changed by hand is kept as model.toml.old
// (.old2, …), with a warning.
void InstallParts(const std::string& work_folder, const std::vector<std::string>& parts, const std::string& folder,
                  const ModelConfig& config, const Reporter& reporter);

}  // namespace graft::engine
