#include "combine/combine_table.h"

namespace graft::engine {

const OptionTable<graft::CombineOptions>& CombineOptionTable() {
  constexpr double kMost = 1'000'000;
  static const OptionTable<graft::CombineOptions> table = {
      .section = "combine",
      .help = "How the n-best lists of several models become one translation.",
      .options = {{.key = "nbest",
                   .field = Member(&graft::CombineOptions::nbest),
                   .help = "Distinct translations taken from each model",
                   .flag = "--nbest",
                   .range = {1, 10'000}},
                  {.key = "scale",
                   .field = Member(&graft::CombineOptions::scale),
                   .help = "How far a model's scores tell its translations apart: 0 makes all equal, a large one "
                           "counts only each model's best",
                   .flag = "--scale",
                   .range = {0, kMost}},
                  {.key = "weights",
                   .field = Member(&graft::CombineOptions::weights),
                   .help = "How much each model counts, in their order (default: the same)",
                   .flag = "--weights",
                   .placeholder = "W1,W2,…",
                   .commas = true,
                   .range = {0, kMost},
                   .default_text = ""}}};
  return table;
}

}  // namespace graft::engine
