// What a table holds: its system, sizes, and how they spread over levels, non-terminals and sections.
#pragma once

#include <string>

#include "table/rule_table.h"

namespace graft::engine {

std::string TableText(const RuleTable& table);  // lines for people
std::string TableJson(const RuleTable& table);  // one object, indented

}  // namespace graft::engine
