// Words of scripts that are written without spaces, by ICU's dictionaries.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace graft::engine {

// Byte offsets in `text` where its words end, ascending; the last is the length of `text` (not empty, valid UTF-8).
// Thread-safe.
void FindWordEnds(std::string_view text, std::vector<int32_t>* ends);

}  // namespace graft::engine
