#include "building/moses_line.h"

#include "util/utf8.h"

namespace graft::engine {
namespace {

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

}  // namespace

std::vector<std::string_view> SplitMosesLine(std::string_view line) {
  auto fields = SplitFields(line, "|||");
  for (std::string_view& field : fields) field = Trim(field);
  return fields;
}

}  // namespace graft::engine
