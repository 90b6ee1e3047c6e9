// One translation of several models: of all strings in their n-best lists the one with the greatest expected BLEU
// against all others (minimum Bayes risk).
//
//   graft::Combiner combiner({graft::Model::Open("pbmt"), graft::Model::Open("hpbmt")}, {.nbest = 50});
//   std::puts(combiner.Combine(graft::Input::Line("Der Lehrer ruft den Arzt an.")).text.c_str());
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "graft/input.h"
#include "graft/model.h"

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

struct CombinedSentence {
  std::string text;
  std::vector<std::string> tokens;
  double expected_bleu = 0;  // 0 to 100
  double probability = 1;
  std::vector<uint32_t> models;  // in whose lists it was found, from 0
};

// One object: text, expected_bleu, probability, models by these names, which are all of the combiner's in its order.
std::string JsonOf(const CombinedSentence& sentence, const std::vector<std::string>& models);

// Of one input.
struct CombinedResult {
  std::string text;  // the translations, with the white space of the source between them
  std::vector<CombinedSentence> sentences;
};

// Calls may be made from any thread.
class Combiner {
 public:
  // The models must read the same kind of text. Throws Error otherwise.
  explicit Combiner(std::vector<std::shared_ptr<const Model>> models, const CombineOptions& options = {});
  ~Combiner();
  Combiner(Combiner&&) noexcept;

  CombinedResult Combine(const Input& input, std::stop_token stop = {}) const;
  // Any number, in order, as Translator::TranslateStream.
  void CombineStream(const std::function<bool(Input*)>& read, const std::function<void(CombinedResult&&)>& write,
                     std::stop_token stop = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft
#pragma GCC visibility pop
