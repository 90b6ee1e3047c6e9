#include "util/utf8.h"

#include <fmt/format.h>
#include <unicode/bytestream.h>
#include <unicode/casemap.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "graft/error.h"

namespace graft::engine {

namespace {

constexpr uint64_t kHighBits = 0x8080808080808080U;

// Length of the run of ASCII at the start of `text`.
size_t AsciiPrefix(std::string_view text) {
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t block = 0;
    std::memcpy(&block, text.data() + at, 8);
    if ((block & kHighBits) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

// Length of the multi-byte character at the start of `text` (Unicode Standard, Table 3-7), 0 if it is ill-formed.
size_t MultiByteLength(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!follows(1) || !follows(2)) return 0;
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
    if (lead == 0xED && byte(1) > 0x9F) return 0;  // surrogate
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!follows(1) || !follows(2) || !follows(3)) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;  // overlong
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;  // beyond U+10FFFF
    return 4;
  }
  return 0;
}

}  // namespace

bool IsValidUtf8(std::string_view text) {
  for (;;) {
    text.remove_prefix(AsciiPrefix(text));
    if (text.empty()) return true;
    while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0x80U) != 0) {
      const size_t length = MultiByteLength(text);
      if (length == 0) return false;
      text.remove_prefix(length);
    }
  }
}

int32_t IcuLength(std::string_view text) {
  if (text.size() > INT32_MAX) throw Error("a text of 2 GB and more; give it in parts");
  return static_cast<int32_t>(text.size());
}

std::string Lowercase(std::string_view text) {
  std::string lower;
  lower.reserve(text.size());
  if (AsciiPrefix(text) == text.size()) {
    for (char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
  }
  UErrorCode status = U_ZERO_ERROR;
  icu::StringByteSink<std::string> sink(&lower);
  icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(text.data(), IcuLength(text)), sink, nullptr, status);
  if (U_FAILURE(status)) throw std::runtime_error(std::string("lower-casing: ") + u_errorName(status));
  return lower;
}

std::vector<std::string_view> SplitTokens(std::string_view line) {
  std::vector<std::string_view> tokens;
  size_t at = 0;
  for (;;) {
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
    if (at == line.size()) return tokens;
    const size_t start = at;
    while (at < line.size() && line[at] != ' ' && line[at] != '\t') ++at;
    tokens.push_back(line.substr(start, at - start));
  }
}

std::string Quoted(std::string_view text) {
  constexpr size_t kLongest = 40;
  if (!IsValidUtf8(text)) return "(invalid UTF-8)";
  if (text.size() <= kLongest) return fmt::format("`{}`", text);
  size_t end = kLongest;
  while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return fmt::format("`{}…`", text.substr(0, end));
}

std::string JoinTokens(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    if (!text.empty()) text += ' ';
    text += token;
  }
  return text;
}

std::vector<std::string_view> SplitFields(std::string_view line, std::string_view separator) {
  std::vector<std::string_view> fields;
  size_t start = 0;
  for (size_t end = line.find(separator); end != std::string_view::npos; end = line.find(separator, start)) {
    fields.push_back(line.substr(start, end - start));
    start = end + separator.size();
  }
  fields.push_back(line.substr(start));
  return fields;
}

}  // namespace graft::engine
