// Inputs of the public library: what it makes of values, what its reader gives of files, and both of the same text.
#include <algorithm>

#include "fuzz/fuzz_target.h"
#include "fuzz/targets/model_folders.h"
#include "graft/translator.h"
#include "library/access.h"
#include "support/specs.h"
#include "translation/prepared_input.h"
#include "util/utf8.h"

namespace graft::engine::fuzz {
namespace {

std::shared_ptr<const graft::Model> OpenSmall(const char* name, const SystemSpec& system, const TextOptions& text) {
  ModelConfig config;
  config.system = system;
  config.text = text;
  return graft::Model::Open(SmallModelFolder(name, config));
}

const std::shared_ptr<const graft::Model>& ModelOf(int which) {
  static const std::vector<std::shared_ptr<const graft::Model>> models = {
      OpenSmall("tokens", fixtures::SpecOf("pbmt"), {}),
      OpenSmall("raw", fixtures::SpecOf("pbmt"), {.tokeniser = "icu", .languages = {"de", "en"}}),
      OpenSmall("trees", fixtures::SpecOf("seggbmt", "dbg"), {})};
  return models[static_cast<size_t>(which)];
}

// The sentences as search gets them, and where their tokens stand.
PreparedInput Checked(const graft::Model& model, const Input& input) {
  const engine::Model& engine = internal::ModelAccess::Engine(model);
  PreparedInput prepared = Prepare(engine, engine.system().reading.options(), input);
  size_t end = 0;
  for (const PreparedSentence& sentence : prepared.sentences) {
    Require(sentence.range.begin >= end && sentence.range.end <= prepared.source.size(), "sentences that overlap");
    end = sentence.range.end;
    Require(sentence.tokens.size() == sentence.sentence.tokens.size(), "another number of ranges");
    size_t at = sentence.range.begin;
    for (const TextRange& token : sentence.tokens) {
      Require(token.begin >= at && token.end >= token.begin && token.end <= sentence.range.end, "tokens out of order");
      at = token.end;
    }
    for (const int head : sentence.sentence.heads)
      Require(head >= 0 && head <= sentence.sentence.size(), "a head out of range");
  }
  return prepared;
}

Input Draw(ByteSource* source) {
  const int kind = source->Below(5);
  const std::string text(source->Rest());
  std::vector<std::string> tokens;
  std::vector<Word> words;
  switch (kind) {
    case 0: return Input::Text(text);
    case 1: return Input::Line(text);
    case 2: return Input::Conllu(text);
    case 3:
      for (const std::string_view token : SplitFields(text, "\n")) tokens.emplace_back(token);
      return Input::Tokens(tokens);
    default:
      for (const std::string_view line : SplitFields(text, "\n"))
        words.push_back({std::string(line.substr(0, 3)), "N", line.empty() ? -1 : line.back() - '0', "dep"});
      return Input::Parsed(words);
  }
}

// Two bytes for model and kind of input, then the text; it is also read as a file, in the form that it seems to have.
void Run(std::string_view bytes) {
  ByteSource source(bytes);
  const auto& model = ModelOf(source.Below(3));
  const Input input = Draw(&source);
  std::vector<std::vector<std::string>> from_text, from_file;
  const bool taken = Accepts([&] {
    for (const PreparedSentence& sentence : Checked(*model, input).sentences)
      from_text.push_back(sentence.sentence.tokens);
  });
  const std::string path = WriteScratch("inputs.txt", source.Rest());
  const auto read = [&](const std::string& form) {
    return Accepts([&] {
      InputReader reader(path, form, {model});
      for (Input next; reader.Next(&next);)
        for (const PreparedSentence& sentence : Checked(*model, next).sentences)
          from_file.push_back(sentence.sentence.tokens);
    });
  };
  read("");
  from_file.clear();
  if (input.kind() != Input::Kind::kConllu || source.Rest().starts_with("\xEF\xBB\xBF")) return;
  Require(read("conllu") == taken, "CoNLL-U that is taken as a text or as a file only");
  if (taken) Require(from_file == from_text, "other sentences of the same CoNLL-U");
}

const bool registered = Register({"inputs", "inputs of the library as values and as files", Run});

}  // namespace
}  // namespace graft::engine::fuzz
