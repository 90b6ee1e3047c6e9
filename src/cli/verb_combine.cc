// graft combine: one translation of several models, by consensus over their n-best lists.
#include <memory>

#include "cli/common.h"
#include "cli/option_flags.h"
#include "cli/translation_input.h"
#include "combine/combine_table.h"
#include "combine/combiner.h"
#include "graft/combine.h"
#include "util/output_file.h"

namespace graft::engine::cli {
namespace {

struct Options {
  std::vector<std::string> models;
  TranslationInputOption input;
  std::string output = "-";
  graft::CombineOptions combine;
  bool json = false;
  ThreadOption threads;
};

void Combine(const Options& options) {
  CheckConsensusWeights(options.combine.weights, options.models.size());  // before anything is opened
  const Reporter reporter = ConsoleReporter();
  std::vector<std::shared_ptr<const graft::Model>> models;
  for (const std::string& folder : options.models) models.push_back(graft::Model::Open(folder, {}, reporter));
  InputReader input(options.input.file, options.input.format, models, reporter);
  OutputFile output(options.output);
  graft::CombineOptions combine = options.combine;
  combine.threads = options.threads.value();
  const graft::Combiner combiner(models, combine);

  uint64_t done = 0;
  try {
    combiner.CombineStream([&](Input* next) { return input.Next(next); },
                           [&](CombinedResult&& result) {
                             const CombinedSentence& combined = result.sentences.front();
                             output.Write((options.json ? JsonOf(combined, options.models) : combined.text) + "\n");
                             if (options.input.file == "-") output.Flush();
                             reporter.Progress("combine", ++done, 0);
                           });
  } catch (...) {
    output.Flush();  // what is already translated still reaches stdout (a file is complete or absent)
    throw;
  }
  output.Close();
  reporter.Progress("combine", done, done);
}

}  // namespace

void AddCombine(CLI::App* app) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      app->add_subcommand("combine", "Translate with several models at once: the consensus of their lists");
  verb->add_option("-m,--model", options->models, "Model folder; once for each model")
      ->required()
      ->allow_extra_args(false);
  options->input.AddTo(verb);
  verb->add_option("-o,--output", options->output, "Output file; - is stdout")->capture_default_str();
  AddFlags(verb, CombineOptionTable(), {}, &options->combine);
  verb->add_flag("--json", options->json,
                 "One JSON object a sentence: text, expected BLEU, probability, models that have it in their lists");
  options->threads.AddTo(verb);
  verb->footer(
      "Chosen is, of all translations in all lists, the one with the greatest expected BLEU against all of them.\n"
      "The models must have been trained on text of one kind (case, tokeniser); CoNLL-U serves every system.\n\n"
      "Examples:\n"
      "  graft combine -m PBMT -m HPBMT -m DBG test.de.conllu > test.out\n"
      "  graft combine -m PBMT -m DBG --weights 1,2 --json test.de.conllu");
  verb->callback([options] { Combine(*options); });
}

}  // namespace graft::engine::cli
