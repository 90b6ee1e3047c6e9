// Which Graft this is.
//
//   std::printf("graft %s\n", graft::Version());
#pragma once

#pragma GCC visibility push(default)
namespace graft {

const char* Version();  // of the library that is linked, "MAJOR.MINOR.PATCH"

}  // namespace graft
#pragma GCC visibility pop
