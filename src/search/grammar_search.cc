#include "search/grammar_search.h"

#include "graft/error.h"
#include "search/bottom_up.h"
#include "search/chart.h"
#include "search/forest.h"

namespace graft::engine {

std::unique_ptr<GrammarSearch> MakeGrammarSearch(const DecodingModel& model) {
  if (model.system().search == SearchKind::kChart) return std::make_unique<ChartSearch>(model);
  if (model.system().search == SearchKind::kBottomUp) return std::make_unique<BottomUpSearch>(model);
  if (model.system().search == SearchKind::kForest) return std::make_unique<ForestSearch>(model);
  throw Error("the system " + model.system().name + " has no search with a grammar");
}

}  // namespace graft::engine
