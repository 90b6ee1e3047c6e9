// Tokens to text: which neighbours are written together.
#pragma once

#include <string>
#include <vector>

#include "text/language_rules.h"

namespace graft::engine {

std::string JoinAsWritten(const LanguageRules& rules, const std::vector<std::string>& tokens);

}  // namespace graft::engine
