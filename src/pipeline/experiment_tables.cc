#include "pipeline/experiment_tables.h"

#include "combine/combine_table.h"

namespace graft::engine {
namespace {

// A setting of `graft combine`, which a configuration has without its flag.
Option<ConsensusSettings> OfCombine(std::string_view key) {
  Option<ConsensusSettings> option = Within(&ConsensusSettings::combine, *CombineOptionTable().Find(key));
  option.flag.clear();
  return option;
}

}  // namespace

const OptionTable<ExperimentRootSettings>& ExperimentRootTable() {
  static const OptionTable<ExperimentRootSettings> table = {
      .section = "",
      .options = {{.key = "output",
                   .field = Member(&ExperimentRootSettings::output),
                   .help = "Folder of everything: the report, the models of the rows, what they share"},
                  {.key = "baselines",
                   .field = Member(&ExperimentRootSettings::baselines),
                   .help = "At most two rows that the others are compared with; marked * and +"}}};
  return table;
}

const OptionTable<RowSettings>& RowOptionTable() {
  static const OptionTable<RowSettings> table = {
      .section = "row",
      .help =
          "A system to compare: the keys of `[system]`, and optionally `[row.search]` with keys of `[search]`. How "
          "the corpus is read is the same for all rows and stands in `[system]`.",
      .options = {{.key = "id",
                   .field = Member(&RowSettings::id),
                   .help = "Name of the row and of its folder",
                   .default_text = "system, graph and what is not a default"}}};
  return table;
}

const OptionTable<ConsensusSettings>& ConsensusOptionTable() {
  static const OptionTable<ConsensusSettings> table = {
      .section = "consensus",
      .help = "One more row: minimum Bayes risk over the n-best lists of some rows.",
      .options = {
          {.key = "id",
           .field = Member(&ConsensusSettings::id),
           .help = "Name of the row",
           .default_text = "consensus, consensus2, …"},
          {.key = "rows", .field = Member(&ConsensusSettings::rows), .help = "Ids of the rows whose lists it is about"},
          OfCombine("nbest"),
          OfCombine("scale")}};
  return table;
}

const OptionTable<ReportSettings>& ReportOptionTable() {
  static const OptionTable<ReportSettings> table = {
      .section = "report",
      .help =
          "What is measured besides BLEU, on one thread, with one test set and the weights of the first run; 0 "
          "leaves it out.",
      .options = {{.key = "test",
                   .field = Member(&ReportSettings::test),
                   .help = "Name of the test set",
                   .default_text = "the first by name"},
                  {.key = "rule_pairs",
                   .field = Member(&ReportSettings::numbers, &ReportOptions::rule_pairs),
                   .help = "Pairs of the corpus for kinds of rules, which are counted in memory",
                   .range = {0, 1'000'000'000}},
                  {.key = "speed_sentences",
                   .field = Member(&ReportSettings::numbers, &ReportOptions::speed_sentences),
                   .help = "Sentences for speed, and for time against length",
                   .range = {0, 1'000'000}},
                  {.key = "error_sentences",
                   .field = Member(&ReportSettings::numbers, &ReportOptions::error_sentences),
                   .help = "Sentences for search errors",
                   .range = {0, 1'000'000}},
                  {.key = "error_factor",
                   .field = Member(&ReportSettings::numbers, &ReportOptions::error_factor),
                   .help = "Search errors: beam and pop limit times this",
                   .range = {2, 1000}},
                  {.key = "examples",
                   .field = Member(&ReportSettings::numbers, &ReportOptions::examples),
                   .help = "Sentences shown with the derivations of every row",
                   .range = {0, 100}},
                  {.key = "example_rows",
                   .field = Member(&ReportSettings::example_rows),
                   .help = "Two rows; shown are sentences whose translations by them differ most",
                   .default_text = "the first baseline, and the first row that is none"}}};
  return table;
}

}  // namespace graft::engine
