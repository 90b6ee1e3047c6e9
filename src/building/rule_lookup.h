// The rules of one source side, as a dump writes them (dump.h): all those with these symbols, whatever their edges or
// gaps. Reads the table: call it in RuleTable::Unchanged.
//
//   RulesOf(table, {"ein", "Haus"})
//   RulesOfPrinted(table, "[X,1] im Hintergrund")
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "table/rule_table.h"

namespace graft::engine {

// Of a source side of words; a line each in table order, empty if there are none.
std::string RulesOf(const RuleTable& table, std::span<const std::string> words);

// Of a source side as a dump writes it, with its non-terminals.
std::string RulesOfPrinted(const RuleTable& table, std::string_view source);

}  // namespace graft::engine
