#include "lm/lm_table.h"

namespace graft::engine {

const OptionTable<graft::LanguageModelOptions>& LmOptionTable() {
  static const OptionTable<graft::LanguageModelOptions> table = {
      .section = "lm",
      .help =
          "The language model: how it is estimated, of what, or a finished one. `order` and `prune` are flags of "
          "`graft lm`.",
      .options = {{.key = "order",
                   .field = Member(&graft::LanguageModelOptions::order),
                   .help = "Longest n-gram",
                   .flag = "--order",
                   .range = {1, 6}},
                  {.key = "prune",
                   .field = Member(&graft::LanguageModelOptions::prune),
                   .help = "Drop n-grams seen at most this often: a threshold for each order, the last one for all "
                           "longer ones; 0 0 1 drops trigrams and longer n-grams seen once",
                   .flag = "--prune",
                   .range = {0, 1'000'000'000}}}};
  return table;
}

const OptionTable<graft::LanguageModelOptions>& LmVerbTable() {
  static const OptionTable<graft::LanguageModelOptions> table = {
      .section = "lm",
      .help = "Besides `order` and `prune` of `[lm]`.",
      .options = {{.key = "lowercase",
                   .field = Member(&graft::LanguageModelOptions::lowercase),
                   .help = "Lower-case the text first",
                   .flag = "--lowercase"}}};
  return table;
}

}  // namespace graft::engine
