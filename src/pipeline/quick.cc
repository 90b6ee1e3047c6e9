#include "pipeline/quick.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "corpus/source_reader.h"
#include "text/compression.h"
#include "text/error.h"
#include "text/line_reader.h"
#include "text/toml_file.h"
#include "text/utf8.h"

namespace graft {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostHeldOut = 1000;
constexpr uint64_t kJudgedLines = 2000;
constexpr double kRawShare = 0.2;  // of lines that end in a word with punctuation

// `train.de.conllu.xz` -> `de`; empty if the name does not say.
std::string LanguageOf(const std::string& path) {
  std::string name = fs::path(std::string(WithoutCompressionSuffix(path))).filename().string();
  if (SourceFormatOf(path) == SourceFormat::kConllu) name = fs::path(name).stem().string();
  const std::string extension = fs::path(name).extension().string();
  const bool code = extension.size() == 3 && std::islower(static_cast<unsigned char>(extension[1])) != 0 &&
                    std::islower(static_cast<unsigned char>(extension[2])) != 0;
  return code ? extension.substr(1) : "";
}

uint64_t CountLines(const std::string& path, const Reporter& reporter) {
  LineReader lines(path, reporter);
  uint64_t count = 0;
  while (lines.Next()) ++count;
  return count;
}

bool EndsInAttachedPunctuation(std::string_view token) {
  static constexpr std::string_view kMarks[] = {".", "!", "?", ",", ";", ":", "。", "！", "？", "，"};
  for (const std::string_view mark : kMarks)
    if (token.size() > mark.size() && token.ends_with(mark))
      return std::isalpha(static_cast<unsigned char>(token[token.size() - mark.size() - 1])) != 0 ||
             static_cast<unsigned char>(token[token.size() - mark.size() - 1]) >= 0x80;
  return false;
}

}  // namespace

bool LooksRaw(const std::string& path, const Reporter& reporter) {
  LineReader lines(path, reporter);
  uint64_t judged = 0;
  uint64_t raw = 0;
  while (judged < kJudgedLines && lines.Next()) {
    const std::vector<std::string_view> tokens = SplitTokens(lines.line());
    if (tokens.empty()) continue;
    ++judged;
    if (EndsInAttachedPunctuation(tokens.back())) ++raw;
  }
  return judged > 0 && static_cast<double>(raw) > kRawShare * static_cast<double>(judged);
}

QuickConfig MakeQuickConfig(const QuickOptions& options, const Reporter& reporter) {
  for (const std::string& path : {options.source, options.target})
    if (path == "-") throw Error("--quick reads its files several times, so stdin will not do; name files");
  const bool parsed = SourceFormatOf(options.source) == SourceFormat::kConllu;
  const bool raw = options.tokenised ? !*options.tokenised : LooksRaw(options.target, reporter);
  const uint64_t pairs = CountLines(options.target, reporter);
  if (pairs == 0) throw Error(options.target + ": is empty; give sentences, one a line");
  const uint64_t held_out = std::min(kMostHeldOut, pairs / 20);
  const uint64_t trained = pairs - 2 * held_out;

  const std::string source = TomlString(fs::absolute(options.source).string());
  const std::string target = TomlString(fs::absolute(options.target).string());
  const std::vector<std::string> languages = {LanguageOf(options.source), LanguageOf(options.target)};
  const bool named = !languages[0].empty() && !languages[1].empty();

  QuickConfig quick;
  quick.toml = fmt::format("# Made by graft train --quick; change what you like and train with it.\noutput = {}\n\n",
                           TomlString(fs::absolute(options.output).lexically_normal().string()));
  quick.toml += parsed ? "[system]\nname = \"seggbmt\"\ngraph = \"dbg\"\n" : "[system]\nname = \"pbmt\"\n";
  quick.toml += fmt::format("\n[corpus]\nsource = {}\ntarget = {}\n", source, target);
  if (held_out > 0) quick.toml += fmt::format("limit = {}\n", trained);
  quick.toml += fmt::format("tokenised = {}\ntruecase = {}\n", !raw, raw);
  if (named) quick.toml += fmt::format("languages = [\"{}\", \"{}\"]\n", languages[0], languages[1]);
  if (held_out > 0) {
    quick.toml += fmt::format("\n[dev]\nsource = {}\nreferences = [{}]\nskip = {}\nlimit = {}\n", source, target,
                              trained, held_out);
    quick.toml += fmt::format("\n[test.held-out]\nsource = {}\nreferences = [{}]\nskip = {}\n", source, target,
                              trained + held_out);
  }

  quick.explanation =
      parsed ? "The source is CoNLL-U: seggbmt on the dependency-bigram graph.\n" : "The source is plain text: pbmt.\n";
  quick.explanation +=
      raw ? "The text is raw: it is tokenised and truecased.\n" : "The text is tokenised: it stays as it is.\n";
  quick.explanation +=
      held_out == 0
          ? fmt::format("{} pairs are too few to keep some for tuning and testing: all are trained on.", pairs)
          : fmt::format("Pairs 1-{} are trained on, {}-{} tune the weights, {}-{} are the test set.", trained,
                        trained + 1, trained + held_out, trained + held_out + 1, pairs);
  return quick;
}

}  // namespace graft
