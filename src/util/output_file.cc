#include "util/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <utility>
#include <vector>

#include "util/compression.h"
#include "util/system_error.h"
#include "util/unfinished_file.h"

namespace graft::engine {

namespace {

constexpr size_t kBufferBytes = size_t{1} << 18;

bool IsSpecialFile(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

}  // namespace

struct OutputFile::Impl {
  std::string name;                    // as the user gave it, for messages
  std::optional<UnfinishedFile> file;  // unless written in place
  int special = -1;                    // stdout, a device, a pipe
  std::string buffer;
  std::unique_ptr<ByteWriter> writer;

  explicit Impl(const std::string& path) : name(path == "-" ? "<stdout>" : path) {
    buffer.reserve(kBufferBytes);
    if (path == "-") {
      special = STDOUT_FILENO;
    } else if (IsSpecialFile(path)) {
      special = open(path.c_str(), O_WRONLY | O_CLOEXEC);
      if (special < 0) FailSystem("write", path);
    } else {
      file.emplace(path);
    }
    writer = MakeByteWriter(file ? file->descriptor() : special, CompressionOf(path), name);
  }

  ~Impl() { CloseSpecial(); }

  bool CloseSpecial() {
    const int descriptor = std::exchange(special, -1);
    return descriptor < 0 || descriptor == STDOUT_FILENO || close(descriptor) == 0;
  }

  void Drain() {
    writer->Write(buffer);
    buffer.clear();
  }

  // All is written and checked; only the name is missing.
  void Finish() {
    Drain();
    writer->Finish();
    if (file) file->Complete();
    if (!CloseSpecial()) FailSystem("write", name);
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
  impl_->Finish();
  if (impl_->file) impl_->file->Publish();
}

void OutputFile::CloseTogether(std::span<OutputFile> files) {
  std::vector<UnfinishedFile*> named;
  for (OutputFile& file : files) {
    file.impl_->Finish();
    if (file.impl_->file) named.push_back(&*file.impl_->file);
  }
  UnfinishedFile::PublishTogether(named);
}

}  // namespace graft::engine
