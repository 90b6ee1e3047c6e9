#include "search/decoder.h"

#include "search/grammar_decoder.h"
#include "search/unit_decoder.h"

namespace graft::engine {

std::unique_ptr<Decoder> MakeDecoder(const DecodingModel& model) {
  if (model.system().has_grammar()) return std::make_unique<GrammarDecoder>(model);
  return std::make_unique<UnitDecoder>(model);
}

}  // namespace graft::engine
