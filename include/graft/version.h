// Which Graft this is.
//
//   std::printf("graft %s\n", graft::Version());
#pragma once

#pragma GCC visibility push(default)
namespace graft {

const char* Version();  // "0.1.0"

}  // namespace graft
#pragma GCC visibility pop
