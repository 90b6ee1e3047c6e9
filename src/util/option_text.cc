#include "util/option_text.h"

#include <fmt/format.h>

#include <cmath>

#include "util/toml_file.h"

namespace graft::engine {
namespace {

template <class List, class ToText>
std::string ListText(const List& list, ToText to_text) {
  std::string text;
  for (const auto& item : list) text += (text.empty() ? "" : ", ") + to_text(item);
  return "[" + text + "]";
}

// Text for a cell of a Markdown table.
std::string Cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? "\\|" : std::string(1, c);
  return cell;
}

std::string NumberText(double number) { return fmt::format("{}", number); }

std::string Code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

std::string ValuesText(const OptionDescription& option) {
  if (!option.words.empty()) {
    std::vector<std::string> words;
    for (const std::string& word : option.words) words.push_back(Code(word));
    return Joined(words);
  }
  switch (option.type) {
    case OptionType::kSwitch: return "`true`, `false`";
    case OptionType::kText: return option.file ? "a file" : "text";
    case OptionType::kTexts: return option.file ? "a list of files" : "a list of strings";
    default: break;
  }
  const std::string kind = option.type == OptionType::kNumber     ? "a number"
                           : option.type == OptionType::kNumbers  ? "a list of numbers"
                           : option.type == OptionType::kIntegers ? "a list of whole numbers"
                                                                  : "a whole number";
  return option.range_text.empty() ? kind : kind + ", " + option.range_text;
}

}  // namespace

std::string_view TypeText(OptionType type) {
  switch (type) {
    case OptionType::kSwitch: return "true or false";
    case OptionType::kInteger: return "a whole number";
    case OptionType::kNumber: return "a number";
    case OptionType::kText: return "a string";
    case OptionType::kTexts: return "a list of strings";
    case OptionType::kIntegers: return "a list of whole numbers";
    case OptionType::kNumbers: return "a list of numbers";
  }
  return "";
}

std::string TomlText(const OptionValue& value) {
  switch (TypeOf(value)) {
    case OptionType::kSwitch: return std::get<bool>(value) ? "true" : "false";
    case OptionType::kInteger: return std::to_string(std::get<int64_t>(value));
    case OptionType::kNumber: return NumberText(std::get<double>(value));
    case OptionType::kText: return TomlString(std::get<std::string>(value));
    case OptionType::kTexts: return ListText(std::get<std::vector<std::string>>(value), TomlString);
    case OptionType::kIntegers:
      return ListText(std::get<std::vector<int64_t>>(value), [](int64_t number) { return std::to_string(number); });
    case OptionType::kNumbers: return ListText(std::get<std::vector<double>>(value), NumberText);
  }
  return "";
}

std::string RangeText(const OptionRange& range) {
  if (!range.text.empty()) return range.text;
  if (std::isinf(range.least)) return "";
  if (std::isinf(range.most)) return fmt::format("{} or more", range.least);
  return fmt::format("{:.0f} to {:.0f}", range.least, range.most);
}

std::string Joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string Joined(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? fmt::format(" {} ", last) : ", ") + words[i];
  return text;
}

std::string Grouped(const std::vector<std::pair<std::string, std::string>>& said) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;  // what is said, of whom
  for (const auto& [name, text] : said) {
    auto group =
        std::find_if(groups.begin(), groups.end(), [&, &what = text](const auto& g) { return g.first == what; });
    if (group == groups.end()) group = groups.insert(groups.end(), {text, {}});
    group->second.push_back(name);
  }
  std::string all;
  for (const auto& [text, names] : groups)
    all += all.empty() ? text : fmt::format("; {} {}", fmt::join(names, ", "), text);
  return all;
}

std::string DefaultText(const OptionValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const std::string text = TomlText(value);
  return text == "[]" ? "" : text;
}

std::string JoinedByCommas(const OptionValue& list) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&list))
    return fmt::format("{}", fmt::join(*texts, ","));
  const std::string text = DefaultText(list);
  std::string joined;
  for (const char c : text)
    if (c != '[' && c != ']' && c != ' ') joined += c;
  return joined;
}

std::string ReferenceSection(std::string_view title, std::string_view help,
                             const std::vector<OptionDescription>& options) {
  const auto any = [&](auto test) { return std::any_of(options.begin(), options.end(), test); };
  const bool flags = any([](const OptionDescription& option) { return !option.flag.empty(); });
  const bool systems = any([](const OptionDescription& option) { return !option.subjects.empty(); });
  std::string text = fmt::format("## {}\n\n{}\n\n| key |{} what it does | values | default |{}\n", title, help,
                                 flags ? " flag |" : "", systems ? " systems |" : "");
  text += fmt::format("|---|{}---|---|---|{}\n", flags ? "---|" : "", systems ? "---|" : "");
  for (const OptionDescription& option : options) {
    text += fmt::format("| `{}` |", option.key);
    if (flags) text += fmt::format(" {} |", Code(option.flag));
    text += fmt::format(" {} | {} | {} |", Cell(option.help), Cell(ValuesText(option)), Cell(option.default_text));
    if (systems) text += fmt::format(" {} |", Joined(option.subjects));
    text += "\n";
  }
  return text;
}

}  // namespace graft::engine
