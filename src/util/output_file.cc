#include "util/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "graft/error.h"
#include "util/compression.h"

namespace graft::engine {

namespace {

constexpr size_t kBufferBytes = size_t{1} << 18;

// Where a name leads, so that renaming onto a symbolic link replaces the file and not the link.
std::string ResolveLinks(const std::string& path) {
  char* resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string target = resolved;
  std::free(resolved);
  return target;
}

bool IsSpecialFile(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

}  // namespace

struct OutputFile::Impl {
  std::string name;       // as the user gave it, for messages
  std::string target;     // the final name; empty when written in place (stdout, devices, pipes)
  std::string temporary;  // what is written until Close
  int descriptor = -1;
  bool owns_descriptor = true;
  std::string buffer;
  std::unique_ptr<ByteWriter> writer;

  explicit Impl(const std::string& path) : name(path) {
    if (path == "-") {
      name = "<stdout>";
      descriptor = STDOUT_FILENO;
      owns_descriptor = false;
    } else if (IsSpecialFile(path)) {
      descriptor = Open(path, O_WRONLY);
    } else {
      static std::atomic<unsigned> counter = 0;
      target = ResolveLinks(path);
      temporary = target + ".tmp" + std::to_string(getpid()) + "." + std::to_string(counter++);
      struct stat status {};
      if (stat(target.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
        throw Error("cannot write " + path + ": " + std::strerror(EISDIR));
      descriptor = Open(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    }
    buffer.reserve(kBufferBytes);
    try {
      writer = MakeByteWriter(descriptor, CompressionOf(path), name);
    } catch (...) {
      Abandon();
      throw;
    }
  }

  ~Impl() { Abandon(); }

  int Open(const std::string& path, int flags) const {
    constexpr mode_t kReadWriteForAll = 0666;  // less the umask
    const int opened = open(path.c_str(), flags | O_CLOEXEC, kReadWriteForAll);
    if (opened < 0) throw Error("cannot write " + name + ": " + std::strerror(errno));
    return opened;
  }

  void Drain() {
    writer->Write(buffer);
    buffer.clear();
  }

  void Abandon() {
    if (descriptor >= 0 && owns_descriptor) close(descriptor);
    descriptor = -1;
    if (!temporary.empty()) unlink(temporary.c_str());
    temporary.clear();
  }
};

OutputFile::OutputFile(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
OutputFile::~OutputFile() = default;
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;

void OutputFile::Write(std::string_view bytes) {
  if (impl_->buffer.size() + bytes.size() > kBufferBytes) impl_->Drain();
  if (bytes.size() >= kBufferBytes) {
    impl_->writer->Write(bytes);
  } else {
    impl_->buffer += bytes;
  }
}

void OutputFile::Flush() {
  impl_->Drain();
  impl_->writer->Flush();
}

void OutputFile::Close() {
  impl_->Drain();
  impl_->writer->Finish();
  if (!impl_->owns_descriptor) return;
  const int descriptor = impl_->descriptor;
  impl_->descriptor = -1;
  if (close(descriptor) != 0) throw Error("cannot write " + impl_->name + ": " + std::strerror(errno));
  if (impl_->temporary.empty()) return;
  if (std::rename(impl_->temporary.c_str(), impl_->target.c_str()) != 0)
    throw Error("cannot write " + impl_->name + ": " + std::strerror(errno));
  impl_->temporary.clear();
}

}  // namespace graft::engine
