#include "pipeline/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "graft/error.h"

namespace graft::engine {
namespace {

constexpr int kTries = 40;  // two seconds

}  // namespace

FolderLock::FolderLock(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(folder + ": cannot create the folder: " + error.message());
  const std::string path = folder + "/lock";
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) throw Error("cannot write " + path + ": " + std::strerror(errno));
  // A killed run's child, which shares its lock, ends a moment after it.
  bool taken = false;
  for (int k = 0; !(taken = flock(file_, LOCK_EX | LOCK_NB) == 0) && k < kTries; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  if (taken) return;
  close(file_);
  throw Error(folder + ": another run is using this folder; wait for it, or choose another output");
}

FolderLock::~FolderLock() { close(file_); }

}  // namespace graft::engine
