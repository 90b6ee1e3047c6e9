// graft model new: assembles a model folder from a table, a language model and weights.
#include "cli/common.h"
#include "graft/training_steps.h"

namespace graft::engine::cli {

void AddModel(CLI::App* app) {
  auto options = std::make_shared<ModelFiles>();
  CLI::App* model = app->add_subcommand("model", "Work with model folders");
  model->require_subcommand(1);
  CLI::App* verb = model->add_subcommand("new", "Assemble a model from a table, a language model and weights");
  verb->add_option("--table", options->table, "Rule table (graft table build)")->required();
  verb->add_option("--lm", options->lm, "Language model: ARPA or KenLM binary")->required();
  verb->add_option("--weights", options->weights,
                   "TOML file with [weights], optionally [search] and [text]; default weights without it");
  verb->add_flag("--lowercase", options->lowercase,
                 "The model was trained on lower-cased text; input is lower-cased before look-up");
  verb->add_option("--truecase-source", options->truecase_source,
                   "Truecase model of the source (graft tokenise --truecase-train); needs --truecase-target");
  verb->add_option("--truecase-target", options->truecase_target, "Truecase model of the target");
  verb->add_option("--tokeniser", options->tokeniser,
                   "none: the model is given tokens; icu: plain text is tokenised, and translations are put together "
                   "again (graft tokenise)")
      ->check(CLI::IsMember({"none", "icu"}));
  verb->add_option("--languages", options->languages, "Languages of source and target, e.g. de en")->expected(2);
  verb->add_option("-o,--output", options->output, "Folder to write")->required();
  verb->footer("Example:\n  graft model new --table rules.graft --lm lm.bin --weights weights.toml -o MODEL");
  verb->callback([options] { AssembleModel(*options); });
}

}  // namespace graft::engine::cli
