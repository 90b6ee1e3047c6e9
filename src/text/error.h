// The one error type of the library. Messages read `file:line: what is wrong; what to do`. The library throws it at its
// borders and never prints or exits; only `cli` prints.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace graft {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}

  // An error of one line of an input file; lines count from 1.
  static Error At(std::string_view file, uint64_t line, std::string_view message) {
    return Error(std::string(file) + ":" + std::to_string(line) + ": " + std::string(message));
  }
};

}  // namespace graft
