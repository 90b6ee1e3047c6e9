// The settings of a training configuration, declared once, a table for each of its sections. Those that a verb of its
// own has as well ([align], [lm], [tune]) are flags there.
#pragma once

#include "graft/training_steps.h"
#include "pipeline/train_config.h"
#include "util/options.h"

namespace graft::engine {

const OptionTable<TrainConfig>& TrainRootTable();  // keys outside of sections
const OptionTable<TrainConfig>& CorpusOptionTable();
const OptionTable<graft::AlignOptions>& AlignOptionTable();
const OptionTable<graft::LanguageModelOptions>& LmOptionTable();  // of a model that is made
const OptionTable<TrainConfig>& LmFileOptionTable();              // what it is made of, or a finished one: [lm] too
const OptionTable<TextPart>& TextPartOptionTable();               // of [dev] and [test.NAME]
const OptionTable<graft::TuneOptions>& TuneOptionTable();

}  // namespace graft::engine
