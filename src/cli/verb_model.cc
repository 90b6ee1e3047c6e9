// graft model new: assembles a model folder from a table, a language model and weights.
#include "cli/common.h"
#include "search/model.h"
#include "table/rule_table.h"

namespace graft::cli {

void AddModel(CLI::App* app) {
  struct Options {
    std::string table, lm, weights, output;
    bool lowercase = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* model = app->add_subcommand("model", "Work with model folders");
  model->require_subcommand(1);
  CLI::App* verb = model->add_subcommand("new", "Assemble a model from a table, a language model and weights");
  verb->add_option("--table", options->table, "Rule table (graft table build)")->required();
  verb->add_option("--lm", options->lm, "Language model: ARPA or KenLM binary")->required();
  verb->add_option("--weights", options->weights,
                   "TOML file with [weights], optionally [search] and [text]; default weights without it");
  verb->add_flag("--lowercase", options->lowercase,
                 "The model was trained on lower-cased text; input is lower-cased before look-up");
  verb->add_option("-o,--output", options->output, "Folder to write")->required();
  verb->footer("Example:\n  graft model new --table rules.graft --lm lm.bin --weights weights.toml -o MODEL");
  verb->callback([options] {
    ModelConfig config;
    const RuleTable table = RuleTable::Open(options->table);
    table.Verify();  // a damaged table is found before it is copied
    config.system = table.spec();
    if (!options->weights.empty()) ReadWeightsFile(options->weights, &config);
    config.text.lowercase |= options->lowercase;
    WriteModel(options->output, options->table, options->lm, config);
  });
}

}  // namespace graft::cli
