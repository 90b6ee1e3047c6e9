// Lines to be scored and their references, from files.
#pragma once

#include <string>
#include <vector>

#include "graft/reporter.h"

namespace graft::engine {

// All lines of a file ("-": stdin; compressed by its name). Throws Error if there are none.
std::vector<std::string> ReadTestLines(const std::string& path, const Reporter& reporter);

struct TestSet {
  std::vector<std::string> paths;                    // of the references
  std::vector<std::vector<std::string>> references;  // [reference][sentence]

  size_t sentences() const { return references.front().size(); }
  // The lines of a hypothesis file; Error with file and line if there are more or fewer than references.
  std::vector<std::string> ReadHypotheses(const std::string& path, const Reporter& reporter) const;
};

// Error with file and line if the references differ in length.
TestSet ReadTestSet(const std::vector<std::string>& paths, const Reporter& reporter);

}  // namespace graft::engine
