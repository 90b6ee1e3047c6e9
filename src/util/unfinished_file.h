// A file under construction. Until it is complete it has a temporary name beside the one it will get, so that at
// whatever moment a run ends (full disk, kill, power cut) a name leads to a whole file: the new one or the one before.
//
//   UnfinishedFile file(path);   // made at once: a name that cannot be written is known before hours of work
//   …                            // write to file.descriptor(), or let another library write to file.name()
//   file.Publish();              // syncs it, renames it to `path`
//
// Every file that gets a name passes through here. A file that is not published disappears. What a killed run leaves
// is told by its name (IsUnfinished) and is in nobody's way.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace graft::engine {

class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path);  // throws Error, as all below
  ~UnfinishedFile();
  UnfinishedFile(UnfinishedFile&& other) noexcept;
  UnfinishedFile& operator=(UnfinishedFile&&) = delete;

  const std::string& path() const { return path_; }  // as given, for messages
  const std::string& name() const { return name_; }  // the temporary one
  int descriptor() const { return descriptor_; }

  // Everything written is on the disk; closes the descriptor.
  void Complete();
  // Takes its name; Complete() first where that was not done.
  void Publish();

  // All of them take their names, or none does: what was there before comes back.
  static void PublishTogether(std::span<UnfinishedFile* const> files);

 private:
  void Rename(const std::string& from, const std::string& to) const;

  std::string path_;
  std::string target_;  // where path_ leads, so that a symbolic link stays one
  std::string name_;    // empty when published
  int descriptor_ = -1;
};

// Whether a file is named like what a killed run leaves half-written: `corpus.target.zst.tmp4711.0`, `graft-lm-Xa3fGh`.
bool IsUnfinished(std::string_view name);
// Removes such files from a folder that the caller has locked: all of them where nobody else writes, those of processes
// that have ended where others may (of this machine). Those of the file `but_of` stay. One that cannot be removed is in
// nobody's way.
enum class Whose { kAnyProcess, kEndedProcesses };
void RemoveUnfinished(const std::string& folder, Whose whose, std::string_view but_of = "");

}  // namespace graft::engine
