// Lines of Moses's tables: fields between `|||`.
#pragma once

#include <string_view>
#include <vector>

namespace graft::engine {

// The fields, without the white space around them.
std::vector<std::string_view> SplitMosesLine(std::string_view line);

}  // namespace graft::engine
