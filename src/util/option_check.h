// What a call of the library is given, checked by the table of its settings.
#pragma once

#include <optional>
#include <string>

#include "graft/error.h"
#include "util/option_text.h"
#include "util/options.h"

namespace graft::engine {

// What is wrong with a value, if anything, by the names of the setting for programs and for the command line:
// "tune.nbest (--nbest) is 1; it must be 2 to 10000".
std::optional<std::string> ValueProblem(const std::string& section, const OptionDescription& option,
                                        const OptionValue& value);

// Throws Error for a value out of its range or none of the words. What stays as the struct has it by default is never
// wrong.
template <class Struct>
void CheckSettings(const OptionTable<Struct>& table, const Struct& options) {
  const Struct defaults{};
  for (const Option<Struct>& option : table.options) {
    const OptionValue value = option.field.Get(options);
    if (value == option.field.Get(defaults)) continue;
    const auto problem = ValueProblem(table.section,
                                      {.key = option.key,
                                       .flag = option.flag,
                                       .words = option.field.words(),
                                       .range = option.RangeFor(options, Anything())},
                                      value);
    if (problem) throw Error(*problem);
  }
}

}  // namespace graft::engine
