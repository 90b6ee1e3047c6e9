// Configuration files in TOML, with errors that name file, line and key. For .cc files only: it brings in toml++.
//
//   const toml::table root = ParseToml("model.toml");
//   for (const auto& [key, node] : root) {
//     const TomlPlace place{file, "search.beam"};
//     beam = place.Integer(node, 0, 1000);
//   }
#pragma once

#define TOML_EXCEPTIONS 1
// toml++ asserts what a file can make untrue (`[=`) just before it reports it; the report is enough.
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace graft::engine {

// A node of a TOML file with where it came from. Every getter throws Error for a value of another type or out of range.
struct TomlPlace {
  const std::string& file;
  std::string key;

  [[noreturn]] void Fail(const toml::node& node, const std::string& message) const;
  int64_t Integer(const toml::node& node, int64_t low, int64_t high) const;
  double Number(const toml::node& node) const;
  bool Boolean(const toml::node& node) const;
  std::string String(const toml::node& node) const;
  std::vector<std::string> Strings(const toml::node& node) const;                          // a list of strings
  std::string OneOf(const toml::node& node, const std::vector<std::string>& words) const;  // with a suggestion
};

// `section` is empty for keys of the root.
[[noreturn]] void UnknownTomlKey(const std::string& file, std::string_view section, const toml::key& key,
                                 const std::vector<std::string>& known);

// The table `node`, or an Error.
const toml::table& TomlSection(const std::string& file, const toml::key& key, const toml::node& node);

// An Error about a section as a whole, at the line of the first of its keys that the message names.
[[noreturn]] void FailInSection(const std::string& file, const std::string& section, const toml::table& table,
                                std::string_view message);

std::string ReadTomlText(const std::string& path);
toml::table ParseToml(const std::string& path);
toml::table ParseTomlText(const std::string& text, const std::string& name);  // `name` is for messages

// Merges one `section.key=value` of --set (any depth) into a parsed file. A value that is not TOML is taken as a
// string.
void ApplyOverride(const std::string& override_text, toml::table* root);

std::string TomlString(std::string_view text);  // quoted and escaped
std::string TomlNumber(float value);            // shortest that reads back the same, with a point or an exponent

}  // namespace graft::engine
