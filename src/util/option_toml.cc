#include "util/option_toml.h"

#include <fmt/format.h>

namespace graft::engine {
namespace {

int64_t ReadInteger(const TomlPlace& place, const toml::node& node, const OptionRange& range) {
  if (range.text.empty() && std::isfinite(range.least) && std::isfinite(range.most))
    return place.Integer(node, static_cast<int64_t>(range.least), static_cast<int64_t>(range.most));
  const int64_t value = place.Integer(node, INT64_MIN, INT64_MAX);
  if (!range.Contains(static_cast<double>(value))) place.Fail(node, "must be " + RangeText(range));
  return value;
}

double ReadNumber(const TomlPlace& place, const toml::node& node, const OptionRange& range) {
  const double value = place.Number(node);
  if (!range.Contains(value)) place.Fail(node, "must be " + RangeText(range));
  return value;
}

std::vector<std::string> ReadFiles(const TomlPlace& place, const toml::node& node, const FileResolver& files) {
  const toml::array* list = node.as_array();
  if (list == nullptr || list->empty()) place.Fail(node, "must be a list of files: [\"…\"]");
  std::vector<std::string> paths;
  for (const toml::node& item : *list) paths.push_back(files(place, item, place.String(item)));
  return paths;
}

std::vector<int64_t> ReadIntegers(const TomlPlace& place, const toml::node& node, const OptionRange& range) {
  const toml::array* list = node.as_array();
  if (list == nullptr) place.Fail(node, "must be a list of whole numbers");
  std::vector<int64_t> numbers;
  for (const toml::node& item : *list) numbers.push_back(ReadInteger(place, item, range));
  return numbers;
}

std::vector<double> ReadNumbers(const TomlPlace& place, const toml::node& node, const OptionRange& range) {
  const toml::array* list = node.as_array();
  if (list == nullptr) place.Fail(node, "must be a list of numbers");
  std::vector<double> numbers;
  for (const toml::node& item : *list) numbers.push_back(ReadNumber(place, item, range));
  return numbers;
}

}  // namespace

OptionValue ReadOptionValue(const TomlPlace& place, const toml::node& node, const OptionDescription& option,
                            const FileResolver& files) {
  switch (option.type) {
    case OptionType::kSwitch: return place.Boolean(node);
    case OptionType::kInteger: return ReadInteger(place, node, option.range);
    case OptionType::kNumber: return ReadNumber(place, node, option.range);
    case OptionType::kTexts: return option.file ? ReadFiles(place, node, files) : place.Strings(node);
    case OptionType::kIntegers: return ReadIntegers(place, node, option.range);
    case OptionType::kNumbers: return ReadNumbers(place, node, option.range);
    case OptionType::kText: break;
  }
  if (!option.words.empty()) return place.OneOf(node, option.words);
  const std::string text = place.String(node);
  return option.file ? files(place, node, text) : text;
}

}  // namespace graft::engine
