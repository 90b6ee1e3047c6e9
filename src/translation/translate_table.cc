#include "translation/translate_table.h"

namespace graft::engine {

const OptionTable<graft::TranslateOptions>& TranslateOptionTable() {
  static const OptionTable<graft::TranslateOptions> table = {
      .section = "translate",
      .help =
          "What is wanted of a translation. The command line has lists of derivations instead of alternatives: "
          "`--nbest` with the best as the first, of different strings with `--distinct`.",
      .options = {{.key = "alternatives",
                   .field = Member(&graft::TranslateOptions::alternatives),
                   .help = "Translations wanted besides the best",
                   .range = {0, 999'999}},
                  {.key = "distinct",
                   .field = Member(&graft::TranslateOptions::distinct),
                   .help = "Alternatives are different strings; else different derivations"},
                  {.key = "derivation",
                   .field = Member(&graft::TranslateOptions::derivation),
                   .help = "Show the derivation: each unit with its words, edges, target words and scores",
                   .flag = "--explain"}}};
  return table;
}

const OptionTable<graft::RescoreOptions>& RescoreOptionTable() {
  static const OptionTable<graft::RescoreOptions> table = {
      .section = "translate",
      .help = "Of forced decoding.",
      .options = {{.key = "max_edges",
                   .field = Member(&graft::RescoreOptions::max_edges),
                   .help = "With --rescore: largest search of one string",
                   .flag = "--max-edges",
                   .range = {1, double(int64_t{1} << 40)}}}};
  return table;
}

}  // namespace graft::engine
