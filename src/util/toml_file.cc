#include "util/toml_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>

#include "graft/error.h"
#include "util/file_operations.h"
#include "util/suggest.h"
#include "util/toml_text.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

constexpr double kLargestNumber = 1e6;  // of a weight: beyond, sums of floats lose all meaning

// Only values given with --set have no line.
[[noreturn]] void FailAt(const std::string& file, const toml::source_region& where, const std::string& message) {
  if (where.begin.line == 0) throw Error("--set: " + message);
  throw Error::At(file, where.begin.line, message);
}

}  // namespace

void TomlPlace::Fail(const toml::node& node, const std::string& message) const {
  FailAt(file, node.source(), key + ": " + message);
}

int64_t TomlPlace::Integer(const toml::node& node, int64_t low, int64_t high) const {
  const auto value = node.value_exact<int64_t>();
  if (!value) Fail(node, "must be a whole number");
  if (*value < low || *value > high) Fail(node, fmt::format("must be between {} and {}", low, high));
  return *value;
}

double TomlPlace::Number(const toml::node& node) const {
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value || !(std::abs(*value) <= kLargestNumber))
    Fail(node, fmt::format("must be a number of at most {} either way", kLargestNumber));
  return *value;
}

bool TomlPlace::Boolean(const toml::node& node) const {
  const auto value = node.value_exact<bool>();
  if (!value) Fail(node, "must be true or false");
  return *value;
}

std::string TomlPlace::String(const toml::node& node) const {
  const auto value = node.value_exact<std::string>();
  if (!value) Fail(node, "must be a string");
  return *value;
}

std::vector<std::string> TomlPlace::Strings(const toml::node& node) const {
  const toml::array* list = node.as_array();
  if (list == nullptr) Fail(node, "must be a list of strings");
  std::vector<std::string> strings;
  for (const toml::node& item : *list) {
    const auto value = item.value_exact<std::string>();
    if (!value) Fail(item, "must be a list of strings");
    strings.push_back(*value);
  }
  return strings;
}

std::string TomlPlace::OneOf(const toml::node& node, const std::vector<std::string>& words) const {
  const std::string value = String(node);
  if (std::find(words.begin(), words.end(), value) != words.end()) return value;
  const auto closest = ClosestName(value, words);
  Fail(node, fmt::format("must be \"{}\"{}", fmt::join(words, "\" or \""),
                         closest ? fmt::format("; did you mean `{}`?", *closest) : ""));
}

void UnknownTomlKey(const std::string& file, std::string_view section, const toml::key& key,
                    const std::vector<std::string>& known) {
  const std::string name = section.empty() ? std::string(key.str()) : fmt::format("{}.{}", section, key.str());
  FailAt(file, key.source(), "unknown key " + name + Suggestion(key.str(), known));
}

const toml::table& TomlSection(const std::string& file, const toml::key& key, const toml::node& node) {
  if (const toml::table* table = node.as_table()) return *table;
  FailAt(file, node.source(), std::string(key.str()) + ": must be a table");
}

void FailInSection(const std::string& file, const std::string& section, const toml::table& table,
                   std::string_view message) {
  const auto part_of_word = [&](size_t at) {
    return at < message.size() && (message[at] == '_' || std::isalnum(static_cast<unsigned char>(message[at])) != 0);
  };
  const toml::node* named = &table;
  size_t first = message.size();
  for (const auto& [key, node] : table) {
    const size_t at = message.find(key.str());
    if (at >= first || (at > 0 && part_of_word(at - 1)) || part_of_word(at + key.str().size())) continue;
    first = at;
    named = &node;
  }
  FailAt(file, named->source(), (section.empty() ? "" : section + ": ") + std::string(message));
}

std::string ReadTomlText(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw Error(path + ": is a folder; name a configuration file");
  return ReadWholeFile(path);
}

toml::table ParseToml(const std::string& path) { return ParseTomlText(ReadTomlText(path), path); }

toml::table ParseTomlText(const std::string& text, const std::string& name) {
  RequireTomlText(text, name);
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    std::string problem(error.description());
    std::replace(problem.begin(), problem.end(), '\n', ' ');  // quoted from the file
    throw Error::At(name, error.source().begin.line, problem);
  }
}

void ApplyOverride(const std::string& override_text, toml::table* root) {
  const std::string name = "--set " + override_text;
  const size_t equals = override_text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error(name + ": must look like section.key=value, e.g. search.beam=500");
  const std::string value = override_text.substr(equals + 1);
  toml::table parsed;
  try {
    parsed = ParseTomlText("value = " + value, name);
  } catch (const Error&) {
    try {  // a bare word is taken as a string
      parsed = ParseTomlText("value = \"" + value + "\"", name);
    } catch (const Error&) {
      throw Error(name + ": the value is not valid TOML");
    }
  }
  toml::table* table = root;
  const std::vector<std::string_view> path = SplitFields(std::string_view(override_text).substr(0, equals), ".");
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    if (!table->contains(path[i])) table->insert(path[i], toml::table{});
    table = table->get(path[i])->as_table();
    if (table == nullptr) throw Error(fmt::format("{}: {} is not a section", name, path[i]));
  }
  table->insert_or_assign(path.back(), *parsed.get("value"));
}

std::string TomlString(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string TomlNumber(float value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

}  // namespace graft::engine
