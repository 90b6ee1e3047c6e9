// model.toml and weights.toml: reading with exact errors, writing with stable bytes.
#pragma once

#include <string>
#include <vector>

#include "model/file_sums.h"
#include "model/model.h"

namespace graft::engine {

struct ModelDescription {
  ModelConfig config;
  std::vector<FileSum> files;  // as they were written; empty for a model from before there were sums
  bool edited = false;         // model.toml is not what was written
};

// Overrides replace keys of the file. Throws Error for a file that lacks what every model has.
ModelDescription ReadModelDescription(const std::string& path, const std::vector<Override>& overrides);
ModelDescription ParseModelDescription(const std::string& text, const std::string& name);  // `name` is for messages
ModelConfig ReadModelToml(const std::string& path, const std::vector<Override>& overrides);
// `files`: all others of the folder, as they are to be; without them no sums are written.
void WriteModelToml(const std::string& path, const ModelConfig& config, const std::vector<FileSum>& files = {});

}  // namespace graft::engine
