#include "graft/text.h"

#include <utility>

#include "graft/error.h"
#include "library/resources.h"
#include "text/tokeniser.h"
#include "text/truecaser.h"
#include "util/line_reader.h"
#include "util/output_file.h"
#include "util/parallel.h"
#include "util/utf8.h"

namespace graft {
namespace {

constexpr size_t kBatchLines = 256;

using Lines = std::vector<std::string>;

std::vector<std::string> Words(std::string_view line) {
  const std::vector<std::string_view> words = engine::SplitTokens(line);
  return {words.begin(), words.end()};
}

void Check(const TokeniseFileOptions& options) {
  const bool learns = !options.truecase_output.empty();
  if (options.undo && learns)
    throw Error("learning the usual case of words (--truecase-train) means nothing with --undo; it needs text");
  if (options.tokeniser.tokenised && options.tokeniser.truecase.empty() && !learns)
    throw Error("text that is tokenised (--tokenised) leaves nothing to do without --truecase or --truecase-train");
}

}  // namespace

struct Tokeniser::Impl {
  Impl(const TokeniserOptions& given, const Reporter& reporter) : options(given), tokeniser(given.language) {
    if (!given.truecase.empty()) truecaser = engine::Truecaser::Read(given.truecase, reporter);
  }

  const TokeniserOptions options;
  engine::Tokeniser tokeniser;
  engine::Truecaser truecaser;
};

Tokeniser::Tokeniser(const TokeniserOptions& options, const Reporter& reporter)
    : impl_(std::make_unique<const Impl>(options, reporter)) {}
Tokeniser::~Tokeniser() = default;
Tokeniser::Tokeniser(Tokeniser&&) noexcept = default;

std::vector<std::string> Tokeniser::Tokens(std::string_view line) const {
  std::vector<std::string> tokens = impl_->options.tokenised ? Words(line) : impl_->tokeniser.Tokenise(line);
  if (!impl_->options.truecase.empty()) impl_->truecaser.Apply(&tokens);
  return tokens;
}

std::string Tokeniser::Text(std::vector<std::string> tokens) const {
  if (!impl_->options.truecase.empty()) engine::Truecaser::Undo(&tokens);
  return impl_->options.tokenised ? engine::JoinTokens(tokens) : impl_->tokeniser.Detokenise(tokens);
}

void TokeniseFile(const TokeniseFileOptions& options, const Reporter& reporter) {
  Check(options);
  const Tokeniser tokeniser(options.tokeniser, reporter);
  const bool learns = !options.truecase_output.empty();
  const bool stream = options.input == "-";
  engine::Truecaser learned;
  engine::LineReader lines(options.input, reporter);
  engine::OutputFile output(options.output);
  uint64_t done = 0;
  const size_t most = stream && !learns ? 1 : kBatchLines;
  engine::RunOrdered<Lines, Lines>(
      internal::ThreadsOf(options.threads),
      [&](Lines* batch) {
        batch->clear();
        while (batch->size() < most && lines.Next()) batch->emplace_back(lines.line());
        reporter.Progress("tokenise", done += batch->size(), 0);
        return !batch->empty();
      },
      [&](int, Lines&& batch) {
        for (std::string& line : batch)
          line = options.undo ? tokeniser.Text(Words(line)) : engine::JoinTokens(tokeniser.Tokens(line));
        return std::move(batch);
      },
      [&](Lines&& batch) {
        for (const std::string& line : batch) {
          output.Write(line + "\n");
          if (learns) learned.Count(Words(line));
        }
        if (stream) output.Flush();
      });
  output.Close();
  if (learns) {
    learned.Finish();
    learned.Write(options.truecase_output);
  }
  reporter.Progress("tokenise", done, done);
}

}  // namespace graft
