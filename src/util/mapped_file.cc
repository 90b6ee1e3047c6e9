#include "util/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "graft/error.h"
#include "util/shared_range.h"
#include "util/system_error.h"

namespace graft::engine {

// Nodes of a list that only grows: the handler may walk it at any moment. Freed nodes are used again.
struct MappedFile::Watched {
  std::atomic<bool> used = true;
  SharedRange range;  // empty when not used
  std::atomic<bool> cut = false;
  Watched* next = nullptr;
};

namespace {

std::atomic<MappedFile::Watched*> all_watched = nullptr;
thread_local const char* foreign_path = nullptr;  // a fault is handled by the thread that reads
struct sigaction handler_before;

MappedFile::Watched* Watch(const void* data, size_t size) {
  MappedFile::Watched* node = all_watched.load();
  for (; node != nullptr; node = node->next)
    if (bool free = false; node->used.compare_exchange_strong(free, true)) break;
  if (node == nullptr) {
    node = new MappedFile::Watched;
    node->next = all_watched.load();
    while (!all_watched.compare_exchange_weak(node->next, node)) {
    }
  }
  const auto begin = reinterpret_cast<uintptr_t>(data);
  node->cut = false;
  node->range.Set({begin, begin + size});
  return node;
}

void Unwatch(MappedFile::Watched* node) {
  node->range.Set({0, 0});
  node->used = false;
}

// Only what a handler may do: atomics without locks, and system calls.
void OnBusError(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  for (MappedFile::Watched* node = all_watched.load(); node != nullptr; node = node->next) {
    // The one that was read is neither changed nor used again meanwhile: whoever reads a mapping keeps it.
    const auto range = node->range.Get();
    if (!range || address < range->begin || address >= range->end) continue;
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    const uintptr_t from = address / page * page;
    node->cut = true;
    // The call itself: what a sanitiser puts around mmap is not for handlers.
    if (syscall(SYS_mmap, from, range->end - from, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == -1)
      break;
    errno = error;
    return;
  }
  if ((handler_before.sa_flags & SA_SIGINFO) != 0) {
    handler_before.sa_sigaction(signal, info, context);
  } else if (handler_before.sa_handler != SIG_DFL && handler_before.sa_handler != SIG_IGN) {
    handler_before.sa_handler(signal);
  } else {
    sigaction(SIGBUS, &handler_before, nullptr);  // the fault comes again, and ends the process as it used to
  }
  errno = error;
}

}  // namespace

void SurviveCutFiles() {
  static const bool installed = [] {
    struct sigaction action {};
    action.sa_sigaction = OnBusError;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    return sigaction(SIGBUS, &action, &handler_before) == 0;
  }();
  static_cast<void>(installed);
}

ForeignMapping::ForeignMapping(const std::string& path) : before_(std::exchange(foreign_path, path.c_str())) {}
ForeignMapping::~ForeignMapping() { foreign_path = before_; }
const char* ForeignMapping::Path() noexcept { return foreign_path; }

MappedFile::MappedFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // never waits for the writer of a pipe
  if (file < 0) throw Error(path + ": cannot open: " + SystemReason(errno));
  struct stat status {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(file);
    throw Error(path + ": cannot open: not a regular file");
  }
  const auto size = static_cast<size_t>(status.st_size);
  if (size == 0) {  // mmap refuses nothing
    close(file);
    return;
  }
  void* data = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  if (data == MAP_FAILED) {
    const int error = errno;
    close(file);
    throw Error(fmt::format("{}: cannot map: {}", path, error == ENOMEM ? MemoryReason(size) : SystemReason(error)));
  }
  bytes_ = {static_cast<const uint8_t*>(data), size};
  file_ = file;
  watched_ = Watch(data, size);
  Accept(WrittenAt());
}

MappedFile::~MappedFile() {
  if (bytes_.empty()) return;
  Unwatch(watched_);
  munmap(const_cast<uint8_t*>(bytes_.data()), bytes_.size());
  close(file_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(file_, other.file_);
  std::swap(watched_, other.watched_);
  other.written_at_ = written_at_.exchange(other.written_at_);
  return *this;
}

int64_t MappedFile::WrittenAt() const {
  struct stat status {};
  if (fstat(file_, &status) != 0 || static_cast<size_t>(status.st_size) != bytes_.size()) return -1;
  return status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
}

MappedFile::Change MappedFile::Changed() const {
  if (file_ < 0) return Change::kNone;
  const int64_t now = WrittenAt();
  if (now == -1 || watched_->cut.load()) return Change::kCut;
  return now == written_at_.load() ? Change::kNone : Change::kWritten;
}

void MappedFile::ExpectRandomReads(uint64_t offset, uint64_t size) const {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t start = offset / page * page;
  madvise(const_cast<uint8_t*>(bytes_.data()) + start, size + (offset - start), MADV_RANDOM);  // a hint; may fail
}

}  // namespace graft::engine
