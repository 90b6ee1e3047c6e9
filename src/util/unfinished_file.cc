#include "util/unfinished_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <utility>
#include <vector>

#include "graft/error.h"
#include "util/files_aside.h"
#include "util/system_error.h"

namespace graft::engine {
namespace {

constexpr mode_t kReadWriteForAll = 0666;  // less the umask

std::string ResolveLinks(const std::string& path) {
  char* resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string target = resolved;
  std::free(resolved);
  return target;
}

// So that the name too survives a power cut. Some file systems cannot; then it survives all but that.
void SyncFolderOf(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

bool Exists(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& path) : path_(path), target_(ResolveLinks(path)) {
  struct stat status {};
  if (stat(target_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) FailSystem("write", path, EISDIR);
    if (!S_ISREG(status.st_mode)) throw Error("cannot write " + path + ": not a regular file; name another");
  }
  // Never a file that is there already: of a killed run, or of a process with the same number on another machine.
  do {
    name_ = TemporaryNameOf(target_);
    descriptor_ = open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kReadWriteForAll);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) FailSystem("write", path);
}

UnfinishedFile::~UnfinishedFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!name_.empty()) unlink(name_.c_str());
}

UnfinishedFile::UnfinishedFile(UnfinishedFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      name_(std::exchange(other.name_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

void UnfinishedFile::Complete() {
  if (descriptor_ < 0) return;
  // Disks on a network say only now that they are full. A file system that cannot sync says EINVAL.
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) FailSystem("write", path_);
  if (close(std::exchange(descriptor_, -1)) != 0) FailSystem("write", path_);
}

void UnfinishedFile::Rename(const std::string& from, const std::string& to) const {
  if (std::rename(from.c_str(), to.c_str()) != 0) FailSystem("write", path_);
}

void UnfinishedFile::Publish() {
  Complete();
  Rename(name_, target_);
  name_.clear();
  SyncFolderOf(target_);
}

void UnfinishedFile::PublishTogether(std::span<UnfinishedFile* const> files) {
  for (UnfinishedFile* file : files) file->Complete();
  // What was there before waits under another name until all have theirs: the temporary one, where the file system can
  // exchange names, else one of its own.
  FilesAside before;
  std::vector<const UnfinishedFile*> exchanged, renamed;
  const auto exchange = [](const UnfinishedFile& file) {
    return renameat2(AT_FDCWD, file.name_.c_str(), AT_FDCWD, file.target_.c_str(), RENAME_EXCHANGE) == 0;
  };
  exchanged.reserve(files.size());
  renamed.reserve(files.size());
  try {
    for (const UnfinishedFile* file : files) {
      const bool replaces = Exists(file->target_);
      if (replaces && exchange(*file)) {
        exchanged.push_back(file);
        continue;
      }
      before.Link(file->target_);
      file->Rename(file->name_, file->target_);
      if (!replaces) renamed.push_back(file);
    }
  } catch (...) {
    for (const UnfinishedFile* file : exchanged) exchange(*file);
    for (const UnfinishedFile* file : renamed) std::rename(file->target_.c_str(), file->name_.c_str());
    throw;
  }
  for (const UnfinishedFile* file : exchanged) unlink(file->name_.c_str());
  before.Drop();
  for (UnfinishedFile* file : files) {
    file->name_.clear();
    SyncFolderOf(file->target_);
  }
}

bool IsUnfinished(std::string_view name) {
  static const std::regex kTemporary(R"(.+\.tmp[0-9]+(\.[0-9]+)?|graft-lm-([0-9]+\.[0-9]+\.)?[A-Za-z0-9]{6})");
  return std::regex_match(name.begin(), name.end(), kTemporary);
}

namespace {

// Whether the process that the name tells of is another one that has not ended.
bool IsOfRunningProcess(const std::string& name) {
  const size_t ending = name.rfind(".tmp");
  if (ending == std::string::npos) return false;
  pid_t id = 0;
  std::from_chars(name.data() + ending + 4, name.data() + name.size(), id);
  return id > 0 && id != getpid() && (kill(id, 0) == 0 || errno == EPERM);
}

}  // namespace

void RemoveUnfinished(const std::string& folder, Whose whose, std::string_view but_of) {
  std::error_code end;
  for (std::filesystem::directory_iterator entry(folder, end); !end && entry != std::filesystem::directory_iterator();
       entry.increment(end)) {
    const std::string name = entry->path().filename().string();
    if (!IsUnfinished(name) || (!but_of.empty() && name.starts_with(but_of))) continue;
    if (whose == Whose::kEndedProcesses && IsOfRunningProcess(name)) continue;
    std::error_code ignored;
    std::filesystem::remove(entry->path(), ignored);
  }
}

}  // namespace graft::engine
