// The steps from a corpus to a model, one function each; train.h does them all. Files are plain or compressed by their
// names (.gz .zst .xz).
//
//   const graft::Reporter reporter;
//   graft::CheckCorpus({.source = "train.de", .target = "train.en"}, reporter);
//   graft::Align({.source = "train.de", .target = "train.en", .output = "train.align"}, reporter);
//   graft::BuildTable({.system = {"name=pbmt"}, .source = "train.de", .target = "train.en", .align = "train.align",
//                      .output = "rules.graft"}, reporter);
//   graft::EstimateLanguageModel({.texts = {"train.en"}, .output = "lm.bin"}, reporter);
//   graft::AssembleModel({.table = "rules.graft", .lm = "lm.bin", .output = "model"});
//   graft::Tune({.model = "model", .source = "dev.de", .references = {"dev.en"}, .output = "weights.toml"}, reporter);
//   graft::AssembleModel({.table = "rules.graft", .lm = "lm.bin", .weights = "weights.toml", .output = "tuned"});
//
// All throw Error; a file is complete or absent. reporter.stop ends any of them with Stopped. Threads never change a
// result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "graft/model.h"
#include "graft/reporter.h"

#pragma GCC visibility push(default)
namespace graft {

struct Finding {
  enum class Severity {
    kError,    // training would stop here
    kWarning,  // training changes something
    kNote,     // accepted, but good to know
  };
  Severity severity = Severity::kError;
  std::string message;  // `file:line: …`
};

struct CheckOptions {
  std::string source{}, target{}, align{};  // empty: not given; at least one is
  std::string format{};                     // of the source: "conllu", "text"; empty: by its name
  bool words = false;                       // CoNLL-U: links count syntactic words instead of surface tokens
  std::string clean_folder{};               // copies without the bad pairs go here; empty: no copies
};
struct CheckSummary {
  uint64_t pairs = 0, bad_pairs = 0, errors = 0, warnings = 0, notes = 0;
  bool wrote_clean = false;
};
// Calls `found` for every problem, in order of pairs.
CheckSummary CheckCorpus(const CheckOptions& options, const Reporter& reporter = {},
                         const std::function<void(const Finding&)>& found = {});

struct AlignOptions {
  std::string source{}, target{};
  std::string format{};      // of the source: "conllu", "text"; empty: by its name
  std::string output = "-";  // Pharaoh links, a line for each pair; - is stdout
  bool lowercase = false;
  bool words = false;          // CoNLL-U: syntactic words instead of surface tokens
  std::string method = "hmm";  // or "ibm1"
  std::string symmetrise = "grow-diag-final-and";
  uint64_t seed = 1;
  std::string gold{};  // gold links to compare with
  uint64_t limit = 0;  // only the first pairs; 0: all
  int threads = 0;     // 0: as many as the machine has cores
  std::string memory = "80%";
};
struct AlignSummary {
  uint64_t pairs = 0, empty = 0, too_long = 0;  // pairs with an empty side and over 250 words get no links
  uint64_t links = 0;
  double precision = 0, recall = 0, error_rate = 0;  // against gold links, 0 to 1
  std::string text, score_text;                      // the same for people
};
AlignSummary Align(const AlignOptions& options, const Reporter& reporter = {});

struct TableOptions {
  Settings system{};  // of [system]: "name=seggbmt", "graph=dbg", …
  std::string source{}, target{}, align{};
  std::string format{};  // of the source: "conllu", "text"; empty: by its name
  bool lowercase = false;
  uint64_t max_pair_rules = 0;  // of one pair, 250 to 2,000,000; of one that has more, those of its small units are
                                // kept. 0: as many as fit the system
  std::string scores = "q16";   // 16 bits each; or "f32", "q8"
  bool counts = false;          // store c(t) c(s) c(s,t)
  uint64_t keep = 0;            // best targets of a source side; 0: all
  std::string output{};
  int threads = 0;
  std::string memory = "80%";
};
struct TableSummary {
  uint64_t pairs = 0, empty = 0, unlinked = 0, too_long = 0;  // of the corpus, and those of them that gave no rules
  uint64_t occurrences = 0, rules = 0, source_sides = 0, bytes = 0;
  uint64_t bounded = 0;                         // pairs with more than max_pair_rules
  std::string corpus_text, bounded_text, text;  // the same for people; bounded_text is empty where bounded is 0
};
TableSummary BuildTable(const TableOptions& options, const Reporter& reporter = {});

struct LanguageModelOptions {
  std::vector<std::string> texts{};  // tokenised
  std::string output{};              // ARPA, or KenLM's binary form for .bin .binary .klm
  int order = 5;                     // 1 to 6
  std::vector<uint64_t> prune{};     // count thresholds by order
  bool lowercase = false;
  std::string temp_folder{};  // empty: $TMPDIR or /tmp
  std::string memory = "80%";
};
void EstimateLanguageModel(const LanguageModelOptions& options, const Reporter& reporter = {});

struct ModelFiles {
  std::string table{}, lm{};
  std::string weights{};                             // TOML: [weights], optionally [search], [text]; empty: defaults
  std::string truecase_source{}, truecase_target{};  // both or none
  bool lowercase = false;
  std::string tokeniser{};               // "none", "icu"; empty: what `weights` says
  std::vector<std::string> languages{};  // source and target, {"de", "en"}
  std::string output{};                  // the model folder
};
void AssembleModel(const ModelFiles& files, const Reporter& reporter = {});

struct TuneOptions {
  std::string model{};  // its weights are where tuning starts
  Settings settings{};  // instead of those of model.toml
  std::string source{};
  std::vector<std::string> references{};
  std::string output{};         // weights.toml; with several runs each beside it as weights.runN.toml
  std::string method = "mira";  // or "paper"
  int runs = 1;
  uint64_t seed = 1;
  int iterations = 25, nbest = 100;
  std::string nbest_folder{};  // n-best lists of every iteration; empty: nowhere
  int threads = 0;
};
struct TuneIteration {
  int run = 1, iteration = 1;
  double bleu = 0, length_ratio = 0, seconds = 0;
  uint64_t candidates = 0;
};
struct TuneSummary {
  std::vector<double> bleu;  // of every run, of its best iteration
  size_t best_run = 0;
  std::vector<TuneIteration> iterations;
  std::vector<std::string> lines;  // what came of it, for people
};
// `row` gets the table of iterations, line by line.
TuneSummary Tune(const TuneOptions& options, const Reporter& reporter = {},
                 const std::function<void(std::string_view)>& row = {});

}  // namespace graft
#pragma GCC visibility pop
