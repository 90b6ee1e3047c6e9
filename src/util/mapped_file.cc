#include "util/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "graft/error.h"

namespace graft::engine {

MappedFile::MappedFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw Error(path + ": cannot open: " + std::strerror(errno));
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
  const int error = errno;
  close(file);
  if (data == MAP_FAILED) throw Error(path + ": cannot map: " + std::strerror(error));
  bytes_ = {static_cast<const uint8_t*>(data), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<uint8_t*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

void MappedFile::ExpectRandomReads(uint64_t offset, uint64_t size) const {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t start = offset / page * page;
  madvise(const_cast<uint8_t*>(bytes_.data()) + start, size + (offset - start), MADV_RANDOM);  // a hint; may fail
}

}  // namespace graft::engine
