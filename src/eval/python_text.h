// Text as Python sees it: sacreBLEU's scores depend on what str.split and str.strip take for white space.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace graft::engine {

// Whether str.isspace holds: Unicode's spaces and the ASCII control characters that separate something. Zero-width
// spaces are none.
bool IsPythonSpace(char32_t code_point);

// str.split(): what stands between runs of white space.
std::vector<std::string> PythonSplit(std::string_view text);

std::string_view PythonStripRight(std::string_view text);
std::string_view PythonStrip(std::string_view text);

// `text` is valid UTF-8 in all of these.
std::u32string DecodeUtf8(std::string_view text);
std::string EncodeUtf8(std::u32string_view text);

}  // namespace graft::engine
