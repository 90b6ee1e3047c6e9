#include "support/paths.h"

namespace graft::engine {

std::string TestData(const std::string& name) { return GRAFT_TEST_DATA "/" + name; }
std::string SharedData(const std::string& name) { return GRAFT_SHARED_DATA "/" + name; }

}  // namespace graft::engine
