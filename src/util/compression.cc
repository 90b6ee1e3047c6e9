#include "util/compression.h"

namespace graft::engine {

namespace {

constexpr std::string_view SuffixOf(Compression compression) {
  switch (compression) {
    case Compression::kNone: return "";
    case Compression::kGzip: return ".gz";
    case Compression::kZstd: return ".zst";
    case Compression::kXz: return ".xz";
  }
  return "";
}

}  // namespace

Compression CompressionOf(std::string_view path) {
  for (Compression compression : {Compression::kGzip, Compression::kZstd, Compression::kXz})
    if (path.ends_with(SuffixOf(compression))) return compression;
  return Compression::kNone;
}

std::string_view WithoutCompressionSuffix(std::string_view path) {
  path.remove_suffix(SuffixOf(CompressionOf(path)).size());
  return path;
}

}  // namespace graft::engine
