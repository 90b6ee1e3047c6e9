// What the files of a model folder were when they were written: size and sum of each, kept in model.toml.
//
//   [files]
//   "model.toml" = { bytes = 812, xxh3 = "0f3c…" }
//   "lm.bin" = { bytes = 1048576, xxh3 = "93ab…" }
//
// "xxh3" is XXH3, 64 bits, seed 0: of the whole file; of a rule table its first page, which holds the sums of all the
// rest (table_format.h); of model.toml the text without [files]. People edit model.toml, so another sum there is no
// damage: whoever opens the model is told. A model without [files] comes from before there were sums.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "util/stop_check.h"

namespace graft::engine {

struct FileSum {
  std::string name;  // in the folder
  uint64_t bytes = 0;
  uint64_t xxh3 = 0;
  friend bool operator==(const FileSum&, const FileSum&) = default;
};

inline constexpr const char* kModelToml = "model.toml";

// Of the file as it is; `name` says how it is summed. Not for model.toml. Throws Error for a file that cannot be read,
// and Stopped as `stop` says.
FileSum SumOf(const std::string& path, const std::string& name, const StopCheck& stop = {});

// The text of a model.toml without its [files], and with [files] of its own sum and the others. Only a section of its
// own is found, not `files.x = …`: whoever writes the text parses it first (ParseModelDescription).
std::string WithoutFiles(std::string_view model_toml);
std::string WithFiles(std::string_view model_toml, const std::vector<FileSum>& others);
FileSum SumOfModelToml(std::string_view model_toml);

// Throws Error that says what to do if the file in the folder is missing or not what it was. Not for model.toml.
void CheckFile(const std::string& folder, const FileSum& written, const StopCheck& stop = {});

}  // namespace graft::engine
