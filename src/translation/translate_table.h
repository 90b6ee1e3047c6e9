// The settings of translating and of forced decoding, declared once: of `graft translate`. Those of search are the
// model's (model/model_tables.h).
#pragma once

#include "graft/translator.h"
#include "util/options.h"

namespace graft::engine {

const OptionTable<graft::TranslateOptions>& TranslateOptionTable();
const OptionTable<graft::RescoreOptions>& RescoreOptionTable();

}  // namespace graft::engine
