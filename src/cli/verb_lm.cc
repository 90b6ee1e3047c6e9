#include <memory>

#include "cli/common.h"
#include "cli/option_flags.h"
#include "graft/training_steps.h"
#include "lm/lm_table.h"

namespace graft::engine::cli {
namespace {

struct LmVerb {
  LanguageModelOptions options;
  MemoryOption memory;
  int threads = 1;  // without effect: the estimator has its own

  void Run() {
    options.memory = memory.text;
    graft::EstimateLanguageModel(options, ConsoleReporter());
  }
};

}  // namespace

void AddLm(CLI::App* app) {
  CLI::App* command = app->add_subcommand(
      "lm", "Estimates an n-gram language model from tokenised text: interpolated modified Kneser-Ney.");
  auto verb = std::make_shared<LmVerb>();
  command->add_option("TEXT", verb->options.texts, "Texts, one sentence a line (.gz .zst .xz too; - is stdin)")
      ->required();
  command
      ->add_option("-o,--output", verb->options.output,
                   "Model to write: ARPA (.gz .zst .xz compress it; - is stdout), or KenLM's binary form when the name "
                   "ends in .bin, .binary or .klm")
      ->required();
  AddFlags(command, LmOptionTable(), {}, &verb->options);
  command->get_option("--prune")->expected(1, 6);
  verb->memory.AddTo(command);
  command
      ->add_option("--threads", verb->threads, "Accepted as by every verb; KenLM's estimator runs two steps at a time")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_option("-T,--temp", verb->options.temp_folder, "Folder for temporary files (default: $TMPDIR or /tmp)");
  AddFlags(command, LmVerbTable(), {}, &verb->options);
  command->footer(
      "Example:\n  graft lm train.en --order 5 --prune 0 0 1 -o lm.bin\n\n"
      "The ARPA file is the one KenLM's lmplz writes for the same text and settings.");
  command->callback([verb] { verb->Run(); });
}

}  // namespace graft::engine::cli
