#include "library/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "graft/error.h"
#include "util/memory_size.h"

namespace graft::internal {

int ThreadsOf(int threads) {
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

uint64_t MemoryOf(const std::string& memory) {
  constexpr uint64_t kLeast = uint64_t{1} << 16;
  const uint64_t bytes = engine::ParseMemorySize(memory);
  if (bytes < kLeast)
    throw Error(
        fmt::format("a memory limit of {} ({} bytes) is too small; write a size such as 64M, or a share such as 80%",
                    memory, bytes));
  return bytes;
}

void RequireOneStdin(const std::vector<std::string>& files) {
  if (std::count(files.begin(), files.end(), "-") > 1)
    throw Error("stdin (-) can be only one of the files; give the others a name");
}

}  // namespace graft::internal
