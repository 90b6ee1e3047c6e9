// The settings of checking a corpus, declared once: of `graft check`.
#pragma once

#include "graft/training_steps.h"
#include "util/options.h"

namespace graft::engine {

const OptionTable<graft::CheckOptions>& CheckOptionTable();

}  // namespace graft::engine
