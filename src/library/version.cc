#include "graft/version.h"

namespace graft {

const char* Version() { return GRAFT_VERSION; }  // of the project, from CMakeLists.txt

}  // namespace graft
