#include "text/text_options.h"

#include <algorithm>

#include "graft/error.h"
#include "text/text_option_table.h"

namespace graft::engine {

// In the order in which model.toml writes them.
const OptionTable<TextOptions>& TextOptionTable() {
  static const OptionTable<TextOptions> table = {
      .section = "text",
      .help = "How plain text becomes the tokens that a model was trained on, and back.",
      .options = {{.key = "tokeniser",
                   .field = {Member(&TextOptions::tokeniser), TextTokenisers()},
                   .help = "none: text is tokenised already and stays as it is; icu: it is tokenised, and translations "
                           "are put together again"},
                  {.key = "lowercase",
                   .field = Member(&TextOptions::lowercase),
                   .help = "Text is lower-cased; excludes truecase"},
                  {.key = "truecase",
                   .field = Member(&TextOptions::truecase),
                   .help = "Words at the start of a sentence take their usual case"},
                  {.key = "languages",
                   .field = Member(&TextOptions::languages),
                   .help = "Of source and target, `[\"de\", \"en\"]`; the tokeniser's rules follow them"}}};
  return table;
}

std::vector<std::string> TextTokenisers() { return {"none", "icu"}; }

void CheckTextOptions(const TextOptions& options) {
  const std::vector<std::string> known = TextTokenisers();
  if (std::find(known.begin(), known.end(), options.tokeniser) == known.end())
    throw Error("text.tokeniser must be \"none\" (text is tokenised already) or \"icu\", not \"" + options.tokeniser +
                "\"");
  if (options.lowercase && options.truecase)
    throw Error("text.lowercase and text.truecase exclude each other; choose one");
  if (options.languages.size() > 2)
    throw Error("text.languages must be those of source and target, e.g. [\"de\", \"en\"]");
}

}  // namespace graft::engine
