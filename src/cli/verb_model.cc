// graft model new: assembles a model folder from a table, a language model and weights.
#include "cli/common.h"
#include "model/model.h"
#include "table/rule_table.h"

namespace graft::engine::cli {

void AddModel(CLI::App* app) {
  struct Options {
    ModelParts parts;
    std::string weights, output, tokeniser;
    std::vector<std::string> languages;
    bool lowercase = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* model = app->add_subcommand("model", "Work with model folders");
  model->require_subcommand(1);
  CLI::App* verb = model->add_subcommand("new", "Assemble a model from a table, a language model and weights");
  verb->add_option("--table", options->parts.table, "Rule table (graft table build)")->required();
  verb->add_option("--lm", options->parts.lm, "Language model: ARPA or KenLM binary")->required();
  verb->add_option("--weights", options->weights,
                   "TOML file with [weights], optionally [search] and [text]; default weights without it");
  verb->add_flag("--lowercase", options->lowercase,
                 "The model was trained on lower-cased text; input is lower-cased before look-up");
  verb->add_option("--truecase-source", options->parts.truecase_source,
                   "Truecase model of the source (graft tokenise --truecase-train); needs --truecase-target");
  verb->add_option("--truecase-target", options->parts.truecase_target, "Truecase model of the target");
  verb->add_option("--tokeniser", options->tokeniser,
                   "none: the model is given tokens; icu: plain text is tokenised, and translations are put together "
                   "again (graft tokenise)")
      ->check(CLI::IsMember({"none", "icu"}));
  verb->add_option("--languages", options->languages, "Languages of source and target, e.g. de en")->expected(2);
  verb->add_option("-o,--output", options->output, "Folder to write")->required();
  verb->footer("Example:\n  graft model new --table rules.graft --lm lm.bin --weights weights.toml -o MODEL");
  verb->callback([options] {
    ModelConfig config;
    const RuleTable table = RuleTable::Open(options->parts.table);
    table.Verify();  // a damaged table is found before it is copied
    config.system = table.spec();
    if (!options->weights.empty()) ReadWeightsFile(options->weights, &config);
    config.text.lowercase |= options->lowercase;
    if (!options->tokeniser.empty()) config.text.tokeniser = options->tokeniser;
    if (!options->languages.empty()) config.text.languages = options->languages;
    config.text.truecase |= !options->parts.truecase_source.empty() || !options->parts.truecase_target.empty();
    WriteModel(options->output, options->parts, config);
  });
}

}  // namespace graft::engine::cli
