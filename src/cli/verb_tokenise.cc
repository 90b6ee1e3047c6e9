// graft tokenise: text to tokens and back, and the usual case of words, so that people can prepare text the way models
// see it.
#include <memory>

#include "cli/common.h"
#include "graft/text.h"

namespace graft::engine::cli {

void AddTokenise(CLI::App* app) {
  struct Options {
    TokeniseFileOptions file;
    ThreadOption threads;
  };
  auto options = std::make_shared<Options>();
  TokeniseFileOptions* file = &options->file;
  CLI::App* verb = app->add_subcommand("tokenise", "Split text into tokens, and put tokens together again");
  verb->add_option("FILE", file->input, "One sentence a line; - is stdin")->capture_default_str();
  verb->add_option("--language", file->tokeniser.language,
                   "Language of the text (en, de, fr, zh, …): apostrophes, abbreviations and spacing follow it");
  verb->add_flag("--undo", file->undo, "Tokens in, text out");
  verb->add_flag("--tokenised", file->tokeniser.tokenised,
                 "The text is tokenised already and stays so; for truecasing alone");
  CLI::Option* train = verb->add_option("--truecase-train", file->truecase_output,
                                        "Also learn the usual case of words and write it to this file");
  verb->add_option("--truecase", file->tokeniser.truecase,
                   "Truecase with this file: words at sentence starts take their usual case; with --undo they are "
                   "capitalised")
      ->excludes(train);
  verb->add_option("-o,--output", file->output, "Output file; - is stdout")->capture_default_str();
  options->threads.AddTo(verb);
  verb->footer(
      "Examples:\n"
      "  graft tokenise --language de raw.de -o train.de --truecase-train truecase.de\n"
      "  graft tokenise --language en --undo output.tok");
  verb->callback([options] {
    options->file.threads = options->threads.value();
    TokeniseFile(options->file, ConsoleReporter());
  });
}

}  // namespace graft::engine::cli
