#include "model/model_new_table.h"

#include "text/text_options.h"

namespace graft::engine {

const OptionTable<graft::ModelFiles>& ModelNewTable() {
  static const OptionTable<graft::ModelFiles> table = {
      .section = "model",
      .help = "What a model is told of its text; instead of `[text]` in the file of weights.",
      .options = {{.key = "lowercase",
                   .field = Member(&graft::ModelFiles::lowercase),
                   .help = "The model was trained on lower-cased text; input is lower-cased before look-up",
                   .flag = "--lowercase"},
                  {.key = "tokeniser",
                   .field = {Member(&graft::ModelFiles::tokeniser), TextTokenisers()},
                   .help = "none: the model is given tokens; icu: plain text is tokenised, and translations are put "
                           "together again (graft tokenise)",
                   .flag = "--tokeniser",
                   .default_text = ""},
                  {.key = "languages",
                   .field = Member(&graft::ModelFiles::languages),
                   .help = "Languages of source and target, e.g. de en",
                   .flag = "--languages",
                   .placeholder = "SRC TGT"}}};
  return table;
}

}  // namespace graft::engine
