// Readers of outside bytes, called with any bytes at all.
//
// A target is a function that takes bytes and lets the engine do with them what it does with a file of a user. The
// engine may say no (graft::Error); everything else is a finding: a crash, another exception, an answer that differs
// from an independent one (Require), a hang, memory without bound. libFuzzer drives the targets (libfuzzer_main.cc,
// `./run fuzz`), and so does a test with the kept files of corpus/ (replay_test.cc).
//
// A new target: a file in targets/ with `const bool registered = Register({…});`, seeds in corpus/NAME/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace graft::engine::fuzz {

struct FuzzTarget {
  std::string name;
  std::string what;               // which reader, which comparison
  void (*run)(std::string_view);  // must not keep anything between calls that changes what a later one does
  size_t max_bytes = 4096;        // of an input that a fuzzer makes
};

void PrintTo(const FuzzTarget& target, std::ostream* out);  // for tests

bool Register(FuzzTarget target);
std::vector<FuzzTarget> AllTargets();  // by name

// What a target found that is no crash.
class Finding : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void Require(bool holds, const std::string& what) {
  if (!holds) throw Finding(what);
}

// Calls `use`; true if the engine took the input, false if it refused with an Error, which must say something.
bool Accepts(const std::function<void()>& use);

// The files of one input. A folder of this process, in memory where there is such a thing; names are used again.
std::string ScratchPath(const std::string& name);
std::string WriteScratch(const std::string& name, std::string_view bytes);
std::string ReadWhole(const std::string& path);

// An input that is several files: parts between lines "=====". Missing ones are empty.
std::vector<std::string_view> SplitParts(std::string_view bytes, size_t parts);

// Decisions from bytes: the first bytes decide first; when there are none left every answer is 0.
class ByteSource {
 public:
  explicit ByteSource(std::string_view bytes) : bytes_(bytes) {}

  uint8_t Byte();
  int Below(int end);  // 0 .. end - 1
  bool Coin() { return Below(2) == 1; }
  bool empty() const { return bytes_.empty(); }
  std::string_view Rest() const { return bytes_; }
  uint32_t Seed() const;  // a hash of what is left

 private:
  std::string_view bytes_;
};

}  // namespace graft::engine::fuzz
