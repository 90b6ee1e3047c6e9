#include "util/file_operations.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "graft/error.h"
#include "util/quantities.h"
#include "util/size_limits.h"
#include "util/system_error.h"

namespace graft::engine {
namespace {

// A descriptor that is closed at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return descriptor_; }
  bool Close() { return close(std::exchange(descriptor_, -1)) == 0; }

 private:
  int descriptor_;
};

}  // namespace

void MakeFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) FailSystem("make the folder", path, error.value());
}

void RequireRegularFile(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!error && std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error(path + ": not a regular file; put the file itself there");
}

std::string ReadWholeFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) FailSystem("open", path);
  std::string bytes;
  std::vector<char> buffer(size_t{1} << 16);
  for (bool more = true; more;) {
    more = static_cast<bool>(in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())));
    if (in.bad()) FailSystem("read", path);
    bytes.append(buffer.data(), static_cast<size_t>(in.gcount()));
    if (bytes.size() > kMostWholeBytes)
      throw Error(path + ": more than " + FormatBytes(kMostWholeBytes) +
                  ", the most that such a file may have. Is it the right file?");
  }
  return bytes;
}

void CopyFile(const std::string& from, const std::string& to, const StopCheck& stop) {
  const Descriptor in(open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.get() < 0) FailSystem("read", from);
  Descriptor out(open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (out.get() < 0) FailSystem("write", to);
  std::vector<char> buffer(size_t{1} << 20);
  for (;;) {
    stop.Poll();
    const ssize_t got = read(in.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) FailSystem("read", from);
    if (got == 0) break;
    for (ssize_t done = 0; done < got;) {
      const ssize_t put = write(out.get(), buffer.data() + done, static_cast<size_t>(got - done));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) FailSystem("copy " + from + " to", to);
      done += put;
    }
  }
  if ((fsync(out.get()) != 0 && errno != EINVAL && errno != ENOTSUP) || !out.Close())
    FailSystem("copy " + from + " to", to);
}

void LinkOrCopy(const std::string& from, const std::string& to, const StopCheck& stop) {
  RemoveFile(to);
  if (link(from.c_str(), to.c_str()) != 0) CopyFile(from, to, stop);
}

void RenameFile(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) FailSystem("rename " + from + " to", to);
}

void RemoveFile(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) FailSystem("remove", path);
}

}  // namespace graft::engine
