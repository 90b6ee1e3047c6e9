// The reading half of compression.h.
#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "graft/error.h"
#include "util/compression.h"
#include "util/system_error.h"

namespace graft::engine {

namespace {

constexpr size_t kInputBytes = size_t{1} << 18;

class PlainReader : public ByteReader {
 public:
  explicit PlainReader(const std::string& path) : name_(path == "-" ? "<stdin>" : path) {
    if (path == "-") {
      descriptor_ = STDIN_FILENO;
      return;
    }
    descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) FailSystem("open", path);
    struct stat status {};
    if (fstat(descriptor_, &status) == 0 && S_ISDIR(status.st_mode)) {
      close(descriptor_);
      FailSystem("open", path, EISDIR);
    }
    posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  ~PlainReader() override {
    if (descriptor_ != STDIN_FILENO) close(descriptor_);
  }
  PlainReader(const PlainReader&) = delete;
  PlainReader& operator=(const PlainReader&) = delete;

  size_t Read(char* buffer, size_t size) override {
    for (;;) {
      const ssize_t got = read(descriptor_, buffer, size);
      if (got >= 0) return static_cast<size_t>(got);
      if (errno != EINTR) FailSystem("read", name_);
    }
  }

  const std::string& name() const { return name_; }

 private:
  std::string name_;
  int descriptor_ = -1;
};

// What the three decoders share: a window of compressed input, and the two ways to fail.
class Decoder : public ByteReader {
 public:
  explicit Decoder(const std::string& path) : file_(path), input_(kInputBytes) {}

 protected:
  // Makes sure that unread input is present; false at the end of the file.
  bool Fill() {
    if (begin_ < end_) return true;
    begin_ = 0;
    end_ = file_.Read(input_.data(), input_.size());
    return end_ > 0;
  }
  const char* input() const { return input_.data() + begin_; }
  size_t available() const { return end_ - begin_; }
  void Consume(size_t bytes) { begin_ += bytes; }

  [[noreturn]] void FailMemory() const { throw Error("cannot decompress " + file_.name() + ": " + MemoryReason()); }
  [[noreturn]] void FailTruncated() const {
    throw Error(file_.name() + ": the compressed data ends too early. Copy or make the file again.");
  }
  [[noreturn]] void FailDamaged(std::string_view format, std::string_view detail) const {
    throw Error(file_.name() + ": not valid " + std::string(format) + " data (" + std::string(detail) +
                "). Copy or make the file again, or name it without the suffix if it is not compressed.");
  }

 private:
  PlainReader file_;
  std::vector<char> input_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

class GzipReader : public Decoder {
 public:
  explicit GzipReader(const std::string& path) : Decoder(path) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) FailMemory();
  }
  ~GzipReader() override { inflateEnd(&stream_); }
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  size_t Read(char* buffer, size_t size) override {
    size = std::min(size, size_t{1} << 30);  // zlib counts in 32 bits
    stream_.next_out = reinterpret_cast<Bytef*>(buffer);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      if (!Fill()) {
        if (!between_members_) FailTruncated();
        return 0;
      }
      if (between_members_) {
        if (*input() == '\0') {  // padding of tapes and block devices, which gzip skips too
          Consume(1);
          continue;
        }
        inflateReset(&stream_);
      }
      between_members_ = false;
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input()));
      stream_.avail_in = static_cast<uInt>(available());
      const int result = inflate(&stream_, Z_NO_FLUSH);
      Consume(available() - stream_.avail_in);
      if (result == Z_STREAM_END) {
        between_members_ = true;
      } else if (result == Z_MEM_ERROR) {
        FailMemory();
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        FailDamaged("gzip", stream_.msg != nullptr ? stream_.msg : zError(result));
      }
    }
    return size - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  bool between_members_ = false;  // false at the start: an empty file is a truncated one
};

class ZstdReader : public Decoder {
 public:
  explicit ZstdReader(const std::string& path) : Decoder(path), context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) FailMemory();
    ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, sizeof(size_t) == 4 ? 30 : 31);  // files of `zstd --long`
  }
  ~ZstdReader() override { ZSTD_freeDCtx(context_); }
  ZstdReader(const ZstdReader&) = delete;
  ZstdReader& operator=(const ZstdReader&) = delete;

  size_t Read(char* buffer, size_t size) override {
    ZSTD_outBuffer output{buffer, size, 0};
    while (output.pos == 0) {
      const bool more = Fill();
      // Without input the decoder may still hold decoded bytes of the current frame.
      if (!more && frame_complete_) return 0;
      ZSTD_inBuffer in{input(), available(), 0};
      const size_t result = ZSTD_decompressStream(context_, &output, &in);
      if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) FailMemory();
      if (ZSTD_isError(result) != 0) FailDamaged("zstd", ZSTD_getErrorName(result));
      Consume(in.pos);
      frame_complete_ = result == 0;
      if (!more && output.pos == 0 && !frame_complete_) FailTruncated();
    }
    return output.pos;
  }

 private:
  ZSTD_DCtx* context_;
  bool frame_complete_ = false;
};

class XzReader : public Decoder {
 public:
  explicit XzReader(const std::string& path) : Decoder(path) {
    if (lzma_stream_decoder(&stream_, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK) FailMemory();
  }
  ~XzReader() override { lzma_end(&stream_); }
  XzReader(const XzReader&) = delete;
  XzReader& operator=(const XzReader&) = delete;

  size_t Read(char* buffer, size_t size) override {
    if (finished_) return 0;
    stream_.next_out = reinterpret_cast<uint8_t*>(buffer);
    stream_.avail_out = size;
    while (stream_.avail_out == size && !finished_) {
      const bool more = Fill();
      stream_.next_in = reinterpret_cast<const uint8_t*>(input());
      stream_.avail_in = available();
      const lzma_ret result = lzma_code(&stream_, more ? LZMA_RUN : LZMA_FINISH);
      Consume(available() - stream_.avail_in);
      switch (result) {
        case LZMA_OK: break;
        case LZMA_STREAM_END: finished_ = true; break;
        case LZMA_BUF_ERROR: FailTruncated();
        case LZMA_FORMAT_ERROR: FailDamaged("xz", "format not recognized");
        case LZMA_OPTIONS_ERROR: FailDamaged("xz", "unsupported options");
        case LZMA_MEM_ERROR: FailMemory();
        default: FailDamaged("xz", "corrupt");
      }
    }
    return size - stream_.avail_out;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool finished_ = false;
};

}  // namespace

std::unique_ptr<ByteReader> OpenByteReader(const std::string& path) {
  return OpenByteReader(path, CompressionOf(path));
}

std::unique_ptr<ByteReader> OpenByteReader(const std::string& path, Compression compression) {
  switch (compression) {
    case Compression::kNone: return std::make_unique<PlainReader>(path);
    case Compression::kGzip: return std::make_unique<GzipReader>(path);
    case Compression::kZstd: return std::make_unique<ZstdReader>(path);
    case Compression::kXz: return std::make_unique<XzReader>(path);
  }
  return nullptr;
}

}  // namespace graft::engine
