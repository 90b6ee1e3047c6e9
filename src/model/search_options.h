// Options of search. Every field has the paper's value as default (or Moses's, where the paper gives none).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace graft::engine {

enum class SearchAlgorithm {
  kCube,
  kExhaustive,  // every combination: with rules of many non-terminals for short sentences only
};
enum class DistortionRule {
  kPaper,  // a unit starts at most distortion_limit words after the first uncovered word
  kMoses,  // |start - last end - 1| <= limit and, unless start is the first uncovered word j, |j - end - 1| <= limit
};

// Bottom-up search: which X may follow an S. The next X always starts after the start of S where the order is kLeft.
enum class GlueOrder { kLeft, kFree };
// What a glue rule's distance is: jump from the last X's end plus the gaps of the next X, or the jump alone.
enum class GlueDistortion { kFull, kJump };

// Which of them a search reads: SearchOptionTable in model_tables.h.
struct SearchOptions {
  SearchAlgorithm algorithm = SearchAlgorithm::kCube;
  int beam = 200;  // hypotheses kept per stack; 0 = all
  // Cube pruning: hypotheses made per stack; 0 = all. Chart search stops a cell before that when the best that waits is
  // worse than all that would be kept.
  int pop_limit = 1000;
  double threshold = 1e-5;   // relative to the best of the stack, before taking logs; 0 = none
  int table_limit = 20;      // targets per source side, best by the model's own weights; 0 = all (kMostOptions)
  int distortion_limit = 6;  // words
  int max_span = 20;         // words from first to last of a unit or of an X, both included
  int max_words = 20;        // words of an X in bottom-up search
  int glue_limit = 6;  // bottom-up: an X starts at most so many words after the first uncovered one; -1 = anywhere
  GlueOrder glue_order = GlueOrder::kLeft;
  GlueDistortion glue_distortion = GlueDistortion::kFull;
  int active_limit = 0;  // bottom-up: partial matches kept per number of words, best by estimate; 0 = all
  DistortionRule distortion_rule = DistortionRule::kPaper;
  // Off only in tests of the search space:
  bool copy_unknown = true;  // a word without a one-word rule is copied
  bool pseudo_rules = true;  // forest: a full block that no rule translates is translated by the pseudo rule

  // Nothing is ever left out, whatever it takes.
  bool unbounded() const {
    return beam == 0 && threshold == 0 && (pop_limit == 0 || algorithm == SearchAlgorithm::kExhaustive);
  }

  friend bool operator==(const SearchOptions&, const SearchOptions&) = default;
};

// Most targets of a source side that search takes, whatever table_limit says: hypotheses number them in 16 bits.
inline constexpr int kMostOptions = 65535;

// A hypothesis keeps its coverage in a window after the first uncovered word (coverage.h): distortion_limit + max_span
// may not exceed this.
inline constexpr int kCoverageWindow = 48;

// What a search did, for --stats: these counters explain every change of speed without a stopwatch.
struct SearchStatistics {
  uint64_t sentences = 0;
  uint64_t words = 0;
  uint64_t units = 0;           // source units found in the table or copied; matches of rules with a grammar
  uint64_t options = 0;         // their targets
  uint64_t table_steps = 0;     // trie look-ups
  uint64_t edges = 0;           // cubes opened: (group of hypotheses, unit) pairs; matches and glue with a grammar
  uint64_t pops = 0;            // hypotheses taken from the queue (exhaustive: made)
  uint64_t evaluations = 0;     // language model joins asked for
  uint64_t lm_calls = 0;        // joins that were not in the memo, and </s>
  uint64_t lm_states = 0;       // distinct states
  uint64_t new_hypotheses = 0;  // pops that opened a new state
  uint64_t recombined = 0;      // pops that met an existing state

  // Every counter with its name: use(name, value) of a const object, use(name, value&) otherwise.
  template <class Self, class Use>
  static void ForEach(Self& self, Use use) {
    use("sentences", self.sentences);
    use("words", self.words);
    use("units", self.units);
    use("options", self.options);
    use("table steps", self.table_steps);
    use("edges", self.edges);
    use("pops", self.pops);
    use("LM evaluations", self.evaluations);
    use("LM calls", self.lm_calls);
    use("LM states", self.lm_states);
    use("new hypotheses", self.new_hypotheses);
    use("recombined", self.recombined);
  }
  void Add(const SearchStatistics& other) {
    Combine(other, [](uint64_t& sum, uint64_t value) { sum += value; });
  }
  void Subtract(const SearchStatistics& other) {
    Combine(other, [](uint64_t& sum, uint64_t value) { sum -= value; });
  }

 private:
  template <class Step>
  void Combine(const SearchStatistics& other, Step step) {
    std::array<uint64_t, 12> values;
    size_t next = 0;
    ForEach(other, [&](std::string_view, uint64_t value) { values[next++] = value; });
    next = 0;
    ForEach(*this, [&](std::string_view, uint64_t& sum) { step(sum, values[next++]); });
  }
};

}  // namespace graft::engine
