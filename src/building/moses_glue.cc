#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "building/moses_import.h"
#include "building/moses_line.h"
#include "graft/error.h"
#include "util/line_reader.h"

namespace graft::engine {

void CheckMosesGlue(const std::string& glue_grammar, const Reporter& reporter) {
  struct GlueRule {
    std::string_view source, target, score, links;
    bool seen;
  };
  std::array<GlueRule, 3> standard = {{{"<s> [X]", "<s> [S]", "1", "0-0", false},
                                       {"[X][S] </s> [X]", "[X][S] </s> [S]", "1", "0-0 1-1", false},
                                       {"[X][S] [X][X] [X]", "[X][S] [X][X] [S]", "2.718", "0-0 1-1", false}}};
  constexpr std::string_view kBuiltIn = "Graft has Moses's three standard glue rules built in and takes no others";
  LineReader reader(glue_grammar, reporter);
  while (reader.Next()) {
    const auto fields = SplitMosesLine(reader.line());
    const auto rule = std::find_if(standard.begin(), standard.end(), [&](const GlueRule& known) {
      return fields.size() > 2 && fields[0] == known.source && fields[1] == known.target;
    });
    if (rule == standard.end()) reader.Fail(fmt::format("not a standard glue rule; {}", kBuiltIn));
    if (fields[2] != rule->score)
      reader.Fail(fmt::format("the glue rule `{}` has the score {}, not {}; {}", rule->source, fields[2], rule->score,
                              kBuiltIn));
    if (fields.size() > 3 && !fields[3].empty() && fields[3] != rule->links)
      reader.Fail(fmt::format("the glue rule `{}` reorders; {}", rule->source, kBuiltIn));
    if (rule->seen) reader.Fail(fmt::format("the glue rule `{}` for the second time", rule->source));
    rule->seen = true;
  }
  for (const GlueRule& rule : standard)
    if (!rule.seen) throw Error(fmt::format("{}: lacks the glue rule `{}`; {}", glue_grammar, rule.source, kBuiltIn));
}

}  // namespace graft::engine
