// One translation of several models: of all strings in their n-best lists the one with the greatest expected BLEU
// against all others (minimum Bayes risk).
//
//   graft::Combiner combiner({graft::Model::Open("pbmt"), graft::Model::Open("hpbmt")}, {.nbest = 50});
//   std::puts(combiner.Combine(graft::Input::Line("Der Lehrer ruft den Arzt an.")).text.c_str());
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "graft/input.h"
#include "graft/model.h"
#include "graft/result.h"

#pragma GCC visibility push(default)
namespace graft {

struct CombineOptions {
  uint32_t nbest = 100;  // distinct strings of each model
  // A model's strings have the softmax of scale * score as probabilities: 0 makes them equal, a large one leaves the
  // best. Scores are those of weights whose absolute values sum to 1.
  double scale = 12;
  std::vector<double> weights{};  // how much each model counts; empty: the same
  int threads = 0;                // 0: as many as the machine has cores
};

// Of a call.
struct CombineLimits {
  std::chrono::milliseconds time_limit{0};  // of an input, waiting included; 0: none. A sentence that is not finished
                                            // by then stays as it was, and says so
  std::stop_token stop{};                   // a stop ends the call with Stopped
};

struct CombinedSentence {
  std::string text;
  std::vector<std::string> tokens;
  double expected_bleu = 0;  // 0 to 100
  double probability = 1;
  std::vector<uint32_t> models;  // in whose lists it was found, from 0
  bool cut_short = false;        // the time limit was reached: `text` is the source, untranslated, and has no tokens

  std::string source;                // what was translated
  size_t begin = 0, end = 0;         // its bytes of CombinedResult::source
  std::vector<Token> source_tokens;  // byte ranges are those of CombinedResult::source
};

// One object: text, expected_bleu, probability, models by these names, which are all of the combiner's in its order.
std::string JsonOf(const CombinedSentence& sentence, const std::vector<std::string>& models);

// Of one input.
struct CombinedResult {
  std::string source;  // as Result::source
  std::string text;    // the translations, with the white space of the source between them
  std::vector<CombinedSentence> sentences;
  bool cut_short = false;  // some sentence was
};

// Calls may be made from any thread.
class Combiner {
 public:
  // The models must read the same kind of text. Throws Error otherwise.
  explicit Combiner(std::vector<std::shared_ptr<const Model>> models, const CombineOptions& options = {});
  ~Combiner();
  Combiner(Combiner&&) noexcept;

  CombinedResult Combine(const Input& input, const CombineLimits& limits = {}) const;
  // Any number, in order, as Translator::TranslateStream.
  void CombineStream(const std::function<bool(Input*)>& read, const std::function<void(CombinedResult&&)>& write,
                     const CombineLimits& limits = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft
#pragma GCC visibility pop
