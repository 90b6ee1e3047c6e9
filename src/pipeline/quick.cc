#include "pipeline/quick.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "corpus/source_reader.h"
#include "graft/error.h"
#include "rules/system_options.h"
#include "util/compression.h"
#include "util/line_reader.h"
#include "util/toml_file.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostHeldOut = 1000;
constexpr uint64_t kLeastTuned = 10;  // fewer sentences say nothing about weights
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

uint64_t CountSentences(const std::string& path, bool parsed, const Reporter& reporter) {
  SourceOptions options;
  options.projectivise = false;
  return SourceReader(path, parsed ? SourceFormat::kConllu : SourceFormat::kText, options, reporter).CountRest();
}

bool EndsInAttachedPunctuation(std::string_view token) {
  static constexpr std::string_view kMarks[] = {".", "!", "?", ",", ";", ":", "。", "！", "？", "，"};
  for (const std::string_view mark : kMarks)
    if (token.size() > mark.size() && token.ends_with(mark))
      return std::isalpha(static_cast<unsigned char>(token[token.size() - mark.size() - 1])) != 0 ||
             static_cast<unsigned char>(token[token.size() - mark.size() - 1]) >= 0x80;
  return false;
}

// U+3040 to U+9FFF: Kana and Han.
bool StartsInEastAsianScript(std::string_view token) {
  return token.size() >= 3 && static_cast<unsigned char>(token[0]) >= 0xE3 &&
         static_cast<unsigned char>(token[0]) <= 0xE9 &&
         !(token[0] == '\xE3' && static_cast<unsigned char>(token[1]) < 0x81);
}

}  // namespace

bool LooksRaw(const std::string& path, const Reporter& reporter) {
  LineReader lines(path, reporter);
  uint64_t judged = 0;
  uint64_t raw = 0;
  uint64_t han_tokens = 0;
  uint64_t han_bytes = 0;
  while (judged < kJudgedLines && lines.Next()) {
    const std::vector<std::string_view> tokens = SplitTokens(lines.line());
    if (tokens.empty()) continue;
    ++judged;
    if (EndsInAttachedPunctuation(tokens.back())) ++raw;
    for (const std::string_view token : tokens) {
      if (!StartsInEastAsianScript(token)) continue;
      ++han_tokens;
      han_bytes += token.size();
    }
  }
  // Words of Chinese and Japanese have about two characters of three bytes; unspaced text has whole clauses.
  if (han_tokens > judged / 4 && han_bytes > 12 * han_tokens) return true;
  return judged > 0 && static_cast<double>(raw) > kRawShare * static_cast<double>(judged);
}

