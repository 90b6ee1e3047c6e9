// Option tables in TOML: reading with errors that name file, line and key, and writing with stable bytes. For .cc files
// only: it brings in toml++.
#pragma once

#include <functional>
#include <string>

#include "util/option_text.h"
#include "util/options.h"
#include "util/toml_file.h"

namespace graft::engine {

// Where the files are that a configuration names, e.g. a path relative to it; throws Error through the place.
using FileResolver =
    std::function<std::string(const TomlPlace& place, const toml::node& node, const std::string& path)>;

// The value of a node. Throws Error for a value of another type, out of range, or none of the words.
OptionValue ReadOptionValue(const TomlPlace& place, const toml::node& node, const OptionDescription& option,
                            const FileResolver& files = {});

// Reads one key of a section; false if the table has no such key. `section` is what messages call it. A key that means
// nothing for the subject, called `name` in messages, is an Error.
template <class Struct, class Subject>
bool ReadOption(const std::string& file, const std::string& section, const OptionTable<Struct, Subject>& table,
                const toml::key& key, const toml::node& node, const Subject& subject, std::string_view name,
                Struct* options, const FileResolver& files = {}) {
  const Option<Struct, Subject>* option = table.Find(key.str());
  if (option == nullptr) return false;
  const TomlPlace place{file, section + "." + option->key};
  const OptionRange range = option->RangeFor(*options, subject);
  const OptionValue value = ReadOptionValue(
      place, node, {.type = option->field.type(), .words = option->field.words(), .file = option->file, .range = range},
      files);
  if (!option->AppliesTo(subject))
    place.Fail(node, "means nothing for " + std::string(name) + "; it has " + Joined(table.Keys(subject)));
  option->field.Set(options, value);
  return true;
}

// Reads a whole section, in which nothing else may stand.
template <class Struct, class Subject>
void ReadOptions(const std::string& file, const std::string& section, const OptionTable<Struct, Subject>& table,
                 const toml::table& from, const Subject& subject, std::string_view name, Struct* options,
                 const FileResolver& files = {}) {
  for (const auto& [key, node] : from)
    if (!ReadOption(file, section, table, key, node, subject, name, options, files))
      UnknownTomlKey(file, section, key, table.Keys(subject));
}

template <class Struct>
void ReadOptions(const std::string& file, const OptionTable<Struct>& table, const toml::table& from, Struct* options,
                 const FileResolver& files = {}) {
  ReadOptions(file, table.section, table, from, Anything(), "", options, files);
}

// Every key that means something for the subject, a line each, in the order of the table; empty lists are left out.
template <class Struct, class Subject>
std::string WriteOptions(const OptionTable<Struct, Subject>& table, const Subject& subject, const Struct& options) {
  std::string toml;
  for (const auto& option : table.options) {
    if (!option.AppliesTo(subject)) continue;
    const std::string value = TomlText(option.field.Get(options));
    if (value != "[]") toml += option.key + " = " + value + "\n";
  }
  return toml;
}

}  // namespace graft::engine
