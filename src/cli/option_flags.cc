#include "cli/option_flags.h"

#include <fmt/format.h>

#include <cctype>

namespace graft::engine::cli {
namespace {

std::string HelpOf(const OptionDescription& option) {
  std::string help = option.flag_help;
  // What is for one system alone says so; which systems others are for is too much for a line.
  if (option.subjects.size() == 1) {
    help[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(help[0])));
    help = fmt::format("{}: {}", option.subjects[0], help);
  }
  if (option.default_varies && !option.default_text.empty() && option.type != OptionType::kSwitch)
    help += fmt::format(" (default {})", option.default_text);
  return help;
}

std::string PlaceholderOf(const OptionDescription& option) {
  if (!option.placeholder.empty()) return option.placeholder;
  if (option.file) return option.type == OptionType::kTexts ? "FILE…" : "FILE";
  switch (option.type) {
    case OptionType::kNumber: return "X";
    case OptionType::kText: return "NAME";
    case OptionType::kTexts: return "NAME…";
    case OptionType::kIntegers: return "N…";
    case OptionType::kNumbers: return "X…";
    default: return "N";
  }
}

CLI::Option* AddValue(CLI::App* app, const OptionDescription& option, const FlagSink& given) {
  const std::string help = HelpOf(option);
  const auto add = [&]<class T>(T) {
    return app->add_option_function<T>(
        option.flag, [given, key = option.key](const T& value) { given(key, value); }, help);
  };
  switch (option.type) {
    case OptionType::kInteger: return add(int64_t());
    case OptionType::kNumber: return add(double());
    case OptionType::kTexts: return add(std::vector<std::string>());
    case OptionType::kIntegers: return add(std::vector<int64_t>());
    case OptionType::kNumbers: return add(std::vector<double>());
    default: return add(std::string());
  }
}

// By the same words as the messages about configuration files.
CLI::Validator RangeCheck(const OptionRange& range) {
  const std::string text = RangeText(range);
  return CLI::Validator(
      [range, text](const std::string& given) {
        double value = 0;
        const bool holds = CLI::detail::lexical_cast(given, value) && range.Contains(value);
        return holds ? std::string() : fmt::format("Value {} not in range {}", given, text);
      },
      text);
}

void AddCheck(const OptionDescription& option, CLI::Option* flag) {
  if (!option.words.empty()) flag->check(CLI::IsMember(option.words));
  if (!RangeText(option.range).empty()) flag->check(RangeCheck(option.range));
}

}  // namespace

void AddFlag(CLI::App* app, const OptionDescription& option, const FlagStyle& style, const FlagSink& given) {
  if (option.flag.empty()) return;
  CLI::Option* flag = nullptr;
  if (option.type == OptionType::kSwitch) {
    const bool on = !option.flag.starts_with("--no-");
    flag = app->add_flag_callback(
        option.flag, [given, key = option.key, on] { given(key, on); }, HelpOf(option));
  } else {
    flag = AddValue(app, option, given);
    if (style.check_values) AddCheck(option, flag);
    if (!option.default_varies && !option.default_text.empty()) flag->default_str(option.default_text);
    if (option.commas) flag->delimiter(',')->allow_extra_args(false);
    flag->type_name(PlaceholderOf(option));
  }
  if (!style.group.empty()) flag->group(style.group);
}

void AddFlags(CLI::App* app, const std::vector<OptionDescription>& options, const FlagStyle& style,
              const FlagSink& given) {
  for (const OptionDescription& option : options) AddFlag(app, option, style, given);
}

}  // namespace graft::engine::cli
