// What the steps of training and of experiments find, in numbers: a struct for each kind of step, with the keys that
// ledgers know its fields by (fact_fields.h). Ledgers outlive programs: a key never gets another meaning.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/fact_fields.h"

namespace graft::engine {

// The corpus, as trained.
struct CorpusFacts {
  uint64_t pairs = 0;
  uint64_t unusable = 0;  // of them empty or too long
  uint64_t source_words = 0, target_words = 0;

  template <class Self, class Visit>
  static void Fields(Self& self, Visit visit) {
    visit("pairs", self.pairs);
    visit("unusable", self.unusable);
    visit("source_words", self.source_words);
    visit("target_words", self.target_words);
  }
  std::string Remark() const;
};

// A development or test set, as trained.
struct TextFacts {
  uint64_t pairs = 0;

  template <class Self, class Visit>
  static void Fields(Self& self, Visit visit) {
    visit("pairs", self.pairs);
  }
  std::string Remark() const;
};

struct AlignFacts {
  uint64_t pairs = 0, links = 0;

  template <class Self, class Visit>
  static void Fields(Self& self, Visit visit) {
    visit("pairs", self.pairs);
    visit("links", self.links);
  }
  std::string Remark() const;
};

struct TableFacts {
  uint64_t rules = 0, bytes = 0;
  uint64_t skipped = 0;  // pairs that gave nothing
  uint64_t bounded = 0;  // pairs that gave the rules of their small units only

  template <class Self, class Visit>
  static void Fields(Self& self, Visit visit) {
    visit("rules", self.rules);
    visit("bytes", self.bytes);
    visit("skipped", self.skipped);
    visit("bounded", self.bounded);
  }
  std::string Remark() const;
};

// A language model that was estimated.
struct LmFacts {
  uint64_t bytes = 0;

  template <class Self, class Visit>
  static void Fields(Self& self, Visit visit) {
    visit("bytes", self.bytes);
  }
  std::string Remark() const;
};

// One run of tuning.
struct TuneFacts {
  double bleu = 0;  // on the development set, of the best iteration
  int iterations = 0, best_iteration = 0;

  template <class Self, class Visit>
  static void Fields(Self& self, Visit visit) {
    visit("bleu", self.bleu);
    visit("iterations", self.iterations);
    visit("best_iteration", self.best_iteration);
  }
  std::string Remark() const;
};

// A test set, translated.
struct TestFacts {
  double bleu = 0;

  template <class Self, class Visit>
  static void Fields(Self& self, Visit visit) {
    visit("bleu", self.bleu);
  }
  std::string Remark() const;
};

struct ModelFacts {
  int best_run = 0;  // from 1

  template <class Self, class Visit>
  static void Fields(Self& self, Visit visit) {
    visit("best_run", self.best_run);
  }
};

// Kinds of rules of a row's system (rules/rule_statistics.h).
struct RuleFacts {
  uint64_t pairs = 0, occurrences = 0, rules = 0;
  bool trees = false;  // the source has trees
  uint64_t continuous = 0, dependency_connected = 0, both = 0, neither = 0;

  template <class Self, class Visit>
  static void Fields(Self& self, Visit visit) {
    visit("pairs", self.pairs);
    visit("occurrences", self.occurrences);
    visit("rules", self.rules);
    visit("trees", self.trees);
    visit("continuous", self.continuous);
    visit("dependency_connected", self.dependency_connected);
    visit("both", self.both);
    visit("neither", self.neither);
  }
};

struct SpeedFacts {
  uint64_t sentences = 0, words = 0;
  double decoding_seconds = 0;
  double memory = 0;  // bytes more than before the model was opened

  template <class Self, class Visit>
  static void Fields(Self& self, Visit visit) {
    visit("sentences", self.sentences);
    visit("words", self.words);
    visit("decoding_seconds", self.decoding_seconds);
    visit("memory", self.memory);
  }
};

// What a larger beam finds that the row's own does not.
struct ErrorFacts {
  uint64_t sentences = 0, improved = 0, worse = 0;
  double mean_gain = 0;  // of model scores
  double bleu = 0, bleu_large = 0;

  template <class Self, class Visit>
  static void Fields(Self& self, Visit visit) {
    visit("sentences", self.sentences);
    visit("improved", self.improved);
    visit("worse", self.worse);
    visit("mean_gain", self.mean_gain);
    visit("bleu", self.bleu);
    visit("bleu_large", self.bleu_large);
  }
};

// A row on one test set, beside the baselines.
struct ComparisonFacts {
  struct Against {
    double delta = 0, p = 0, p_bootstrap = 0;
    bool better = false;

    template <class Self, class Visit>
    static void Fields(Self& self, Visit visit) {
      visit("delta", self.delta);
      visit("p", self.p);
      visit("p_bootstrap", self.p_bootstrap);
      visit("better", self.better);
    }
  };

  double mean = 0, s_sel = 0;
  std::optional<double> s_opt;
  std::vector<double> bleu;                     // by run
  std::vector<std::optional<Against>> against;  // by baseline; none for the row itself

  template <class Self, class Visit>
  static void Fields(Self& self, Visit visit) {
    visit("mean", self.mean);
    visit("s_sel", self.s_sel);
    visit("s_opt", self.s_opt);
    visit("bleu.run", self.bleu);
    visit(self.against);
  }
};

// The facts of any step.
class StepFacts {
 public:
  StepFacts() = default;  // none
  template <class Facts>
  requires requires(const Facts& facts, FactWriter writer) { Facts::Fields(facts, writer); }
  StepFacts(const Facts& facts) : stored_(StoreFacts(facts)) {}  // NOLINT: a step returns its own struct
  static StepFacts Stored(StoredFacts stored) {
    StepFacts facts;
    facts.stored_ = std::move(stored);
    return facts;
  }

  template <class Facts>
  Facts As() const {
    return ReadFacts<Facts>(stored_);
  }
  template <class Facts>
  bool Fit() const {
    return FactsFit<Facts>(stored_);
  }
  const StoredFacts& stored() const { return stored_; }

 private:
  StoredFacts stored_;
};

}  // namespace graft::engine
