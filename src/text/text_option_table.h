// The settings of [text], declared once.
#pragma once

#include "text/text_options.h"
#include "util/options.h"

namespace graft::engine {

const OptionTable<TextOptions>& TextOptionTable();

}  // namespace graft::engine
