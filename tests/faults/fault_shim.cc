// A system that fails, for tests: preloaded (LD_PRELOAD), it counts the calls of a process and of the processes it
// forks that need a disk, and lets chosen ones fail.
//
//   GRAFT_FAULT_ROOT=FOLDER    only calls on files below this folder count
//   GRAFT_FAULT_AT=N           the N-th call fails (from 1); without it all are only counted
//   GRAFT_FAULT_LASTING=1      and so do all later ones that need room: the disk stays full
//   GRAFT_FAULT_ERROR=28       with this errno; 0: the process is killed instead (SIGKILL)
//   GRAFT_FAULT_LOG=FILE       gets "CALL PATH" of the calls that failed, and "calls N" when the process ends
//   GRAFT_FAULT_NO_EXCHANGE=1  the file system cannot exchange two names (EINVAL, as on NFS and FUSE)
//   GRAFT_FAULT_NO_LINK=1      nor have two names for one file
//   GRAFT_FAULT_LISTING=1      of a folder only the first entry can be read
//   GRAFT_FAULT_THREADS=N      the system has room for N threads of a process and no more
//   GRAFT_FAULT_TERMINATE=1    the first thread that is started ends the process, for no reason that it tells
//   GRAFT_CLOCK_JUMP=SECONDS   every look at the clock of the day finds it up to so far from the last one, back or
//   forth
//
// A close fails only for files made exclusively (O_EXCL, mkostemp), which are those of Graft: KenLM ends the process
// when a close fails, and syncs its files before.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <exception>

namespace {

constexpr int kDescriptors = 4096;

struct Shared {  // by all processes of a run
  std::atomic<long> calls;
};

Shared* shared = nullptr;
const char* root = nullptr;
long fail_at = 0;
bool lasting = false;
int fail_with = ENOSPC;
bool no_exchange = false, no_link = false;
int log_file = -1;
pid_t first_process = 0;
long clock_jump = 0;
long threads_left = -1;  // -1: any number
bool made_exclusively[kDescriptors];

template <class Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}
#define NEXT(name) Next<decltype(&name)>(#name)

void Log(const char* call, const char* path) {
  char line[1200];
  const int length = snprintf(line, sizeof line, "%s %s\n", call, path);
  if (log_file >= 0) NEXT(write)(log_file, line, static_cast<size_t>(length));
}

__attribute__((constructor)) void Begin() {
  first_process = getpid();
  if (const char* jump = getenv("GRAFT_CLOCK_JUMP")) clock_jump = atol(jump);
  if (const char* threads = getenv("GRAFT_FAULT_THREADS")) threads_left = atol(threads);
  no_exchange = getenv("GRAFT_FAULT_NO_EXCHANGE") != nullptr;
  no_link = getenv("GRAFT_FAULT_NO_LINK") != nullptr;
  root = getenv("GRAFT_FAULT_ROOT");
  if (root == nullptr) return;
  void* page = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (const char* at = getenv("GRAFT_FAULT_AT")) fail_at = atol(at);
  if (const char* error = getenv("GRAFT_FAULT_ERROR")) fail_with = atoi(error);
  lasting = getenv("GRAFT_FAULT_LASTING") != nullptr;
  if (const char* log = getenv("GRAFT_FAULT_LOG"))
    log_file = NEXT(open)(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  shared = static_cast<Shared*>(page);
}

__attribute__((destructor)) void End() {
  if (shared == nullptr || getpid() != first_process) return;
  char count[40];
  snprintf(count, sizeof count, "%ld", shared->calls.load());
  Log("calls", count);
}

// Whether this call is to fail. One that needs no room of a full disk fails only if chosen itself.
bool Fails(const char* call, const char* path, bool needs_room = true) {
  if (shared == nullptr || path == nullptr || strncmp(path, root, strlen(root)) != 0) return false;
  const long number = ++shared->calls;
  if (fail_at == 0 || number < fail_at || (number > fail_at && !(lasting && needs_room))) return false;
  Log(call, path);
  if (fail_with == 0) kill(getpid() == first_process ? getpid() : first_process, SIGKILL);
  errno = fail_with;
  return true;
}

bool Fails(const char* call, int descriptor, bool needs_room = true) {
  if (shared == nullptr) return false;
  char link[40], path[1100];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return false;
  path[length] = '\0';
  return Fails(call, path, needs_room);
}

// A name relative to the current folder, made absolute.
struct Absolute {
  char path[2200];
  explicit Absolute(const char* name) {
    char folder[1100] = "";
    if (name[0] != '/' && getcwd(folder, sizeof folder - 1) == nullptr) folder[0] = '\0';
    snprintf(path, sizeof path, "%s%s%.1000s", folder, name[0] == '/' ? "" : "/", name);
  }
};

int Opened(int descriptor, bool exclusively) {
  if (descriptor >= 0 && descriptor < kDescriptors) made_exclusively[descriptor] = exclusively;
  return descriptor;
}

bool FailsOpen(const char* call, const char* name, int flags) {
  return (flags & O_ACCMODE) != O_RDONLY && Fails(call, Absolute(name).path);
}

}  // namespace

