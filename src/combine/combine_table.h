// The settings of a consensus, declared once: of `graft combine` and [[consensus]].
#pragma once

#include "graft/combine.h"
#include "util/options.h"

namespace graft::engine {

const OptionTable<graft::CombineOptions>& CombineOptionTable();

}  // namespace graft::engine
