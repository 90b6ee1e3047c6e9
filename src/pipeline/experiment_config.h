// The configuration of `graft experiment`: that of `graft train` (train_config.h) with many systems instead of one.
//
//   output = "results"                   # folder of everything
//   baselines = ["pbmt", "hpbmt"]        # rows the others are compared with; marked * and +
//   [[row]]                              # one for each system: the keys of [system]; optionally id, and [row.search]
//   name = "seggbmt"
//   graph = "dbg"
//   [[consensus]]                        # optional: minimum Bayes risk over the lists of some rows, as one more row
//   rows = ["pbmt", "hpbmt", "seggbmt-dbg"]
//   [report]                             # what is measured besides BLEU
//   [corpus] [align] [lm] [dev] [test.X] [tune] [search] [weights]     # as in train.toml, for all rows
//
// [search] and [weights] of the file go to the rows for whose systems they mean something. All rows share one corpus,
// read one way: words, upos and projectivise stand in [system]. A [system] with a name is a row, the first.
#pragma once

#include <string>
#include <vector>

#include "graft/combine.h"
#include "pipeline/train_config.h"

namespace graft::engine {

struct ExperimentRow {
  std::string id;                       // "gramgbmt-c-dsg-pos-mgs1": names its folder
  TrainConfig train;                    // of its model
  std::vector<std::string> own_search;  // what [row.search] says: "beam=100"
};

struct ConsensusRow {
  std::string id = "consensus";
  std::vector<size_t> rows;                    // indexes
  graft::CombineOptions combine{.nbest = 50};  // of each row; weights and threads are not asked for
};

// What is measured besides BLEU, on one thread, with one test set and the weights of the first run; 0 leaves it out.
struct ReportOptions {
  size_t test = 0;            // index of the test set; default: the first by name
  int rule_pairs = 50'000;    // of the corpus, for kinds of rules: they are counted in memory, up to 100 bytes a rule
  int speed_sentences = 200;  // for speed and time against length
  int error_sentences = 100;  // for search errors
  int error_factor = 10;      // the large beam: beam and pop limit times this
  int examples = 6;           // sentences shown with the derivations of every row
  // The two rows whose translations of the examples differ most: half of them better by the second, half by the first.
  // Default: the first baseline and the first row that is none.
  size_t example_rows[2] = {0, 0};
};

struct ExperimentConfig {
  std::string output;
  std::vector<ExperimentRow> rows;
  std::vector<size_t> baselines;  // indexes of rows
  std::vector<ConsensusRow> consensus;
  ReportOptions report;
  SearchOptions search;  // that of rows without [row.search]

  // The parts that all rows have in common.
  const TrainConfig& common() const { return rows.front().train; }
  std::string InOutput(const std::string& name) const { return output + "/" + name; }
};

// Throws Error with file and line, as ReadTrainConfig does; also for rows that are the same and for unknown baselines.
ExperimentConfig ReadExperimentConfig(const std::string& path, const std::vector<Override>& overrides);

// Every setting of a system, besides its graph, that is not the default: "pos", "no-extend", "mgs1".
std::vector<std::string> OwnSettings(const SystemSpec& system);

// The id of a system: its name, its graph, and its own settings.
std::string RowId(const SystemSpec& system);

// The system of that name and graph with every other setting at its default.
SystemSpec PlainSystem(const SystemSpec& system);

}  // namespace graft::engine
