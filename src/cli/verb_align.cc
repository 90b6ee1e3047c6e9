// graft align: word alignment of a parallel corpus.
#include <fmt/format.h>

#include <memory>

#include "align/align_table.h"
#include "cli/common.h"
#include "cli/option_flags.h"
#include "graft/training_steps.h"

namespace graft::engine::cli {
namespace {

struct Align {
  graft::AlignOptions options;
  ThreadOption threads;
  MemoryOption memory;

  void Run() {
    options.threads = threads.value();
    options.memory = memory.text;
    const AlignSummary summary = graft::Align(options, ConsoleReporter());
    Note(summary.text);
    if (options.gold.empty()) return;
    options.output == "-" ? Note(summary.score_text) : Print(summary.score_text);
  }
};

}  // namespace

void AddAlign(CLI::App* app) {
  CLI::App* verb = app->add_subcommand("align", "Word alignment of a parallel corpus, both directions, symmetrised");
  auto align = std::make_shared<Align>();
  verb->add_option("SRC", align->options.source, "Source: tokenised text, or CoNLL-U (.conllu); - is stdin")
      ->required();
  verb->add_option("TGT", align->options.target, "Target: tokenised text, line for line; - is stdin")->required();
  verb->add_option("-o,--output", align->options.output, "Links i-j, counted from 0, a line for each pair")
      ->type_name("FILE")
      ->capture_default_str();
  AddFlags(verb, AlignOptionTable(), {.check_values = false}, &align->options);
  verb->add_option(
          "--score", align->options.gold,
          "Compare with these links and print AER, precision, recall, F1 (on stderr if the links go to stdout): "
          "i-j is sure, i?j possible")
      ->type_name("GOLD");
  AddFlags(verb, AlignVerbTable(), {}, &align->options);
  align->threads.AddTo(verb);
  align->memory.AddTo(verb);
  verb->footer(
      "\nExample:\n"
      "  graft align --lowercase train.de.conllu train.en -o train.align\n"
      "\nMemory: 20 bytes for each pair of words that occur together, 4 bytes a word, 64 MiB, and up to 1 GiB more "
      "where -S\n"
      "leaves room: 130 MB for 29,000 short pairs, 3 GB for 1,000,000 long ones. Pairs with an empty side or more than "
      "250\n"
      "words on a side get an empty line.");
  verb->callback([align] { align->Run(); });
}

}  // namespace graft::engine::cli
