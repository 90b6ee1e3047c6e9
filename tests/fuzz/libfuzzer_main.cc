// libFuzzer's entry points for all targets: `graft_fuzz --target=NAME [libFuzzer's options] FOLDER|FILE…`. Names with
// two dashes are ignored by libFuzzer itself. Without a target: lists them.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz/fuzz_target.h"

namespace {

graft::engine::fuzz::FuzzTarget target;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view kFlag = "--target=";
  const auto targets = graft::engine::fuzz::AllTargets();
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = (*argv)[i];
    if (!argument.starts_with(kFlag)) continue;
    const auto found = std::find_if(targets.begin(), targets.end(),
                                    [&](const auto& t) { return t.name == argument.substr(kFlag.size()); });
    if (found != targets.end()) {
      target = *found;
      return 0;
    }
  }
  for (const auto& t : targets) std::printf("%s\t%zu\t%s\n", t.name.c_str(), t.max_bytes, t.what.c_str());
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  target.run({reinterpret_cast<const char*>(data), size});
  return 0;
}
