// Language models as files, before KenLM reads them. KenLM unpacks gzip, bzip2 and xz itself, but waits forever for the
// rest of a bzip2 file that is cut short. So files are unpacked here.
#pragma once

#include <string>

#include "util/temporary_file.h"

namespace graft::engine {

// Whether the file starts as packed ones do: gzip, bzip2, xz or zstd, whatever its name.
bool IsPackedModel(const std::string& path);

// Appends what a packed file holds to `plain`. Throws Error for one that is damaged or cut short.
void UnpackModel(const std::string& path, TemporaryFile* plain);

}  // namespace graft::engine
