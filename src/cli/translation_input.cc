#include "cli/translation_input.h"

#include "corpus/source_settings.h"

namespace graft::engine::cli {

void TranslationInputOption::AddTo(CLI::App* app) {
  app->add_option("FILE", file, "Input; - is stdin")->capture_default_str();
  app->add_option("--input", format,
                  "Form of the input: tokens (text), text the model tokenises (raw), CoNLL-U. By name and content "
                  "(stdin: conllu for "
                  "systems with trees); what is not CoNLL-U is raw for a model that tokenises, else text")
      ->check(CLI::IsMember(InputFormNames()));
}

}  // namespace graft::engine::cli
