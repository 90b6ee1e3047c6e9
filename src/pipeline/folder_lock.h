// One run at a time in a folder.
#pragma once

#include <string>

namespace graft::engine {

class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);  // creates it if need be; Error if another process holds it
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace graft::engine
