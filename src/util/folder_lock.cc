#include "util/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "graft/error.h"
#include "util/file_operations.h"
#include "util/system_error.h"

namespace graft::engine {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPause{50};
constexpr milliseconds kWait{2000};  // a killed run's child, which shares its lock, ends a moment after it
constexpr milliseconds kWaitForResults{60'000};

// 0, or why the file is not locked: EWOULDBLOCK if another process has it.
int LockWithin(int file, milliseconds limit, const StopCheck& stop = {}) {
  for (milliseconds waited{0};; waited += kPause) {
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return 0;
    if ((errno != EWOULDBLOCK && errno != EINTR) || waited >= limit) return errno;
    stop.Poll();
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

FolderLock::FolderLock(const std::string& folder) {
  MakeFolder(folder);
  const std::string path = folder + "/lock";
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) FailSystem("write", path);
  const int error = LockWithin(file_, kWait);
  if (error == 0) return;
  close(file_);
  if (error != EWOULDBLOCK) FailSystem("lock", path, error);
  throw Error(folder + ": another run is using this folder; wait for it, or choose another output");
}

FolderLock FolderLock::WithoutFile(const std::string& folder, const StopCheck& stop) {
  FolderLock lock(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock.file_ < 0) FailSystem("open the folder", folder);
  if (LockWithin(lock.file_, kWaitForResults, stop) == EWOULDBLOCK)
    throw Error(folder + ": another run is writing into this folder; wait for it, or choose another output");
  return FolderLock(std::exchange(lock.file_, -1));
}

FolderLock::~FolderLock() {
  if (file_ >= 0) close(file_);
}

}  // namespace graft::engine
