// graft tokenise: text to tokens and back, and the usual case of words, so that people can prepare text the way models
// see it.
#include <memory>

#include "cli/common.h"
#include "graft/error.h"
#include "text/tokeniser.h"
#include "text/truecaser.h"
#include "util/line_reader.h"
#include "util/output_file.h"
#include "util/parallel.h"
#include "util/utf8.h"

namespace graft::engine::cli {
namespace {

constexpr size_t kBatchLines = 256;

struct Options {
  std::string input = "-", output = "-", language, truecase, truecase_train;
  bool undo = false, tokenised = false;
  ThreadOption threads;
};

// What one line becomes.
class LineWork {
 public:
  explicit LineWork(const Options& options) : options_(options), tokeniser_(options.language) {
    if (!options.truecase.empty()) truecaser_ = Truecaser::Read(options.truecase, ConsoleReporter());
  }
  std::vector<std::string> Tokens(std::string_view line) const {
    if (!options_.undo && !options_.tokenised) return tokeniser_.Tokenise(line);
    const std::vector<std::string_view> tokens = SplitTokens(line);
    return {tokens.begin(), tokens.end()};
  }
  std::string operator()(std::string_view line) const {
    std::vector<std::string> tokens = Tokens(line);
    if (!options_.truecase.empty()) {
      if (options_.undo)
        Truecaser::Undo(&tokens);
      else
        truecaser_.Apply(&tokens);
    }
    return options_.undo && !options_.tokenised ? tokeniser_.Detokenise(tokens) : JoinTokens(tokens);
  }

 private:
  const Options& options_;
  Tokeniser tokeniser_;
  Truecaser truecaser_;
};

void Tokenise(const Options& options) {
  const Reporter reporter = ConsoleReporter();
  const LineWork work(options);
  Truecaser learned;
  LineReader lines(options.input, reporter);
  OutputFile output(options.output);
  uint64_t done = 0;
  using Batch = std::vector<std::string>;
  const size_t most = options.input == "-" && options.truecase_train.empty() ? 1 : kBatchLines;
  RunOrdered<Batch, Batch>(
      options.threads.value(),
      [&](Batch* batch) {
        batch->clear();
        while (batch->size() < most && lines.Next()) batch->emplace_back(lines.line());
        return !batch->empty();
      },
      [&](int, Batch&& batch) {
        for (std::string& line : batch) line = work(line) + "\n";
        return std::move(batch);
      },
      [&](Batch&& batch) {
        for (const std::string& line : batch) {
          output.Write(line);
          if (options.truecase_train.empty()) continue;
          const auto tokens = SplitTokens(std::string_view(line).substr(0, line.size() - 1));
          learned.Count({tokens.begin(), tokens.end()});
        }
        if (options.input == "-") output.Flush();
        reporter.Progress("tokenise", done += batch.size(), 0);
      });
  output.Close();
  if (!options.truecase_train.empty()) {
    learned.Finish();
    learned.Write(options.truecase_train);
  }
  reporter.Progress("tokenise", done, done);
}

}  // namespace

void AddTokenise(CLI::App* app) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app->add_subcommand("tokenise", "Split text into tokens, and put tokens together again");
  verb->add_option("FILE", options->input, "One sentence a line; - is stdin")->capture_default_str();
  verb->add_option("--language", options->language,
                   "Language of the text (en, de, fr, zh, …): apostrophes, abbreviations and spacing follow it");
  verb->add_flag("--undo", options->undo, "Tokens in, text out");
  verb->add_flag("--tokenised", options->tokenised, "The text is tokenised already and stays so; for truecasing alone");
  CLI::Option* train = verb->add_option("--truecase-train", options->truecase_train,
                                        "Also learn the usual case of words and write it to this file");
  verb->add_option("--truecase", options->truecase,
                   "Truecase with this file: words at sentence starts take their usual case; with --undo they are "
                   "capitalised")
      ->excludes(train);
  verb->add_option("-o,--output", options->output, "Output file; - is stdout")->capture_default_str();
  options->threads.AddTo(verb);
  verb->footer(
      "Examples:\n"
      "  graft tokenise --language de raw.de -o train.de --truecase-train truecase.de\n"
      "  graft tokenise --language en --undo output.tok");
  verb->callback([options] {
    if (options->undo && !options->truecase_train.empty())
      throw Error("--truecase-train learns from text and means nothing with --undo");
    if (options->tokenised && options->truecase.empty() && options->truecase_train.empty())
      throw Error("--tokenised leaves nothing to do without --truecase or --truecase-train");
    Tokenise(*options);
  });
}

}  // namespace graft::engine::cli
