// Compression by file name, and byte streams over files that hide it. What LineReader and OutputFile are made of.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace graft::engine {

enum class Compression { kNone, kGzip, kZstd, kXz };

// By the ending of the name: .gz .zst .xz.
Compression CompressionOf(std::string_view path);

// `train.de.conllu.xz` -> `train.de.conllu`.
std::string_view WithoutCompressionSuffix(std::string_view path);

class ByteReader {
 public:
  virtual ~ByteReader() = default;
  // Up to `size` (> 0) bytes; 0 only at the end of the data. Throws Error naming the file on read errors and on data
  // that is damaged or ends early.
  virtual size_t Read(char* buffer, size_t size) = 0;
};

// Opens `path` for reading, "-" being stdin (never taken as compressed). Members or frames that follow each other in
// one file are read as one text.
std::unique_ptr<ByteReader> OpenByteReader(const std::string& path);
// The same for a file whose name does not say how it is compressed.
std::unique_ptr<ByteReader> OpenByteReader(const std::string& path, Compression compression);

class ByteWriter {
 public:
  virtual ~ByteWriter() = default;
  virtual void Write(std::string_view bytes) = 0;
  virtual void Flush() = 0;   // everything written so far can be read by others
  virtual void Finish() = 0;  // ends the compressed stream; the descriptor stays open
};

// Writes to an open descriptor; `name` is for messages.
std::unique_ptr<ByteWriter> MakeByteWriter(int descriptor, Compression compression, const std::string& name);

}  // namespace graft::engine
