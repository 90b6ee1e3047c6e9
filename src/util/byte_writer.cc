// The writing half of compression.h.
#include <lzma.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <cerrno>
#include <vector>

#include "graft/error.h"
#include "util/compression.h"
#include "util/system_error.h"

namespace graft::engine {

namespace {

constexpr size_t kOutputBytes = size_t{1} << 18;
constexpr int kGzipLevel = 6;
constexpr int kZstdLevel = 3;
constexpr uint32_t kXzPreset = 6;

[[noreturn]] void FailMemory(const std::string& name) {
  throw Error("cannot compress " + name + ": " + MemoryReason());
}

class PlainWriter : public ByteWriter {
 public:
  PlainWriter(int descriptor, const std::string& name) : descriptor_(descriptor), name_(name) {}

  void Write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t put = write(descriptor_, bytes.data(), bytes.size());
      if (put >= 0) {
        bytes.remove_prefix(static_cast<size_t>(put));
      } else if (errno != EINTR) {
        FailSystem("write", name_);
      }
    }
  }
  void Flush() override {}
  void Finish() override {}

  const std::string& name() const { return name_; }

 private:
  int descriptor_;
  std::string name_;
};

class GzipWriter : public ByteWriter {
 public:
  GzipWriter(int descriptor, const std::string& name) : file_(descriptor, name), output_(kOutputBytes) {
    constexpr int kGzipHeader = 16 + MAX_WBITS;
    constexpr int kDefaultMemory = 8;
    if (deflateInit2(&stream_, kGzipLevel, Z_DEFLATED, kGzipHeader, kDefaultMemory, Z_DEFAULT_STRATEGY) != Z_OK)
      FailMemory(name);
  }
  ~GzipWriter() override { deflateEnd(&stream_); }
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  void Write(std::string_view bytes) override {
    constexpr size_t kLargest = size_t{1} << 30;  // zlib counts in 32 bits
    while (!bytes.empty()) {
      const std::string_view part = bytes.substr(0, kLargest);
      Code(part, Z_NO_FLUSH);
      bytes.remove_prefix(part.size());
    }
  }
  void Flush() override { Code({}, Z_SYNC_FLUSH); }
  void Finish() override { Code({}, Z_FINISH); }

 private:
  void Code(std::string_view bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
      stream_.avail_out = static_cast<uInt>(output_.size());
      deflate(&stream_, flush);
      file_.Write({output_.data(), output_.size() - stream_.avail_out});
    } while (stream_.avail_out == 0);
  }

  PlainWriter file_;
  std::vector<char> output_;
  z_stream stream_{};
};

class ZstdWriter : public ByteWriter {
 public:
  ZstdWriter(int descriptor, const std::string& name)
      : file_(descriptor, name), output_(kOutputBytes), context_(ZSTD_createCCtx()) {
    if (context_ == nullptr) FailMemory(name);
    ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, kZstdLevel);
    ZSTD_CCtx_setParameter(context_, ZSTD_c_checksumFlag, 1);
  }
  ~ZstdWriter() override { ZSTD_freeCCtx(context_); }
  ZstdWriter(const ZstdWriter&) = delete;
  ZstdWriter& operator=(const ZstdWriter&) = delete;

  void Write(std::string_view bytes) override { Code(bytes, ZSTD_e_continue); }
  void Flush() override { Code({}, ZSTD_e_flush); }
  void Finish() override { Code({}, ZSTD_e_end); }

 private:
  void Code(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    for (;;) {
      ZSTD_outBuffer out{output_.data(), output_.size(), 0};
      const size_t left = ZSTD_compressStream2(context_, &out, &input, directive);
      if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation) FailMemory(file_.name());
      if (ZSTD_isError(left) != 0) throw Error("cannot compress " + file_.name() + ": " + ZSTD_getErrorName(left));
      file_.Write({output_.data(), out.pos});
      if (directive == ZSTD_e_continue ? input.pos == input.size : left == 0) return;
    }
  }

  PlainWriter file_;
  std::vector<char> output_;
  ZSTD_CCtx* context_;
};

class XzWriter : public ByteWriter {
 public:
  XzWriter(int descriptor, const std::string& name) : file_(descriptor, name), output_(kOutputBytes) {
    if (lzma_easy_encoder(&stream_, kXzPreset, LZMA_CHECK_CRC64) != LZMA_OK) FailMemory(name);
  }
  ~XzWriter() override { lzma_end(&stream_); }
  XzWriter(const XzWriter&) = delete;
  XzWriter& operator=(const XzWriter&) = delete;

  void Write(std::string_view bytes) override { Code(bytes, LZMA_RUN); }
  void Flush() override { Code({}, LZMA_SYNC_FLUSH); }
  void Finish() override { Code({}, LZMA_FINISH); }

 private:
  void Code(std::string_view bytes, lzma_action action) {
    stream_.next_in = reinterpret_cast<const uint8_t*>(bytes.data());
    stream_.avail_in = bytes.size();
    for (;;) {
      stream_.next_out = reinterpret_cast<uint8_t*>(output_.data());
      stream_.avail_out = output_.size();
      const lzma_ret result = lzma_code(&stream_, action);
      if (result != LZMA_OK && result != LZMA_STREAM_END) FailMemory(file_.name());
      file_.Write({output_.data(), output_.size() - stream_.avail_out});
      if (action == LZMA_RUN ? stream_.avail_in == 0 : result == LZMA_STREAM_END) return;
    }
  }

  PlainWriter file_;
  std::vector<char> output_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<ByteWriter> MakeByteWriter(int descriptor, Compression compression, const std::string& name) {
  switch (compression) {
    case Compression::kNone: return std::make_unique<PlainWriter>(descriptor, name);
    case Compression::kGzip: return std::make_unique<GzipWriter>(descriptor, name);
    case Compression::kZstd: return std::make_unique<ZstdWriter>(descriptor, name);
    case Compression::kXz: return std::make_unique<XzWriter>(descriptor, name);
  }
  return nullptr;
}

}  // namespace graft::engine
