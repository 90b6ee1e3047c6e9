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

// Where a section stands.
struct TomlSource {
  const std::string& file;
  std::string section;  // what messages call it
  FileResolver files{};
};

// What the settings of a table are about, and what messages call it.
template <class Subject>
struct NamedSubject {
  const Subject& subject;
  std::string_view name;
};

// Reads one key of a section; false if the table has no such key. One that means nothing for the subject is an Error.
template <class Struct, class Subject>
bool ReadOption(const TomlSource& source, const OptionTable<Struct, Subject>& table, const NamedSubject<Subject>& about,
                const toml::key& key, const toml::node& node, Struct* options) {
  const Option<Struct, Subject>* option = table.Find(key.str());
  if (option == nullptr) return false;
  const TomlPlace place{source.file, source.section + "." + option->key};
  const OptionRange range = option->RangeFor(*options, about.subject);
  const OptionValue value = ReadOptionValue(
      place, node, {.type = option->field.type(), .words = option->field.words(), .file = option->file, .range = range},
      source.files);
  if (!option->AppliesTo(about.subject))
    place.Fail(node, "means nothing for " + std::string(about.name) + "; it has " + Joined(table.Keys(about.subject)));
  option->field.Set(options, value);
  return true;
}

template <class Struct>
bool ReadOption(const TomlSource& source, const OptionTable<Struct>& table, const toml::key& key,
                const toml::node& node, Struct* options) {
  return ReadOption(source, table, {Anything(), ""}, key, node, options);
}

// Reads a whole section, in which nothing else may stand.
template <class Struct, class Subject>
void ReadOptions(const TomlSource& source, const OptionTable<Struct, Subject>& table,
                 const NamedSubject<Subject>& about, const toml::table& from, Struct* options) {
  for (const auto& [key, node] : from)
    if (!ReadOption(source, table, about, key, node, options))
      UnknownTomlKey(source.file, source.section, key, table.Keys(about.subject));
}

template <class Struct>
void ReadOptions(const TomlSource& source, const OptionTable<Struct>& table, const toml::table& from, Struct* options) {
  ReadOptions(source, table, {Anything(), ""}, from, options);
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
