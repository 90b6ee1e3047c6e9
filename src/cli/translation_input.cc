#include "cli/translation_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "graft/error.h"

namespace graft::engine::cli {

void TranslationInputOption::AddTo(CLI::App* app) {
  app->add_option("FILE", file, "Input; - is stdin")->capture_default_str();
  app->add_option(
         "--input", format,
         "Form of the input: tokens (text), text the model tokenises (raw), CoNLL-U. By extension (stdin: conllu for "
         "systems with trees); other files are raw for a model that tokenises, else text")
      ->check(CLI::IsMember({"conllu", "text", "raw"}));
}

TranslationInput::Form TranslationInput::FormOf(const TranslationInputOption& option,
                                                const std::vector<NamedModel>& models) {
  const auto tree = std::find_if(models.begin(), models.end(),
                                 [](const NamedModel& each) { return each.model->system().reads_tree(); });
  const bool reads_tree = tree != models.end();
  const bool tokenises = models[0].model->text().tokenises();
  const bool conllu = option.format.empty() && option.file == "-" ? reads_tree
                      : option.format.empty()                     ? SourceFormatOf(option.file) == SourceFormat::kConllu
                                                                  : option.format == "conllu";
  if (conllu) return Form::kConllu;
  const bool raw = option.format == "raw" || (option.format.empty() && tokenises);
  if (reads_tree && raw)
    throw Error(
        fmt::format("{}: raw text needs a model with a parser, and this model has none; give CoNLL-U (a .conllu "
                    "file, or --input conllu)",
                    option.file));
  if (reads_tree)
    throw Error(fmt::format("{}: {} translates parsed sentences; give CoNLL-U (a .conllu file, or --input conllu)",
                            option.file, tree->model->system().name));
  if (raw && !tokenises)
    throw Error(
        "--input raw needs a model that tokenises (text.tokeniser = \"icu\"), and this model does not; give "
        "tokenised text or CoNLL-U");
  return raw ? Form::kRaw : Form::kText;
}

TranslationInput::TranslationInput(const TranslationInputOption& option, const std::vector<NamedModel>& models,
                                   const Reporter& reporter)
    : text_(models[0].model->text()),
      name_(option.file),
      reporter_(reporter),
      wants_tags_(std::any_of(models.begin(), models.end(),
                              [](const NamedModel& each) { return each.model->system().labelled(); })) {
  const SourceOptions source = RequireSameText(models);
  form_ = FormOf(option, models);
  if (form_ == Form::kRaw)
    lines_.emplace(option.file, reporter);
  else
    sentences_.emplace(option.file, form_ == Form::kConllu ? SourceFormat::kConllu : SourceFormat::kText, source,
                       reporter);
}

bool TranslationInput::Next(TranslationItem* item) {
  item->id = next_id_++;
  if (form_ != Form::kRaw) {
    const bool read = sentences_->Next(&item->sentence);
    if (wants_tags_) NoteTags(read ? &item->sentence : nullptr);
    return read;
  }
  if (!lines_->Next()) return false;
  item->line = lines_->line();
  return true;
}

void TranslationInput::NoteTags(const Sentence* sentence) {
  if (sentence == nullptr) {
    if (words_seen_)
      reporter_.Warn(fmt::format(
          "{}: no word has a part of speech (XPOS or UPOS), which the model uses; tag it as the training text was",
          name_));
  } else {
    words_seen_ |= !sentence->tokens.empty();
    wants_tags_ =
        std::all_of(sentence->tags.begin(), sentence->tags.end(), [](const std::string& tag) { return tag == "_"; });
  }
}

void TranslationInput::Tokenise(TranslationItem* item) const {
  if (form_ == Form::kRaw) item->sentence = {.tokens = text_.Split(Side::kSource, item->line)};
}

std::string TranslationInput::Present(std::vector<std::string> tokens) const {
  return form_ == Form::kText ? text_.PresentTokens(std::move(tokens)) : text_.Present(std::move(tokens));
}

}  // namespace graft::engine::cli
