#include "eval/test_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "graft/error.h"
#include "util/line_reader.h"

namespace graft::engine {

namespace {

std::string NameOf(const std::string& path) { return path == "-" ? "<stdin>" : path; }

void CheckEqualLength(const std::string& path, size_t lines, const std::string& other, size_t other_lines) {
  if (lines == other_lines) return;
  const size_t shorter = std::min(lines, other_lines);
  const std::string& ends = lines < other_lines ? path : other;
  const std::string& goes_on = lines < other_lines ? other : path;
  throw Error::At(
      NameOf(goes_on), shorter + 1,
      fmt::format("{} ends after {} line{}, but {} has {}; every sentence needs one line in each file", NameOf(ends),
                  shorter, shorter == 1 ? "" : "s", NameOf(goes_on), std::max(lines, other_lines)));
}

}  // namespace

std::vector<std::string> ReadTestLines(const std::string& path, const Reporter& reporter) {
  std::vector<std::string> lines;
  LineReader reader(path, reporter);
  while (reader.Next()) lines.emplace_back(reader.line());
  if (lines.empty()) throw Error(NameOf(path) + ": no lines, so there is nothing to score");
  return lines;
}

std::vector<std::string> TestSet::ReadHypotheses(const std::string& path, const Reporter& reporter) const {
  std::vector<std::string> lines = ReadTestLines(path, reporter);
  CheckEqualLength(path, lines.size(), paths.front(), sentences());
  return lines;
}

TestSet ReadTestSet(const std::vector<std::string>& paths, const Reporter& reporter) {
  TestSet result;
  for (const std::string& path : paths) {
    result.references.push_back(ReadTestLines(path, reporter));
    result.paths.push_back(path);
    CheckEqualLength(path, result.references.back().size(), paths.front(), result.sentences());
  }
  return result;
}

}  // namespace graft::engine
