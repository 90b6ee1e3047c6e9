#include "util/files_aside.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>

#include "util/system_error.h"

namespace graft::engine {
namespace {

bool Exists(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

}  // namespace

std::string TemporaryNameOf(const std::string& path) {
  static std::atomic<unsigned> counter = 0;
  std::string name;
  do name = path + ".tmp" + std::to_string(getpid()) + "." + std::to_string(counter++);
  while (Exists(name));
  return name;
}

FilesAside::~FilesAside() {
  for (auto file = files_.rbegin(); file != files_.rend(); ++file) {
    std::rename(file->aside.c_str(), file->path.c_str());
    // Two names of one file are not changed by renaming one to the other.
    if (!file->stays) unlink(file->aside.c_str());
  }
}

void FilesAside::Add(const std::string& path, const std::string& aside, bool stays) {
  files_.reserve(files_.size() + 1);  // what is renamed is also remembered
  File file{path, aside, stays};
  if (std::rename(path.c_str(), aside.c_str()) != 0) FailSystem("rename " + path + " to", aside);
  files_.push_back(std::move(file));
}

void FilesAside::Move(const std::string& path) {
  if (Exists(path)) Add(path, TemporaryNameOf(path), false);
}

void FilesAside::MoveTo(const std::string& path, const std::string& name) {
  if (Exists(path)) Add(path, name, true);
}

void FilesAside::Link(const std::string& path) {
  if (!Exists(path)) return;
  File file{path, TemporaryNameOf(path), false};
  files_.reserve(files_.size() + 1);
  if (link(path.c_str(), file.aside.c_str()) == 0)
    files_.push_back(std::move(file));
  else
    Move(path);
}

void FilesAside::Drop() noexcept {
  for (const File& file : files_)
    if (!file.stays) unlink(file.aside.c_str());
  files_.clear();
}

}  // namespace graft::engine
