// A model folder looked at as files: what is in it, whether all of it is sound, and sums for what was changed on
// purpose.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graft/model.h"
#include "graft/reporter.h"

namespace graft::engine {

// The files that belong to the model, each compared with its sum: of a table only the first page is read. Throws Error
// if model.toml cannot be read.
ModelState InspectFolder(const std::string& folder, const Reporter& reporter);

// Reads every byte and checks every sum and structure; throws Error on the first that is wrong. What is only worth
// knowing (no sums, model.toml edited) is reported.
void VerifyFolder(const std::string& folder, const Reporter& reporter);

// Checks that the files as they are make a model, and writes their sums into model.toml, which otherwise stays as it
// is.
void SealFolder(const std::string& folder, const Reporter& reporter);

}  // namespace graft::engine
