// Tables whose sums agree with whatever their bytes are: what somebody with a grudge would make.
#pragma once

#include <string>

namespace graft::engine::fuzz {

// Makes all sums of a table agree with the bytes, as far as its directory makes sense.
void MendSums(std::string* bytes);

}  // namespace graft::engine::fuzz
