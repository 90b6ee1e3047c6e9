#include "search/items.h"

namespace graft::engine {

void ItemStore::Reset() {
  cells_.clear();
  words_.clear();
  tails_.clear();
  rules_.clear();
  glue_.clear();
  items_.clear();
  arcs_.clear();
  tail_items_.clear();
}

void ItemStore::AddMatches(std::span<const RuleMatch> rules, std::span<const GlueMatch> glue) {
  rules_.insert(rules_.end(), rules.begin(), rules.end());
  glue_.insert(glue_.end(), glue.begin(), glue.end());
}

}  // namespace graft::engine
