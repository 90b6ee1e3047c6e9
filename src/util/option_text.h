// Option tables as text: values, what an option is for people, and the reference page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "util/options.h"

namespace graft::engine {

std::string_view TypeText(OptionType type);                                        // "a whole number"
std::string TomlText(const OptionValue& value);                                    // as TOML writes it
std::string RangeText(const OptionRange& range);                                   // "1 to 16", "0 or more"; empty: any
std::string Joined(const std::vector<std::string>& words);                         // "a, b, c"
std::string Joined(const std::vector<std::string>& words, std::string_view last);  // "a, b or c"

// What an option is, without the struct behind it.
struct OptionDescription {
  std::string key, flag, help, flag_help, placeholder;
  OptionType type = OptionType::kSwitch;
  std::vector<std::string> words;  // it is one of; empty: any
  bool file = false;
  bool commas = false;
  OptionRange range;                  // the widest
  std::string range_text;             // "1 to 48; hpbmt, serg, gramgbmt-c 1 to 250"
  std::string default_text;           // "7; hpbmt, serg 10"; empty: none
  bool default_varies = false;        // with the system
  std::vector<std::string> subjects;  // that it is for; empty: all
};

// A subject with its name and the options it has before anything is set.
template <class Struct, class Subject = Anything>
struct OptionCase {
  std::string name;
  Subject subject;
  Struct defaults;
};

// What differs among cases: pairs of the name of one and what is said of it. "7; hpbmt, serg 10"; the first comes
// without names.
std::string Grouped(const std::vector<std::pair<std::string, std::string>>& said);

// The value that people are shown as a default; empty: nothing is.
std::string DefaultText(const OptionValue& value);

// A list as one argument.
std::string JoinedByCommas(const OptionValue& list);

template <class Struct, class Subject>
OptionDescription Describe(const Option<Struct, Subject>& option,
                           const std::vector<OptionCase<Struct, Subject>>& cases) {
  OptionDescription about{.key = option.key,
                          .flag = option.flag,
                          .help = option.help,
                          .flag_help = option.flag_help.empty() ? option.help : option.flag_help,
                          .placeholder = option.placeholder,
                          .type = option.field.type(),
                          .words = option.field.words(),
                          .file = option.file,
                          .commas = option.commas};
  std::vector<std::pair<std::string, std::string>> defaults, ranges;
  for (const auto& one : cases) {
    if (!option.AppliesTo(one.subject)) continue;
    about.subjects.push_back(one.name);
    const OptionRange range = option.RangeFor(one.defaults, one.subject);
    if (ranges.empty()) about.range = range;
    about.range.least = std::min(about.range.least, range.least);
    about.range.most = std::max(about.range.most, range.most);
    ranges.emplace_back(one.name, RangeText(range));
    const OptionValue value = option.field.Get(one.defaults);
    defaults.emplace_back(one.name, option.commas ? JoinedByCommas(value) : DefaultText(value));
  }
  about.default_text = option.default_text.value_or(Grouped(defaults));
  about.default_varies = std::any_of(defaults.begin(), defaults.end(),
                                     [&](const auto& said) { return said.second != defaults.front().second; });
  about.range_text = Grouped(ranges);
  if (about.subjects.size() == cases.size()) about.subjects.clear();
  return about;
}

template <class Struct, class Subject>
std::vector<OptionDescription> Describe(const OptionTable<Struct, Subject>& table,
                                        const std::vector<OptionCase<Struct, Subject>>& cases) {
  std::vector<OptionDescription> descriptions;
  for (const auto& option : table.options) descriptions.push_back(Describe(option, cases));
  return descriptions;
}

// Of an option or a table without a subject.
template <class Struct>
OptionDescription Describe(const Option<Struct>& option) {
  return Describe(option, std::vector<OptionCase<Struct>>{{}});
}

template <class Struct>
std::vector<OptionDescription> Describe(const OptionTable<Struct>& table) {
  return Describe(table, std::vector<OptionCase<Struct>>{{}});
}

// A section of the reference page, in Markdown.
std::string ReferenceSection(std::string_view title, std::string_view help,
                             const std::vector<OptionDescription>& options);

}  // namespace graft::engine
