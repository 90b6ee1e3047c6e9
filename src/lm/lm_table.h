// The settings of estimating a language model, declared once.
#pragma once

#include "graft/training_steps.h"
#include "util/options.h"

namespace graft::engine {

const OptionTable<graft::LanguageModelOptions>& LmOptionTable();  // of [lm] and `graft lm`
const OptionTable<graft::LanguageModelOptions>& LmVerbTable();    // what `graft lm` has besides

}  // namespace graft::engine
