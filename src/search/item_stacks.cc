#include "search/item_stacks.h"

#include "graft/error.h"

namespace graft::engine {

void CheckMatches(const RuleTable& table, std::span<const RuleMatch> rules) {
  for (const RuleMatch& match : rules)
    if (match.tail_count != match.targets->nonterminals)
      throw Error(table.path() + ": a rule's target has other non-terminals than its source");
}

}  // namespace graft::engine
