// What an experiment found, as plain values, and the forms in which people and programs read it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace graft::engine {

// A row against a baseline, on one test set.
struct BaselineContrast {
  double difference = 0;  // of mean BLEU
  double p = 1;           // stratified approximate randomisation
  double p_bootstrap = 1;
  bool better = false;
};

inline constexpr double kSignificantP = 0.01;  // the paper's

struct RowTest {
  std::vector<double> bleu;  // of every run
  double mean = 0;
  double s_sel = 0;                                        // standard deviation by choice of the sentences
  std::optional<double> s_opt;                             // over the runs
  std::vector<std::optional<BaselineContrast>> contrasts;  // by baseline; nothing for itself

  std::string Marks() const;  // * significantly better than the first baseline, + than the second
};

struct RuleShares {  // of the distinct rules, 0 to 1
  double pairs = 0;  // of the corpus that were looked at
  double rules = 0;  // of these
  double continuous = 0;
  bool trees = false;  // whether the corpus has any; without, the rest is not known
  double dependency = 0, both = 0, mixture = 0;
};

struct SearchErrors {
  double sentences = 0;
  double improved = 0;   // of them: with a better score at the large beam
  double mean_gain = 0;  // of the score, a sentence
  double bleu = 0, bleu_large = 0;
};

// A sentence of the examples as one row translates it.
struct DrawnDerivation {
  std::vector<std::string> target;
  std::vector<std::pair<int, int>> alignment;
  struct Part {
    std::vector<int> source, target;  // words that this step itself translates and produces
  };
  std::vector<Part> parts;
  std::string text;  // as `graft translate --explain` prints it
};

// A beam or pop limit `factor` times as large, as far as numbers go.
inline int LargeBeam(int beam, int factor) {
  return static_cast<int>(std::min<int64_t>(int64_t{beam} * factor, std::numeric_limits<int>::max()));
}

struct ReportRow {
  std::string id;
  std::string system, graph;  // as the paper writes them: "GramGBMT_c", "DSG"
  std::string variant;        // "", "+EdgeLabel", "+POS, MGS=1", …
  bool edge_labels = false;
  bool nonterminal_variant = false;  // other than X with the usual least gap
  bool other_variant = false;
  bool consensus = false;
  double mgs = 0;  // 0: the system has none
  double rules = 0;
  std::vector<double> dev_bleu;         // of every run; empty without tuning
  std::vector<double> tune_iterations;  // of every run
  std::vector<RowTest> tests;           // as ExperimentReport::tests
  // Not of a consensus:
  double table_bytes = 0, table_seconds = 0, tune_seconds = 0;
  double build_memory = 0;                                    // bytes, of the table
  std::optional<double> sentences_per_second;                 // one thread
  double decode_memory = 0;                                   // bytes
  std::vector<std::pair<int, double>> sentence_milliseconds;  // (words, time) of every measured sentence
  std::optional<RuleShares> shares;
  std::optional<SearchErrors> errors;
  std::vector<DrawnDerivation> examples;  // as ExperimentReport::examples
};

struct ReportExample {
  size_t sentence = 0;  // of the measured test set, from 0
  std::vector<std::string> source;
  std::vector<int> heads;
  std::string reference;
};

struct ExperimentReport {
  std::string name;               // of the results folder
  std::vector<size_t> baselines;  // indexes of rows
  std::vector<std::string> tests;
  size_t measured_test = 0;  // index of the test set that speed and search errors are about, and the examples from
  int runs = 1, iterations = 0;
  bool tuned = true;
  double pairs = 0, source_words = 0, target_words = 0, dev_sentences = 0;
  double align_seconds = 0, lm_seconds = 0, total_seconds = 0;  // of the work, whenever it was done
  bool links_given = false;                                     // no word alignment of our own
  int beam = 0, pop_limit = 0, error_factor = 0;                // of rows without settings of their own; 0: unlimited
  std::vector<ReportRow> rows;
  std::vector<ReportExample> examples;

  std::string BaselineName(size_t k) const;  // as in tables
};

std::string RowName(const ReportRow& row);  // "GramGBMT_c DSG +POS"

std::string ReportMarkdown(const ExperimentReport& report);
std::string ReportHtml(const ExperimentReport& report);  // one file, charts and drawings inside, no scripts
std::string ReportCsv(const ExperimentReport& report);   // a line for each row and test set
std::string ReportJson(const ExperimentReport& report);

}  // namespace graft::engine
