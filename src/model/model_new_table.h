// The settings of a model that is made of parts (`graft model new`), besides the files, declared once.
#pragma once

#include "graft/training_steps.h"
#include "util/options.h"

namespace graft::engine {

const OptionTable<graft::ModelFiles>& ModelNewTable();

}  // namespace graft::engine
