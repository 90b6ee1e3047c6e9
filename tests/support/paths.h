// Where the files are that tests read.
#pragma once

#include <string>

namespace graft::engine {

std::string TestData(const std::string& name);    // a file below tests/data
std::string SharedData(const std::string& name);  // a file of the folder of real corpora, which may be absent

}  // namespace graft::engine
