// Translates with one model on its own threads. Every call may be made from any thread at any time. Time limits and
// stops are kept within milliseconds, also while all threads are at work for other calls, and leave it as usable as
// before.
//
//   graft::Translator translator(graft::Model::Open("model"), {.threads = 2});
//   std::puts(translator.Translate("Der Lehrer ruft den Arzt an.").text.c_str());
//
//   const std::vector<graft::Input> inputs = {graft::Input::Text("Er kommt."), graft::Input::Line("Sie geht.")};
//   for (const graft::Result& result : translator.TranslateAll(inputs, {.alternatives = 4}))
//     std::puts(result.text.c_str());
//
//   std::future<graft::Result> later = translator.Submit(inputs[0], {.time_limit = std::chrono::milliseconds(500)});
//   std::puts(later.get().text.c_str());
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graft/error.h"
#include "graft/input.h"
#include "graft/model.h"
#include "graft/result.h"

#pragma GCC visibility push(default)
namespace graft {

struct TranslatorOptions {
  int threads = 0;      // workers; 0: as many as the machine has cores
  size_t queue = 1024;  // sentences that may wait; Submit is refused beyond that, other calls wait
  Settings settings{};  // of search and weights, instead of the model's
};

struct TranslateOptions {
  uint32_t alternatives = 0;                // translations wanted besides the best
  bool distinct = true;                     // alternatives are different strings; else different derivations
  bool derivation = false;                  // fill in derivations and graphs
  std::chrono::milliseconds time_limit{0};  // of the call, waiting included; 0: none. A sentence that is not finished
                                            // by then stays as it was, and says so (Sentence::cut_short)
  std::stop_token stop{};                   // a stop ends the call with Stopped
  Settings settings{};                      // of search and weights, for this call
};

struct RescoreOptions {
  uint64_t max_edges = 10'000'000;          // hyperedges of a sentence; beyond that it is too large
  std::chrono::milliseconds time_limit{0};  // of an item, waiting included; 0: none
  std::stop_token stop{};                   // a stop ends the call with Stopped
};

// The best derivation of a given translation, if there is one.
struct Rescored {
  enum class Outcome {
    kDerived,
    kNotDerivable,
    kTooLarge,  // more than max_edges
    kTooLong,   // a source that is translated in pieces
    kCutShort,  // the time limit was reached first
  };
  Outcome outcome = Outcome::kNotDerivable;
  Translation best;
};

// A source sentence and translations of it, as tokens.
struct RescoreItem {
  Input input{};
  std::vector<std::vector<std::string>> targets{};
};

// Too much is waiting already; try again later.
class Busy : public Error {
 public:
  Busy() : Error("too many sentences are waiting; try again later") {}
};

class Translator {
 public:
  explicit Translator(std::shared_ptr<const Model> model, const TranslatorOptions& options = {});
  ~Translator();  // what waits ends with Stopped; what is at work is finished
  Translator(Translator&&) noexcept;

  // Sentences of one call are shared out among the workers.
  Result Translate(const Input& input, const TranslateOptions& options = {}) const;
  Result Translate(std::string_view text, const TranslateOptions& options = {}) const;  // Input::Text
  std::vector<Result> TranslateAll(std::span<const Input> inputs, const TranslateOptions& options = {}) const;

  // Any number, in order: `read` gives the next until it returns false, `write` gets the results one at a time. Few are
  // in memory at once. What was read before an error is still written. A time limit counts for each input, from when it
  // was read. Both functions may call the translator.
  void TranslateStream(const std::function<bool(Input*)>& read, const std::function<void(Result&&)>& write,
                       const TranslateOptions& options = {}) const;

  // Returns as soon as the input is cut into sentences; throws Busy if the queue is full. The future is ready at the
  // time limit or the stop at the latest.
  std::future<Result> Submit(const Input& input, const TranslateOptions& options = {}) const;

  // Forced decoding: no beam, while the limits of table, distortion and spans apply. The input is one sentence.
  std::vector<Rescored> Rescore(const RescoreItem& item, const RescoreOptions& options = {}) const;
  void RescoreStream(const std::function<bool(RescoreItem*)>& read,
                     const std::function<void(std::vector<Rescored>&&)>& write,
                     const RescoreOptions& options = {}) const;

  const std::shared_ptr<const Model>& model() const;
  // What search did since the start: counters that explain speed without a stopwatch, by name.
  std::vector<std::pair<std::string, uint64_t>> Statistics() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft
#pragma GCC visibility pop
