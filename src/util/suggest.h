// "Did you mean": the known name nearest to one that is not known.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace graft::engine {

// The candidate with the fewest edits (insert, delete, replace, swap of neighbours; case ignored), if these are few
// enough for a slip of the hand: at most a third of the longer name, and at least one. Ties: the first candidate.
std::optional<std::string> ClosestName(std::string_view name, std::span<const std::string> candidates);

// The end of an error message about an unknown name: "; did you mean `x`?", or without a near name "; known are a, b,
// c".
std::string Suggestion(std::string_view name, std::span<const std::string> candidates);

}  // namespace graft::engine
