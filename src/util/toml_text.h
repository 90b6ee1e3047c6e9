// What every text must pass before toml++ parses it. The parser takes for impossible, in the compiler's sense, that a
// letter beyond ASCII stands where white space may; TOML has such letters in strings and comments only.
#pragma once

#include <string>
#include <string_view>

namespace graft::engine {

// Throws Error, with `name` and line, for a character beyond ASCII outside of strings and comments, and for a control
// character anywhere; also for a string that starts in the middle of something else, since nobody can tell where that
// ends. What else may be wrong is left to the parser.
void RequireTomlText(std::string_view text, const std::string& name);

}  // namespace graft::engine
