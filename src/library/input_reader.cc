#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "corpus/source_reader.h"
#include "corpus/source_settings.h"
#include "graft/error.h"
#include "graft/input.h"
#include "library/access.h"
#include "model/model_group.h"
#include "util/line_reader.h"
#include "util/suggest.h"
#include "util/utf8.h"

namespace graft {
namespace {

using engine::NamedModel;

enum class Form { kConllu, kText, kRaw };  // kText: tokens; kRaw: text that the models tokenise

constexpr size_t kLongLine = 10'000;  // words: more than a sentence by any account

std::vector<NamedModel> Named(const std::vector<std::shared_ptr<const Model>>& models) {
  std::vector<NamedModel> named;
  for (const auto& model : models) named.push_back({model->info().folder, &internal::ModelAccess::Engine(*model)});
  return named;
}

Form FormOf(const std::string& file, const std::string& form, const std::vector<NamedModel>& models,
            engine::LineReader* lines) {
  const std::vector<std::string> forms = engine::InputFormNames();
  if (!form.empty() && std::find(forms.begin(), forms.end(), form) == forms.end())
    throw Error("unknown form of input `" + form + "`" + engine::Suggestion(form, forms));
  const auto tree = std::find_if(models.begin(), models.end(),
                                 [](const NamedModel& each) { return each.model->system().reads_tree(); });
  const bool reads_tree = tree != models.end();
  const bool tokenises = models[0].model->text().tokenises();
  const std::string given = form == "raw" ? "text" : form;  // which of both, is below
  if (engine::ChooseFormat(given, file, reads_tree, lines) == engine::SourceFormat::kConllu) return Form::kConllu;
  const bool raw = form == "raw" || (form.empty() && tokenises);
  if (reads_tree && raw)
    throw Error(
        fmt::format("{}: raw text needs a model with a parser, and this model has none; give CoNLL-U (a .conllu "
                    "file, or the form conllu: --input conllu)",
                    file));
  if (reads_tree)
    throw Error(
        fmt::format("{}: {} translates parsed sentences; give CoNLL-U (a .conllu file, or the form conllu: "
                    "--input conllu)",
                    file, tree->model->system().name));
  if (raw && !tokenises)
    throw Error(
        "raw input (--input raw) needs a model that tokenises (text.tokeniser = \"icu\"), and this model does not; "
        "give tokenised text or CoNLL-U");
  return raw ? Form::kRaw : Form::kText;
}

std::vector<Word> WordsOf(engine::Sentence&& sentence) {
  std::vector<Word> words(sentence.tokens.size());
  for (size_t i = 0; i < words.size(); ++i)
    words[i] = {std::move(sentence.tokens[i]), std::move(sentence.tags[i]), sentence.heads[i],
                std::move(sentence.relations[i])};
  return words;
}

}  // namespace

struct InputReader::Impl {
  Impl(const std::string& file, const std::string& wanted, const std::vector<NamedModel>& models, const Reporter& given)
      : name(file), reporter(given), wants_tags(std::any_of(models.begin(), models.end(), [](const NamedModel& each) {
          return each.model->system().labelled();
        })) {
    const engine::SourceOptions reading = RequireSameText(models);
    lines.emplace(file, reporter);
    form = FormOf(file, wanted, models, &*lines);
    if (form != Form::kRaw)
      sentences.emplace(std::move(*lines),
                        form == Form::kConllu ? engine::SourceFormat::kConllu : engine::SourceFormat::kText, reading,
                        reporter);
  }

  // Translating takes as long as its words take, in any number of lines; but one line gives nothing before its end.
  void NoteLength(size_t words, uint64_t line) {
    if (words <= kLongLine || long_seen) return;
    long_seen = true;
    reporter.Warn(fmt::format(
        "{}:{}: a sentence of {} words, which is translated in pieces of {} and written when all are done; is the file "
        "one sentence a line?",
        name, line, words, engine::kMaxSentenceWords));
  }

  bool Next(Input* input) {
    if (form == Form::kRaw) {
      if (!lines->Next()) return false;
      if (lines->line().size() > kLongLine) NoteLength(engine::SplitTokens(lines->line()).size(), lines->line_number());
      *input = Input::Line(std::string(lines->line()));
      return true;
    }
    engine::Sentence sentence;
    const bool read = sentences->Next(&sentence);
    if (wants_tags) NoteTags(read ? &sentence : nullptr);
    if (!read) return false;
    NoteLength(sentence.tokens.size(), sentences->line_number());
    *input =
        form == Form::kText ? Input::Tokens(std::move(sentence.tokens)) : Input::Parsed(WordsOf(std::move(sentence)));
    return true;
  }

  // Warns at the end (a null sentence) of an input without any tag.
  void NoteTags(const engine::Sentence* sentence) {
    if (sentence == nullptr) {
      if (words_seen)
        reporter.Warn(fmt::format(
            "{}: no word has a part of speech (XPOS or UPOS), which the model uses; tag it as the training text was",
            name));
    } else {
      words_seen |= !sentence->tokens.empty();
      wants_tags =
          std::all_of(sentence->tags.begin(), sentence->tags.end(), [](const std::string& tag) { return tag == "_"; });
    }
  }

  const std::string name;
  const Reporter reporter;
  bool wants_tags;  // and none has been seen yet
  bool words_seen = false;
  bool long_seen = false;
  Form form = Form::kConllu;
  std::optional<engine::SourceReader> sentences;
  std::optional<engine::LineReader> lines;
};

InputReader::InputReader(const std::string& file, const std::string& form,
                         const std::vector<std::shared_ptr<const Model>>& models, const Reporter& reporter)
    : impl_(std::make_unique<Impl>(file, form, Named(models), reporter)) {}
InputReader::~InputReader() = default;
InputReader::InputReader(InputReader&&) noexcept = default;

bool InputReader::Next(Input* input) { return impl_->Next(input); }

}  // namespace graft
