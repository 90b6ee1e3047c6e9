#include "pipeline/report_files.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <nlohmann/json.hpp>

#include "graft/error.h"
#include "util/file_operations.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

using Json = nlohmann::json;  // finds keys of objects, however many

constexpr double kMostMilliseconds = 1e12;

[[noreturn]] void FailContent(const std::string& path) {
  throw Error(path + ": is not what was written there; remove it and start the same command again");
}

// Calls use(item) for every item of the list that a file is.
void ForEachItem(const std::string& path, const std::function<void(const Json&)>& use) {
  const std::string text = ReadWholeFile(path);
  try {
    const Json items = Json::parse(text);
    if (!items.is_array()) FailContent(path);
    for (const Json& item : items) use(item);
  } catch (const Json::exception&) {
    FailContent(path);
  }
}

int Whole(const Json& json, int least, int most, const std::string& path) {
  if (!json.is_number_integer()) FailContent(path);
  const auto number = json.get<int64_t>();
  if (number < least || number > most) FailContent(path);
  return static_cast<int>(number);
}

std::vector<int> Numbers(const Json& json, int least, int most, const std::string& path) {
  if (!json.is_array()) FailContent(path);
  std::vector<int> numbers;
  for (const Json& one : json) numbers.push_back(Whole(one, least, most, path));
  return numbers;
}

int Last(const std::vector<std::string>& words) { return static_cast<int>(words.size()) - 1; }

}  // namespace

std::vector<ReportExample> ReadReportExamples(const std::string& path) {
  std::vector<ReportExample> examples;
  ForEachItem(path, [&](const Json& json) {
    ReportExample& example = examples.emplace_back();
    example.sentence = static_cast<size_t>(Whole(json.at("sentence"), 0, INT32_MAX, path));
    json.at("source").get_to(example.source);
    const int words = Last(example.source) + 1;
    example.heads = Numbers(json.at("heads"), 0, words, path);
    if (!example.heads.empty() && example.heads.size() != example.source.size()) FailContent(path);
    json.at("reference").get_to(example.reference);
  });
  return examples;
}

std::vector<DrawnDerivation> ReadDerivations(const std::string& path, const std::vector<ReportExample>& examples) {
  std::vector<DrawnDerivation> derivations;
  ForEachItem(path, [&](const Json& json) {
    if (derivations.size() == examples.size()) FailContent(path);
    const int last_source = Last(examples[derivations.size()].source);
    DrawnDerivation& drawn = derivations.emplace_back();
    json.at("target").get_to(drawn.target);
    const int last_target = Last(drawn.target);
    for (const Json& link : json.at("alignment")) {
      if (link.size() != 2) FailContent(path);
      drawn.alignment.emplace_back(Whole(link.at(0), 0, last_source, path), Whole(link.at(1), 0, last_target, path));
    }
    json.at("derivation").get_to(drawn.text);
    for (const Json& step : json.at("steps"))
      drawn.parts.push_back(
          {Numbers(step.at("source"), 0, last_source, path), Numbers(step.at("target"), 0, last_target, path)});
  });
  if (derivations.size() != examples.size()) FailContent(path);
  return derivations;
}

std::vector<std::pair<int, double>> ReadSpeed(const std::string& path) {
  std::vector<std::pair<int, double>> times;
  const std::string text = ReadWholeFile(path);
  bool head = true;
  for (const std::string_view line : SplitFields(text, "\n")) {
    if (line.empty() || std::exchange(head, false)) continue;
    const auto number = [&](std::string_view field, auto most) {
      decltype(most) value{};
      const char* const end = field.data() + field.size();
      const auto [rest, error] = std::from_chars(field.data(), end, value);
      if (error != std::errc() || rest != end || !(value >= 0 && value <= most)) FailContent(path);
      return value;
    };
    const std::vector<std::string_view> fields = SplitFields(line, "\t");
    if (fields.size() != 2) FailContent(path);
    times.emplace_back(number(fields[0], INT32_MAX), number(fields[1], kMostMilliseconds));
  }
  return times;
}

}  // namespace graft::engine
