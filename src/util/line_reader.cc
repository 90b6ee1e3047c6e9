#include "util/line_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "graft/error.h"
#include "util/compression.h"
#include "util/quantities.h"
#include "util/size_limits.h"
#include "util/utf8.h"

namespace graft::engine {

namespace {

constexpr size_t kFirstBufferBytes = size_t{1} << 18;                      // grows with the longest line
constexpr size_t kEnoughBufferBytes = kMostLineBytes + kFirstBufferBytes;  // for any line; more only to look ahead
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

struct LineReader::Impl {
  std::string name;
  Reporter reporter;
  std::unique_ptr<ByteReader> bytes;
  std::vector<char> buffer = std::vector<char>(kFirstBufferBytes);
  size_t begin = 0;  // of the bytes that are not handed out yet
  size_t end = 0;
  bool at_end = false;  // of the file; the buffer may hold more lines
  bool saw_carriage_return = false;
  uint64_t line_number = 0;
  std::string_view line;
  std::function<void(uint64_t)> on_invalid;

  // Adds bytes behind `end`, making room first. Sets at_end when there are none.
  void Fill() {
    if (begin > 0) {
      std::memmove(buffer.data(), buffer.data() + begin, end - begin);
      end -= begin;
      begin = 0;
    }
    if (end == buffer.size()) buffer.resize(std::max(std::min(2 * end, kEnoughBufferBytes), end + kFirstBufferBytes));
    const size_t got = bytes->Read(buffer.data() + end, buffer.size() - end);
    end += got;
    at_end = got == 0;
  }

  // Reads until the line that starts `offset` bytes behind `begin` is in the buffer, with its LF or up to the end of
  // the file. Its length.
  size_t Hold(size_t offset) {
    size_t searched = offset;
    for (;;) {
      const char* start = buffer.data() + begin;
      const auto* feed = static_cast<const char*>(std::memchr(start + searched, '\n', end - begin - searched));
      searched = feed != nullptr ? static_cast<size_t>(feed - start) : end - begin;
      if (searched - offset > kMostLineBytes) FailLength();
      if (feed != nullptr || at_end) return searched - offset;
      Fill();
    }
  }

  [[noreturn]] void FailLength() const {
    throw Error::At(name, line_number + 1,
                    "more than " + FormatBytes(kMostLineBytes) +
                        " without a line end, the most that a line may have. Is it a text file?");
  }

  // The next line without its LF, as raw bytes; false at the end.
  bool NextRaw() {
    const size_t length = Hold(0);
    line = {buffer.data() + begin, length};
    const bool fed = begin + length < end;
    begin += length + (fed ? 1 : 0);
    return fed || length > 0;
  }
};

LineReader::LineReader(const std::string& path, const Reporter& reporter) : impl_(std::make_unique<Impl>()) {
  impl_->name = path == "-" ? "<stdin>" : path;
  impl_->reporter = reporter;
  impl_->bytes = OpenByteReader(path);
}
LineReader::~LineReader() = default;
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;

std::string_view LineReader::Ahead(size_t lines) {
  size_t offset = 0;
  for (;; --lines) {
    const size_t length = impl_->Hold(offset);
    if (lines == 0) return {impl_->buffer.data() + impl_->begin + offset, length};
    if (impl_->begin + offset + length == impl_->end) return {};
    offset += length + 1;
  }
}

bool LineReader::Next() {
  Impl& impl = *impl_;
  if (impl.reporter.stop.stop_requested()) throw Stopped();
  if (!impl.NextRaw()) return false;
  ++impl.line_number;
  if (impl.line_number == 1 && impl.line.starts_with(kByteOrderMark)) {
    impl.line.remove_prefix(kByteOrderMark.size());
    impl.reporter.Warn(impl.name + ":1: the byte-order mark is removed");
    if (impl.line.empty() && impl.at_end && impl.begin == impl.end) return false;
  }
  if (impl.line.ends_with('\r')) {
    impl.line.remove_suffix(1);
    if (!impl.saw_carriage_return) {
      impl.saw_carriage_return = true;
      impl.reporter.Warn(impl.name + ":" + std::to_string(impl.line_number) +
                         ": the line ends in CR LF; the CR is removed, here and in later lines");
    }
  }
  if (!IsValidUtf8(impl.line)) {
    if (!impl.on_invalid) {
      Fail("invalid UTF-8. Convert the file to UTF-8, or drop the line with `graft check --write-clean`.");
    }
    impl.on_invalid(impl.line_number);
  }
  return true;
}

std::string_view LineReader::line() const { return impl_->line; }
uint64_t LineReader::line_number() const { return impl_->line_number; }
const std::string& LineReader::name() const { return impl_->name; }

void LineReader::Fail(std::string_view message) const { throw Error::At(impl_->name, impl_->line_number, message); }

void LineReader::set_on_invalid(std::function<void(uint64_t line)> on_invalid) {
  impl_->on_invalid = std::move(on_invalid);
}

}  // namespace graft::engine
