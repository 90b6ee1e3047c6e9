// Which Graft this is.
//
//   std::printf("graft %s\n", graft::Version());
#pragma once

namespace graft {

const char* Version();  // "0.1.0"

}  // namespace graft
