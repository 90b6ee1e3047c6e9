// The settings of tuning, declared once: of [tune] and `graft tune`.
#pragma once

#include "graft/training_steps.h"
#include "util/options.h"

namespace graft::engine {

const OptionTable<graft::TuneOptions>& TuneOptionTable();

}  // namespace graft::engine
