// KenLM's binary form of a language model.
#pragma once

#include <string>

namespace graft {

// Writes the model at `input` (ARPA, plain or compressed, or any KenLM binary) as a KenLM binary: an ARPA file becomes
// a probing model, a binary is copied as it is.
void WriteBinaryLanguageModel(const std::string& input, const std::string& output);

}  // namespace graft
