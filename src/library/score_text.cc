// Scores for people and for programs.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "graft/evaluation.h"
#include "util/utf8.h"

namespace graft {

// Name, signature, score and its parts, the equal signs below each other.
std::string ScoresText(const std::vector<Score>& scores, int digits) {
  std::vector<std::string> names;
  size_t longest = 0;
  for (const Score& score : scores) {
    names.push_back(fmt::format("{}|{}", score.name, score.signature));
    longest = std::max(longest, names.back().size());
  }
  std::string text;
  for (size_t i = 0; i < scores.size(); ++i)
    text += fmt::format("{:>{}} = {:.{}f}{}{}\n", names[i], longest, scores[i].value, digits,
                        scores[i].details.empty() ? "" : " ", scores[i].details);
  return text;
}

std::string ScoresJson(const std::vector<Score>& scores, int digits) {
  auto array = nlohmann::ordered_json::array();
  for (const Score& score : scores) {
    nlohmann::ordered_json object;
    object["name"] = score.name;
    object["score"] = std::stod(fmt::format("{:.{}f}", score.value, digits));
    object["signature"] = score.signature;
    if (!score.details.empty()) object["verbose_score"] = score.details;
    for (const std::string_view field : engine::SplitFields(score.signature, "|")) {
      const std::vector<std::string_view> pair = engine::SplitFields(field, ":");
      object[std::string(pair[0])] = pair[1];
    }
    object.update(nlohmann::ordered_json::parse(score.json));
    array.push_back(std::move(object));
  }
  return array.dump(1) + "\n";
}

}  // namespace graft
