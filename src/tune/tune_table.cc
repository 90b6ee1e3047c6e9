#include "tune/tune_table.h"

namespace graft::engine {

const OptionTable<graft::TuneOptions>& TuneOptionTable() {
  static const OptionTable<graft::TuneOptions> table = {
      .section = "tune",
      .help = "How weights are tuned; flags of `graft tune`.",
      .options = {
          {.key = "method",
           .field = {Member(&graft::TuneOptions::method), std::vector<std::string>{"mira", "paper"}},
           .help = "mira: batch MIRA made stable; paper: batch MIRA to the letter",
           .flag = "--method"},
          {.key = "runs",
           .field = Member(&graft::TuneOptions::runs),
           .help =
               "Tune this often, each time with another seed; the best run is written, and each beside it as it ends",
           .flag = "--runs",
           .range = {1, 1000}},
          {.key = "seed",
           .field = Member(&graft::TuneOptions::seed),
           .help = "Seed of the first run",
           .flag = "--seed",
           .range = {.least = 0}},
          {.key = "iterations",
           .field = Member(&graft::TuneOptions::iterations),
           .help = "Decode the development set at most this often",
           .flag = "--iterations",
           .range = {1, 1000}},
          {.key = "nbest",
           .field = Member(&graft::TuneOptions::nbest),
           .help = "Derivations of each sentence in each iteration",
           .flag = "--nbest",
           .range = {2, 10'000}}}};
  return table;
}

}  // namespace graft::engine
