#include "util/option_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "util/suggest.h"

namespace graft::engine {
namespace {

std::vector<std::string> WordsIn(const OptionValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return {*text};
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) return *texts;
  return {};
}

std::vector<double> NumbersIn(const OptionValue& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) return {static_cast<double>(*number)};
  if (const auto* number = std::get_if<double>(&value)) return {*number};
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return *list;
  if (const auto* list = std::get_if<std::vector<int64_t>>(&value)) return {list->begin(), list->end()};
  return {};
}

std::string NameOf(const std::string& section, const OptionDescription& option) {
  const std::string name = section + "." + option.key;
  return option.flag.empty() ? name : fmt::format("{} ({})", name, option.flag.substr(0, option.flag.find(',')));
}

}  // namespace

std::optional<std::string> ValueProblem(const std::string& section, const OptionDescription& option,
                                        const OptionValue& value) {
  const std::vector<std::string>& known = option.words;
  if (!known.empty())
    for (const std::string& word : WordsIn(value))
      if (std::find(known.begin(), known.end(), word) == known.end())
        return fmt::format("{} cannot be `{}`{}", NameOf(section, option), word, Suggestion(word, known));
  for (const double number : NumbersIn(value))
    if (!option.range.Contains(number))
      return fmt::format("{} is {}; it must be {}", NameOf(section, option), number, RangeText(option.range));
  return std::nullopt;
}

}  // namespace graft::engine
