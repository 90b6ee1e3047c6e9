#include "graft/version.h"

namespace graft {

const char* Version() { return GRAFT_VERSION; }

}  // namespace graft
