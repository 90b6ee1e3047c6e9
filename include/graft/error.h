// The one error type of the library. A message reads `file:line: what is wrong; what to do`; the parts are there as
// fields for those who show them differently.
//
//   try {
//     auto model = graft::Model::Open("model");
//   } catch (const graft::Error& error) {
//     std::fprintf(stderr, "%s\n", error.what());
//   }
//
// The library never prints and never ends the process.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace graft {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : Error("", 0, message) {}

  // An error of one line of an input file; lines count from 1.
  static Error At(std::string_view file, uint64_t line, std::string_view message) {
    return Error(std::string(file), line, std::string(message));
  }

  const std::string& file() const { return file_; }        // empty where no line of a file is to blame
  uint64_t line() const { return line_; }                  // 0 likewise
  const std::string& problem() const { return problem_; }  // what is wrong
  const std::string& advice() const { return advice_; }    // what to do; empty where the problem says it all

 private:
  Error(const std::string& file, uint64_t line, const std::string& message)
      : std::runtime_error(line == 0 ? message : file + ":" + std::to_string(line) + ": " + message),
        file_(file),
        line_(line),
        problem_(message.substr(0, message.find("; "))),
        advice_(problem_.size() == message.size() ? "" : message.substr(problem_.size() + 2)) {}

  std::string file_;
  uint64_t line_ = 0;
  std::string problem_, advice_;
};

// The caller asked for an end, or the time limit of the call was reached. What was at work can be used again.
class Stopped : public Error {
 public:
  explicit Stopped(bool late = false) : Error(late ? "the time limit was reached" : "stopped"), late_(late) {}
  bool late() const { return late_; }  // by the time limit

 private:
  bool late_;
};

}  // namespace graft
#pragma GCC visibility pop
