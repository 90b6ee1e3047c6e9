#include "text/text_options.h"

#include "graft/error.h"

namespace graft::engine {

void CheckTextOptions(const TextOptions& options) {
  if (options.tokeniser != "none" && options.tokeniser != "icu")
    throw Error("text.tokeniser must be \"none\" (text is tokenised already) or \"icu\", not \"" + options.tokeniser +
                "\"");
  if (options.lowercase && options.truecase)
    throw Error("text.lowercase and text.truecase exclude each other; choose one");
  if (options.languages.size() > 2)
    throw Error("text.languages must be those of source and target, e.g. [\"de\", \"en\"]");
}

}  // namespace graft::engine
