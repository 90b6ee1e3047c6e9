// One run at a time in a folder.
#pragma once

#include <string>

#include "util/stop_check.h"

namespace graft::engine {

class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);  // creates it if need be; Error if another process holds it
  // For a folder that is to hold nothing but results: without a file of its own, for moments, so that others wait for
  // each other; Error after a minute. Where the file system cannot lock folders nothing is locked.
  static FolderLock WithoutFile(const std::string& folder, const StopCheck& stop);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  explicit FolderLock(int file) : file_(file) {}
  int file_ = -1;
};

}  // namespace graft::engine
