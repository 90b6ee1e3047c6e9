// The settings of a training configuration, declared once, a table for each of its sections. Those that a verb of its
// own has as well are flags there: [align] (align/align_table.h), [lm] (lm/lm_table.h), [tune] (tune/tune_table.h).
#pragma once

#include "pipeline/train_config.h"
#include "util/options.h"

namespace graft::engine {

const OptionTable<TrainConfig>& TrainRootTable();  // keys outside of sections
const OptionTable<TrainConfig>& CorpusOptionTable();
const OptionTable<TrainConfig>& LmFileOptionTable();  // what it is made of, or a finished one: [lm] too
const OptionTable<TextPart>& TextPartOptionTable();   // of [dev] and [test.NAME]

}  // namespace graft::engine
