// UTF-8 checks and the text operations of the toolkit: lower-casing, splitting into tokens and joining them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace graft::engine {

bool IsValidUtf8(std::string_view text);

// The length as ICU counts it. Throws Error for 2 GB and more, which no file's line has (util/size_limits.h).
int32_t IcuLength(std::string_view text);

// Unicode lower-casing, root locale. ASCII-only input takes a fast path.
std::string Lowercase(std::string_view text);

// Tokens are separated by runs of ASCII space or tab, never by other Unicode spaces.
std::vector<std::string_view> SplitTokens(std::string_view line);

// The text in back quotes for a message: cut when long, and never with bytes that are not UTF-8.
std::string Quoted(std::string_view text);

// The tokens with a space between them.
std::string JoinTokens(const std::vector<std::string>& tokens);

// Splits at every occurrence of `separator` (fields may be empty).
std::vector<std::string_view> SplitFields(std::string_view line, std::string_view separator);

}  // namespace graft::engine
