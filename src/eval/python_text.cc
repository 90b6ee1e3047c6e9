#include "eval/python_text.h"

#include <unicode/utf8.h>

namespace graft::engine {

namespace {

// The code point that begins at *position, which moves behind it.
char32_t Next(std::string_view text, size_t* position) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  UChar32 code_point = 0;
  U8_NEXT_UNSAFE(bytes, *position, code_point);
  return static_cast<char32_t>(code_point);
}

}  // namespace

bool IsPythonSpace(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

std::vector<std::string> PythonSplit(std::string_view text) {
  std::vector<std::string> words;
  size_t begin = 0;
  for (size_t position = 0; position < text.size();) {
    const size_t here = position;
    if (!IsPythonSpace(Next(text, &position))) continue;
    if (begin < here) words.emplace_back(text.substr(begin, here - begin));
    begin = position;
  }
  if (begin < text.size()) words.emplace_back(text.substr(begin));
  return words;
}

std::string_view PythonStripRight(std::string_view text) {
  size_t end = 0;
  for (size_t position = 0; position < text.size();)
    if (!IsPythonSpace(Next(text, &position))) end = position;
  return text.substr(0, end);
}

std::string_view PythonStrip(std::string_view text) {
  text = PythonStripRight(text);
  size_t begin = 0;
  for (size_t position = 0; position < text.size() && IsPythonSpace(Next(text, &position));) begin = position;
  return text.substr(begin);
}

std::u32string DecodeUtf8(std::string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (size_t position = 0; position < text.size();) result.push_back(Next(text, &position));
  return result;
}

std::string EncodeUtf8(std::u32string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char32_t code_point : text) {
    uint8_t bytes[U8_MAX_LENGTH];
    size_t length = 0;
    U8_APPEND_UNSAFE(bytes, length, static_cast<UChar32>(code_point));
    result.append(reinterpret_cast<const char*>(bytes), length);
  }
  return result;
}

}  // namespace graft::engine
