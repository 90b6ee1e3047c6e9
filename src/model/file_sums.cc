#include "model/file_sums.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "graft/error.h"
#include "table/table_format.h"
#include "util/mapped_file.h"

namespace graft::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kComment =
    "[files]  # as they were written; after changes on purpose: graft model seal FOLDER\n";

bool HoldsItsSums(std::string_view name) { return name.ends_with(".graft"); }

// Where the line starts from which on `starts(line)` first holds, from `at` on; the end if there is none.
template <class Starts>
size_t FindLine(std::string_view text, size_t at, Starts starts) {
  while (at < text.size() && !starts(text.substr(at))) {
    const size_t end = text.find('\n', at);
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  return at;
}

std::string_view WithoutBlanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

bool TakePrefix(std::string_view prefix, std::string_view* text) {
  if (!text->starts_with(prefix)) return false;
  *text = WithoutBlanks(text->substr(prefix.size()));
  return true;
}

// Headers as TOML has them: `[files]`, indented or not, `[ files ]`, `["files"]`.
bool StartsTable(std::string_view line) { return WithoutBlanks(line).starts_with('['); }
bool StartsFiles(std::string_view line) {
  line = WithoutBlanks(line);
  return TakePrefix("[", &line) &&
         (TakePrefix("files", &line) || TakePrefix("\"files\"", &line) || TakePrefix("'files'", &line)) &&
         line.starts_with(']');
}

std::string Line(const FileSum& sum) {
  return fmt::format("\"{}\" = {{ bytes = {}, xxh3 = \"{:016x}\" }}\n", sum.name, sum.bytes, sum.xxh3);
}

}  // namespace

FileSum SumOf(const std::string& path, const std::string& name, const StopCheck& stop) {
  const MappedFile file(path);
  auto bytes = file.bytes();
  FileSum sum{name, bytes.size(), 0};
  if (HoldsItsSums(name)) bytes = bytes.first(std::min<size_t>(bytes.size(), kPageBytes));
  constexpr size_t kPart = size_t{4} << 20;  // between two looks at `stop`
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), &XXH3_freeState);
  XXH3_64bits_reset(state.get());
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(kPart, bytes.size()))) {
    stop.Poll();
    XXH3_64bits_update(state.get(), bytes.data(), std::min(kPart, bytes.size()));
  }
  sum.xxh3 = XXH3_64bits_digest(state.get());
  return sum;
}

std::string WithoutFiles(std::string_view model_toml) {
  const size_t begin = FindLine(model_toml, 0, StartsFiles);
  if (begin == model_toml.size()) return std::string(model_toml);
  const size_t header_end = std::min(model_toml.find('\n', begin), model_toml.size() - 1) + 1;
  const size_t end = FindLine(model_toml, header_end, StartsTable);
  return std::string(model_toml.substr(0, begin)) + std::string(model_toml.substr(end));
}

FileSum SumOfModelToml(std::string_view model_toml) {
  const std::string text = WithoutFiles(model_toml);
  return {kModelToml, text.size(), XXH3_64bits(text.data(), text.size())};
}

std::string WithFiles(std::string_view model_toml, const std::vector<FileSum>& others) {
  std::string text = WithoutFiles(model_toml);
  std::string files = std::string(kComment) + Line(SumOfModelToml(text));
  for (const FileSum& sum : others) files += Line(sum);
  // First of the tables: a file that is cut short then lacks what every model must have.
  return text.insert(FindLine(text, 0, StartsTable), files + "\n");
}

void CheckFile(const std::string& folder, const FileSum& written, const StopCheck& stop) {
  const std::string path = (fs::path(folder) / written.name).string();
  const auto fail = [&](const std::string& what) {
    throw Error(
        fmt::format("{}: {}; copy or train the model again, or, if the change was made on purpose, `graft model "
                    "seal {}` accepts it",
                    path, what, folder));
  };
  std::error_code error;
  const uint64_t bytes = fs::file_size(path, error);
  if (error) fail("is missing or cannot be read, but belongs to the model");
  if (bytes != written.bytes)
    fail(fmt::format("{}: it has {} bytes, but {} when the model was written",
                     bytes < written.bytes ? "cut short" : "changed", bytes, written.bytes));
  if (!(SumOf(path, written.name, stop) == written))
    fail("damaged or changed: it does not match its sum in model.toml");
}

}  // namespace graft::engine
