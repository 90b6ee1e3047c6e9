// Whole models: translating with a table that somebody made, and sealing a model.toml of any form.
#include <cmath>
#include <filesystem>

#include "fuzz/fuzz_target.h"
#include "fuzz/targets/mended_sums.h"
#include "fuzz/targets/model_folders.h"
#include "graft/format.h"
#include "graft/translator.h"
#include "model/model_check.h"
#include "support/specs.h"
#include "table/rule_table.h"
#include "util/utf8.h"

namespace graft::engine::fuzz {
namespace {

// What is printed is a line each, and text.
void CheckTranslation(const graft::Translation& translation) {
  Require(IsValidUtf8(translation.text) && translation.text.find('\n') == std::string::npos, "a text that is no line");
  Require(std::isfinite(translation.score), "a score that is no number");
  for (const graft::Token& token : translation.tokens)
    Require(!token.text.empty() && token.text.find_first_of(" \t\n") == std::string::npos, "a token that is none");
}

// Words of the table, one that it does not know, and the heads of a chain or a star.
Input SentenceOf(const RuleTable& table, bool trees, bool star) {
  std::vector<std::string> tokens = {"unseen"};
  for (WordId id = 0; id < table.source_words() && tokens.size() < 6; ++id) {
    const std::string word(table.SourceWord(id));
    if (!word.empty() && word.find_first_of(" \t\r") == std::string::npos) tokens.push_back(word);
  }
  if (!trees) return Input::Tokens(tokens);
  std::vector<Word> words;
  for (const std::string& token : tokens)
    words.push_back({token, "N", star ? (words.empty() ? 0 : 1) : static_cast<int>(words.size()), "dep"});
  return Input::Parsed(words);
}

// A table, and a byte that decides about the sentence.
void RunTranslate(std::string_view bytes) {
  std::string whole(bytes);
  const bool star = !whole.empty() && (whole.back() & 2) != 0;
  if (!whole.empty()) whole.pop_back();
  MendSums(&whole);
  std::filesystem::create_directories(ScratchPath("translated"));
  const std::string path = WriteScratch("translated/rules.graft", whole);
  Accepts([&] {
    const RuleTable table = RuleTable::Open(path);
    ModelConfig config;
    config.system = table.spec();
    const std::string folder = MakeModelFolder("translated", config);
    const auto model = graft::Model::Open(folder, {"search.beam=10"});
    const graft::Translator translator(model, {.threads = 1});
    const Input input = SentenceOf(table, model->info().reads_trees, star);
    const Result result = translator.Translate(input, {.alternatives = 4, .derivation = true});
    for (const graft::Sentence& sentence : result.sentences) {
      CheckTranslation(sentence.best);
      for (const graft::Translation& translation : sentence.alternatives) CheckTranslation(translation);
      Require(JsonOf(sentence, true).find('\n') == std::string::npos, "JSON of several lines");
      for (const std::string& line : NBestLines(sentence, 0)) ParseNBestLine(line);
      ExplanationOf(sentence, 0);
    }
  });
}

// A model.toml that is taken says the same once it is sealed, and sealing it again changes nothing.
void RunSeal(std::string_view bytes) {
  ModelConfig config;
  config.system = fixtures::SpecOf("pbmt");
  const std::string folder = SmallModelFolder("sealed", config);
  const std::string path = WriteScratch("sealed/model.toml", bytes);
  std::string before;
  if (!Accepts([&] { before = ModelToml(ReadModelToml(path, {})); })) return;
  if (!Accepts([&] { SealFolder(folder, {}); })) {
    Require(ReadWhole(path) == bytes, "a model.toml that was not sealed and has changed");
    return;
  }
  const std::string sealed = ReadWhole(path);
  const ModelDescription description = ReadModelDescription(path, {});
  Require(ModelToml(description.config) == before, "sealing changes what a model.toml says");
  Require(!description.edited && !description.files.empty(), "sums that are not those of the model");
  SealFolder(folder, {});
  Require(ReadWhole(path) == sealed, "sealing twice changes the text");
}

const bool registered = Register({"translate", "translating with tables whose sums agree, through the public library",
                                  RunTranslate, 65536}) &&
                        Register({"seal", "model.toml before and after `graft model seal`", RunSeal});

}  // namespace
}  // namespace graft::engine::fuzz