extern "C" {

int open(const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if (FailsOpen("open", name, flags)) return -1;
  return Opened(NEXT(open)(name, flags, mode), (flags & O_EXCL) != 0);
}
int open64(const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if (FailsOpen("open", name, flags)) return -1;
  return Opened(NEXT(open)(name, flags, mode), (flags & O_EXCL) != 0);
}
FILE* fopen(const char* name, const char* mode) {
  if (mode[0] != 'r' && FailsOpen("open", name, O_WRONLY)) return nullptr;
  return NEXT(fopen)(name, mode);
}
FILE* fopen64(const char* name, const char* mode) {
  if (mode[0] != 'r' && FailsOpen("open", name, O_WRONLY)) return nullptr;
  return NEXT(fopen)(name, mode);
}
int mkostemp(char* name, int flags) {
  if (Fails("open", Absolute(name).path)) return -1;
  return Opened(NEXT(mkostemp)(name, flags), true);
}
int mkostemp64(char* name, int flags) { return mkostemp(name, flags); }
int mkstemp(char* name) {
  if (Fails("open", Absolute(name).path)) return -1;
  return Opened(NEXT(mkstemp)(name), false);
}
int mkstemp64(char* name) { return mkstemp(name); }
int mkdir(const char* name, mode_t mode) { return Fails("mkdir", Absolute(name).path) ? -1 : NEXT(mkdir)(name, mode); }

ssize_t write(int file, const void* data, size_t size) {
  return Fails("write", file) ? -1 : NEXT(write)(file, data, size);
}
ssize_t pwrite(int file, const void* data, size_t size, off_t offset) {
  return Fails("write", file) ? -1 : NEXT(pwrite)(file, data, size, offset);
}
ssize_t pwrite64(int file, const void* data, size_t size, off64_t offset) {
  return Fails("write", file) ? -1 : NEXT(pwrite)(file, data, size, offset);
}
ssize_t writev(int file, const iovec* parts, int count) {
  return Fails("write", file) ? -1 : NEXT(writev)(file, parts, count);
}
size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  return Fails("write", fileno(file)) ? 0 : NEXT(fwrite)(data, size, count, file);
}
int fflush(FILE* file) {
  if (file != nullptr && Fails("write", fileno(file))) return EOF;
  return NEXT(fflush)(file);
}
ssize_t sendfile(int to, int from, off_t* offset, size_t size) {
  return Fails("write", to) ? -1 : NEXT(sendfile)(to, from, offset, size);
}
ssize_t sendfile64(int to, int from, off64_t* offset, size_t size) {
  return Fails("write", to) ? -1 : NEXT(sendfile)(to, from, offset, size);
}
ssize_t copy_file_range(int from, off64_t* in, int to, off64_t* out, size_t size, unsigned flags) {
  return Fails("write", to) ? -1 : NEXT(copy_file_range)(from, in, to, out, size, flags);
}
int ftruncate(int file, off_t size) { return Fails("ftruncate", file) ? -1 : NEXT(ftruncate)(file, size); }
int ftruncate64(int file, off64_t size) { return Fails("ftruncate", file) ? -1 : NEXT(ftruncate)(file, size); }
int fallocate(int file, int mode, off_t offset, off_t size) {
  return Fails("fallocate", file) ? -1 : NEXT(fallocate)(file, mode, offset, size);
}
int fallocate64(int file, int mode, off64_t offset, off64_t size) {
  return Fails("fallocate", file) ? -1 : NEXT(fallocate)(file, mode, offset, size);
}
int posix_fallocate(int file, off_t offset, off_t size) {
  return Fails("fallocate", file) ? fail_with : NEXT(posix_fallocate)(file, offset, size);
}
int fsync(int file) { return Fails("fsync", file) ? -1 : NEXT(fsync)(file); }
int fdatasync(int file) { return Fails("fsync", file) ? -1 : NEXT(fdatasync)(file); }
int close(int file) {
  const bool ours = file >= 0 && file < kDescriptors && made_exclusively[file];
  const bool fails = ours && Fails("close", file);
  const int failure = errno;
  const int result = NEXT(close)(file);  // a close that fails closes all the same
  if (file >= 0 && file < kDescriptors) made_exclusively[file] = false;
  if (fails) errno = failure;
  return fails ? -1 : result;
}
int rename(const char* from, const char* to) {
  return Fails("rename", Absolute(to).path, false) ? -1 : NEXT(rename)(from, to);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (no_exchange && (flags & RENAME_EXCHANGE) != 0) {
    errno = EINVAL;
    return -1;
  }
  return Fails("rename", Absolute(to).path, false) ? -1 : NEXT(renameat2)(from_folder, from, to_folder, to, flags);
}
int link(const char* from, const char* to) {
  if (no_link) {
    errno = EPERM;
    return -1;
  }
  return Fails("link", Absolute(to).path) ? -1 : NEXT(link)(from, to);
}
int unlink(const char* name) {
  if (fail_with == 0) Fails("unlink", Absolute(name).path);  // a moment to be killed at; a full disk lets one remove
  return NEXT(unlink)(name);
}

