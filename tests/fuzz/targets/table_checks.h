// What must hold of every table that opens and passes Verify.
#pragma once

#include <string>

namespace graft::engine::fuzz {

// Opens a sound table and throws Finding unless its dump says what looking up says, and dump and restoring give the
// same bytes.
void CheckTable(const std::string& path);

}  // namespace graft::engine::fuzz
