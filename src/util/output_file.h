// A text or binary output: a file, compressed by its name (.gz .zst .xz), or stdout ("-").
// A file gets its name when it is complete (util/unfinished_file.h): a killed run never leaves a half-written result.
// Without Close() it disappears.
#pragma once

#include <memory>
#include <span>
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
  // Closes files that belong together: all of them get their names, or none does.
  static void CloseTogether(std::span<OutputFile> files);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft::engine
