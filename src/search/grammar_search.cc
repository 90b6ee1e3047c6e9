#include "search/grammar_search.h"

#include "search/bottom_up.h"
#include "search/chart.h"
#include "search/forest.h"
#include "text/error.h"

namespace graft {

std::unique_ptr<GrammarSearch> MakeGrammarSearch(const Model& model) {
  if (model.system().search == SearchKind::kChart) return std::make_unique<ChartSearch>(model);
  if (model.system().search == SearchKind::kBottomUp) return std::make_unique<BottomUpSearch>(model);
  if (model.system().search == SearchKind::kForest) return std::make_unique<ForestSearch>(model);
  throw Error("the system " + model.system().name + " has no search with a grammar");
}

}  // namespace graft
