// Lines of a text file, plain or compressed (.gz .zst .xz by name), or of stdin ("-").
//
//   LineReader reader("train.de.xz", reporter);
//   while (reader.Next()) Use(reader.line(), reader.line_number());
//
// Lines end at LF. A byte-order mark at the start and a CR at the end of a line are removed, each with one warning per
// file.
// Invalid UTF-8 is an Error with file and line, and so is a line of more than kMostLineBytes (util/size_limits.h). A
// missing or unreadable file, and a truncated compressed one, is an Error. Next throws Stopped once reporter.stop was
// asked to.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "graft/reporter.h"

namespace graft::engine {

class LineReader {
 public:
  LineReader(const std::string& path, const Reporter& reporter);
  ~LineReader();
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) noexcept;

  // The line that comes after skipping so many, as raw bytes, without going there; 0 is what Next would give. Reads no
  // further than the end of that line; empty at the end of the file. Valid until the next call of anything here.
  std::string_view Ahead(size_t lines);
  bool Next();                                             // false at the end of the file
  std::string_view line() const;                           // valid until the next call of Next
  uint64_t line_number() const;                            // of line(), from 1
  const std::string& name() const;                         // the path as given; "<stdin>" for "-"
  [[noreturn]] void Fail(std::string_view message) const;  // throws Error::At(name(), line_number(), message)

  // Reports invalid UTF-8 through `on_invalid` instead of throwing (`graft check` goes on after a bad line).
  void set_on_invalid(std::function<void(uint64_t line)> on_invalid);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft::engine
