#include "lm/arpa_file.h"

#ifdef GRAFT_HAS_BZIP2
#include <bzlib.h>
#endif

#include <array>
#include <fstream>
#include <memory>
#include <new>
#include <vector>

#include "graft/error.h"
#include "util/compression.h"

namespace graft::engine {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 18;

enum class Packing { kNone, kBzip2, kGzip, kXz, kZstd };

Packing PackingOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 6> start{};
  file.read(start.data(), start.size());
  const std::string_view read(start.data(), static_cast<size_t>(file.gcount()));
  if (read.starts_with("BZh")) return Packing::kBzip2;
  if (read.starts_with("\x1f\x8b")) return Packing::kGzip;
  if (read.starts_with(std::string_view("\xfd\x37zXZ\0", 6))) return Packing::kXz;
  if (read.starts_with("\x28\xb5\x2f\xfd")) return Packing::kZstd;
  return Packing::kNone;
}

#ifdef GRAFT_HAS_BZIP2
// One stream after the other until the end of the file.
void UnpackBzip2(const std::string& path, TemporaryFile* plain) {
  const auto reader = OpenByteReader(path, Compression::kNone);
  std::vector<char> packed(kBufferBytes), unpacked(kBufferBytes);
  bz_stream stream{};
  const auto start = [&] {
    if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) throw std::bad_alloc();
  };
  start();
  const std::unique_ptr<bz_stream, int (*)(bz_stream*)> end(&stream, BZ2_bzDecompressEnd);
  bool whole = false;  // between two streams
  for (size_t got; (got = reader->Read(packed.data(), packed.size())) > 0;) {
    stream.next_in = packed.data();
    stream.avail_in = static_cast<unsigned>(got);
    bool full = false;  // the stream may hold back what did not fit
    while (stream.avail_in > 0 || full) {
      if (whole) {
        char* const next = stream.next_in;
        const unsigned left = stream.avail_in;
        BZ2_bzDecompressEnd(&stream);
        stream = {};
        start();
        stream.next_in = next;
        stream.avail_in = left;
      }
      stream.next_out = unpacked.data();
      stream.avail_out = static_cast<unsigned>(unpacked.size());
      const int result = BZ2_bzDecompress(&stream);
      if (result == BZ_MEM_ERROR) throw std::bad_alloc();
      if (result != BZ_OK && result != BZ_STREAM_END) throw Error(path + ": damaged bzip2 file; copy or make it again");
      whole = result == BZ_STREAM_END;
      full = stream.avail_out == 0 && !whole;
      plain->Append({unpacked.data(), unpacked.size() - stream.avail_out});
    }
  }
  if (!whole) throw Error(path + ": the bzip2 file is cut short; copy or make it again");
}
#else
void UnpackBzip2(const std::string& path, TemporaryFile*) {
  throw Error(path + ": packed with bzip2, which this program was built without; unpack it with bunzip2");
}
#endif

}  // namespace

bool IsPackedModel(const std::string& path) { return PackingOf(path) != Packing::kNone; }

void UnpackModel(const std::string& path, TemporaryFile* plain) {
  const Packing packing = PackingOf(path);
  if (packing == Packing::kBzip2) return UnpackBzip2(path, plain);
  const auto reader = OpenByteReader(path, packing == Packing::kGzip ? Compression::kGzip
                                           : packing == Packing::kXz ? Compression::kXz
                                                                     : Compression::kZstd);
  std::vector<char> buffer(kBufferBytes);
  for (size_t got; (got = reader->Read(buffer.data(), buffer.size())) > 0;) plain->Append({buffer.data(), got});
}

}  // namespace graft::engine
