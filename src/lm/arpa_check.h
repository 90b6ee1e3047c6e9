// ARPA files before KenLM reads them. KenLM reserves memory for as many n-grams as a file announces, however small it
// is, with sums that overflow; and it takes any number for a probability, with which sums are not numbers any more, and
// whose binary CheckLmBinary would refuse later. So counts and weights are read here first, as KenLM reads them.
#pragma once

#include <string>
#include <string_view>

namespace graft::engine {

// Throws Error, with `name` for the file and the line, where more n-grams of an order are announced than there are
// lines, where a count or an n-gram does not have its form, and for weights out of range. What else may be wrong is
// left to KenLM, and so is a text that is no ARPA file.
void CheckArpa(std::string_view text, const std::string& name);

}  // namespace graft::engine
