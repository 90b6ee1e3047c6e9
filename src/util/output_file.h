// A text or binary output: a file, compressed by its name (.gz .zst .xz), or stdout ("-").
// A file is written under a temporary name beside the target and renamed by Close(), so that a killed run never leaves
// a half-written result under the final name. Without Close() the temporary is removed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace graft::engine {

class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) noexcept;

  void Write(std::string_view bytes);  // buffered; throws Error when the disk is full and the like
  void Flush();                        // hands everything to the operating system (stdout of a pipe)
  void Close();                        // finishes, checks for errors, renames

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft::engine
