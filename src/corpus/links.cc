#include "corpus/links.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "graft/error.h"
#include "util/utf8.h"

namespace graft::engine {

namespace {

std::optional<uint32_t> ParsePosition(std::string_view text) {
  uint32_t position = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), position);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return position;
}

std::string OutOfRange(std::string_view link, std::string_view side, int words) {
  if (words > UINT16_MAX)
    return fmt::format("link {}: of the {} words of the {} sentence only the first {} can have links", link, words,
                       side, UINT16_MAX + 1);
  if (words == 0) return fmt::format("link {}, but the {} sentence is empty", link, side);
  return fmt::format("link {}, but the {} sentence has {} word{}, counted from 0", link, side, words,
                     words == 1 ? "" : "s");
}

}  // namespace

bool ParseLink(std::string_view text, int source_words, int target_words, WordLink* link, std::string* problem) {
  const size_t dash = text.find('-');
  const auto source = ParsePosition(text.substr(0, dash));
  const auto target = dash == std::string_view::npos ? std::nullopt : ParsePosition(text.substr(dash + 1));
  if (!source || !target) {
    *problem = fmt::format("{} is not a link; links are written i-j, counted from 0", Quoted(text));
    return false;
  }
  const auto outside = [](uint32_t position, int words) {
    return position > UINT16_MAX || (words >= 0 && position >= static_cast<uint32_t>(words));
  };
  if (outside(*source, source_words)) {
    *problem =
        source_words < 0 ? fmt::format("link {} is out of range", text) : OutOfRange(text, "source", source_words);
    return false;
  }
  if (outside(*target, target_words)) {
    *problem =
        target_words < 0 ? fmt::format("link {} is out of range", text) : OutOfRange(text, "target", target_words);
    return false;
  }
  *link = {static_cast<uint16_t>(*source), static_cast<uint16_t>(*target)};
  return true;
}

std::vector<WordLink> ParseLinks(std::string_view line, int source_words, int target_words) {
  std::vector<WordLink> links;
  std::string problem;
  for (std::string_view text : SplitTokens(line)) {
    WordLink link{};
    if (!ParseLink(text, source_words, target_words, &link, &problem)) throw Error(problem);
    links.push_back(link);
  }
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

}  // namespace graft::engine
