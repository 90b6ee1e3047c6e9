// The settings of word alignment, declared once.
#pragma once

#include "graft/training_steps.h"
#include "util/options.h"

namespace graft::engine {

const OptionTable<graft::AlignOptions>& AlignOptionTable();  // of [align] and `graft align`
const OptionTable<graft::AlignOptions>& AlignVerbTable();    // what `graft align` has besides

}  // namespace graft::engine
