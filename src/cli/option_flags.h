// Option tables on the command line: a flag with its line of --help for every setting that has one.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "util/option_text.h"

namespace graft::engine::cli {

struct FlagStyle {
  std::string group = {};    // heading in --help
  bool check_values = true;  // ranges and words, by the command line; otherwise whoever takes the value does it
};

// `given` is called with the key and the value of every flag that is given.
using FlagSink = std::function<void(const std::string& key, OptionValue value)>;

void AddFlag(CLI::App* app, const OptionDescription& option, const FlagStyle& style, const FlagSink& given);
void AddFlags(CLI::App* app, const std::vector<OptionDescription>& options, const FlagStyle& style,
              const FlagSink& given);

// Flags that set the struct itself, which must outlive the application; what it holds now are the defaults.
template <class Struct>
void AddFlags(CLI::App* app, const OptionTable<Struct>& table, const FlagStyle& style, Struct* options) {
  const std::vector<OptionCase<Struct>> defaults = {{.name = "", .subject = {}, .defaults = *options}};
  for (const Option<Struct>& option : table.options)
    AddFlag(app, Describe(option, defaults), style,
            [field = option.field, options](const std::string&, OptionValue value) { field.Set(options, value); });
}

// The flags of a table.
template <class Struct, class Subject>
std::vector<std::string> FlagsOf(const OptionTable<Struct, Subject>& table) {
  std::vector<std::string> flags;
  for (const auto& option : table.options)
    if (!option.flag.empty()) flags.push_back(option.flag);
  return flags;
}

}  // namespace graft::engine::cli
