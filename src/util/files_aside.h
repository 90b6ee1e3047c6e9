// Files that give way to others: they wait under temporary names (IsUnfinished), and come back unless Drop() says that
// they are not needed any more.
//
//   FilesAside before;
//   before.Move(path);   // nothing is there now
//   …                    // what fails here brings it back
//   before.Drop();
#pragma once

#include <string>
#include <vector>

namespace graft::engine {

class FilesAside {
 public:
  FilesAside() = default;
  ~FilesAside();  // brings back, as far as that is possible, the last first
  FilesAside(const FilesAside&) = delete;
  FilesAside& operator=(const FilesAside&) = delete;

  // Throw Error. Nothing happens where there is no file.
  void Move(const std::string& path);
  void MoveTo(const std::string& path, const std::string& name);  // where it stays after Drop()
  // The path goes on leading to the file until another is renamed over it. Moved where the file system has no links.
  void Link(const std::string& path);

  void Drop() noexcept;  // one that cannot be removed is in nobody's way

 private:
  struct File {
    std::string path, aside;
    bool stays;
  };
  void Add(const std::string& path, const std::string& aside, bool stays);

  std::vector<File> files_;
};

// `path` with an ending that says whose it is; there is no file of that name.
std::string TemporaryNameOf(const std::string& path);

}  // namespace graft::engine