dirent* readdir(DIR* folder) {
  static DIR* read = nullptr;  // an entry of it
  static const bool fails = getenv("GRAFT_FAULT_LISTING") != nullptr;
  if (fails && folder == read) {
    errno = EIO;
    return nullptr;
  }
  dirent* const entry = NEXT(readdir)(folder);
  if (entry != nullptr && entry->d_name[0] != '.') read = folder;
  return entry;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
  if (getenv("GRAFT_FAULT_TERMINATE") != nullptr) std::terminate();
  if (threads_left == 0) return EAGAIN;
  if (threads_left > 0) --threads_left;
  return NEXT(pthread_create)(thread, attributes, run, argument);
}

int clock_gettime(clockid_t clock, timespec* now) {
  const int result = NEXT(clock_gettime)(clock, now);
  if (clock_jump == 0 || result != 0 || clock != CLOCK_REALTIME) return result;
  static std::atomic<uint64_t> state{1};
  const uint64_t next = state = state * 6364136223846793005u + 1442695040888963407u;
  now->tv_sec += static_cast<long>((next >> 33) % static_cast<uint64_t>(2 * clock_jump)) - clock_jump;
  if (now->tv_sec < 0) now->tv_sec = 0;
  return result;
}
int gettimeofday(timeval* now, void*) {
  timespec exact{};
  const int result = clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return result;
}
time_t time(time_t* now) {
  timespec exact{};
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now != nullptr) *now = exact.tv_sec;
  return exact.tv_sec;
}

}  // extern "C"