QuickConfig MakeQuickConfig(const QuickOptions& options, const Reporter& reporter) {
  for (const std::string& path : {options.source, options.target})
    if (path == "-")
      throw Error("quick training (--quick) reads its files several times, so stdin will not do; name files");
  if (!fs::exists(options.source)) throw Error("cannot open " + options.source + ": no such file");
  if (SourceFormatOf(options.target) == SourceFormat::kConllu)
    throw Error(options.target + ": the target is CoNLL-U; are source and target swapped?");
  const bool parsed = SourceFormatOf(options.source) == SourceFormat::kConllu;
  const bool raw_source = !parsed && LooksRaw(options.source, reporter);
  const bool raw_target = LooksRaw(options.target, reporter);
  const bool raw = options.tokenised ? !*options.tokenised : raw_source || raw_target;
  const uint64_t pairs = CountLines(options.target, reporter);
  if (pairs == 0) throw Error(options.target + ": is empty; give sentences, one a line");
  const uint64_t sources = CountSentences(options.source, parsed, reporter);
  if (sources != pairs)
    throw Error(
        fmt::format("{} has {} {}, but {} has {} lines; they must be translations of each other, line by line. "
                    "`graft check` says more.",
                    options.source, sources, parsed ? "sentences" : "lines", options.target, pairs));
  const uint64_t held_out = std::min(kMostHeldOut, pairs / 20);
  const uint64_t tuned_on = held_out >= kLeastTuned ? held_out : 0;
  const uint64_t trained = pairs - held_out - tuned_on;

  const std::string source = TomlString(fs::absolute(options.source).string());
  const std::string target = TomlString(fs::absolute(options.target).string());
  const std::vector<std::string> languages = {LanguageOf(options.source), LanguageOf(options.target)};
  const bool named = !languages[0].empty() && !languages[1].empty();

  QuickConfig quick;
  quick.toml = fmt::format("# Made by graft train --quick; change what you like and train with it.\noutput = {}\n\n",
                           TomlString(fs::absolute(options.output).lexically_normal().string()));
  const std::string system = !options.system.empty() ? options.system : parsed ? kTreeSystem : kPhraseSystem;
  quick.toml += fmt::format("[system]\nname = {}\n", TomlString(system));
  if (FindPreset(system).takes.graph) quick.toml += fmt::format("graph = \"{}\"\n", GraphName(kUsualGraph));
  quick.toml += fmt::format("\n[corpus]\nsource = {}\ntarget = {}\n", source, target);
  if (held_out > 0) quick.toml += fmt::format("limit = {}\n", trained);
  quick.toml += fmt::format("tokenised = {}\ntruecase = {}\n", !raw, raw);
  if (named) quick.toml += fmt::format("languages = [\"{}\", \"{}\"]\n", languages[0], languages[1]);
  if (tuned_on > 0)
    quick.toml += fmt::format("\n[dev]\nsource = {}\nreferences = [{}]\nskip = {}\nlimit = {}\n", source, target,
                              trained, tuned_on);
  if (held_out > 0)
    quick.toml += fmt::format("\n[test.held-out]\nsource = {}\nreferences = [{}]\nskip = {}\n", source, target,
                              trained + tuned_on);

  quick.parsed = parsed;
  if (!raw)
    quick.explanation += "The text is tokenised: it stays as it is.\n";
  else if (options.tokenised || parsed || raw_source == raw_target)
    quick.explanation += "The text is raw: it is tokenised and truecased.\n";
  else
    quick.explanation += fmt::format("{} is raw text: both sides are tokenised and truecased.\n",
                                     raw_source ? options.source : options.target);
  quick.explanation += fmt::format("Pairs 1-{} are trained on", trained);
  if (tuned_on > 0) quick.explanation += fmt::format(", {}-{} tune the weights", trained + 1, trained + tuned_on);
  if (held_out > 0) quick.explanation += fmt::format(", {}-{} are the test set", trained + tuned_on + 1, pairs);
  quick.explanation += tuned_on > 0 ? "." : "; too few to tune the weights, which keep their defaults.";
  return quick;
}

std::string ExplainSystem(const QuickConfig& quick, const SystemSpec& system) {
  std::string text = fmt::format("The source is {}: {}", quick.parsed ? "CoNLL-U" : "plain text", system.name);
  if (system.graph == GraphKind::kTree) text += " on the dependency tree";
  if (system.graph == GraphKind::kDsg) text += " on the dependency-sibling graph";
  if (system.graph == GraphKind::kDbg) text += " on the dependency-bigram graph";
  if (system.graph == GraphKind::kUnion) text += " on the union of the sibling and the bigram graph";
  if (system.graph == GraphKind::kDeg) text += " on the dependency edge graph";
  return text + ".";
}

std::string OverriddenSystem(const std::vector<std::string>& overrides) {
  toml::table set;
  for (const std::string& one : overrides) ApplyOverride(one, &set);
  return set["system"]["name"].value_or(std::string());
}

std::string WithOverrides(const std::string& toml, const std::vector<std::string>& overrides) {
  if (overrides.empty()) return toml;
  toml::table root = ParseTomlText(toml, "--quick");
  for (const std::string& one : overrides) ApplyOverride(one, &root);
  std::ostringstream text;
  text << toml.substr(0, toml.find('\n') + 1) << root << '\n';
  return text.str();
}

}  // namespace graft::engine
