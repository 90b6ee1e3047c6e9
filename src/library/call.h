// One call of a translator on its way through the queue. It is cut into its sentences, which go through the queue one
// by one; whichever worker ends the last of them ends the call. A caller waits for that, for its time limit or for a
// stop, whatever comes first: what is then still in the queue finds the call closed and does nothing. A promise is kept
// at the same moment, though nobody waits: a timer and a callback of the stop close the call.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "graft/result.h"
#include "search/decoding_model.h"
#include "search/translator.h"
#include "translation/prepared_input.h"
#include "util/deadline_timer.h"

namespace graft::internal {

// What is asked for.
struct Job {
  engine::PreparedInput input;
  engine::TranslateOptions options;
  bool derivation = false;
  std::stop_token stop;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::shared_ptr<const engine::DecodingModel> decoding;  // with settings of its own; none: the translator's
};

// A sentence that there was no time for: it stays as it was.
Sentence Untranslated(const Job& job, size_t index);

// Says where a source sentence and its tokens stand in the source.
void Locate(const Job& job, size_t index, Sentence* sentence);

// Puts the translations together, with what stands between the sentences.
Result Join(const Job& job, std::vector<Sentence> sentences);

// The result that there is when there was no time at all.
Result Untranslated(const Job& job);

class Call : public std::enable_shared_from_this<Call> {
 public:
  explicit Call(Job job);
  // A queue that ended before it came to all sentences leaves a promise to be kept.
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  const Job& job() const { return job_; }
  size_t size() const { return job_.input.sentences.size(); }

  bool closed() const { return closed_; }
  void Finish(size_t index, Sentence&& sentence);
  void Fail();     // with the exception that is being handled
  void Abandon();  // nobody waits any more

  // How the result is had: as a promise, to be asked for before the first sentence enters the queue, or by waiting.
  // Either ends with the last sentence, the time limit or a stop. The timer must outlive the call.
  std::future<Result> Promise(engine::DeadlineTimer* timer);
  Result Wait();

 private:
  void Close(std::exception_ptr failure);
  void EndLate();
  void EndStopped();

  // For the one who closed the call, without the mutex: a large result takes its time.
  void Deliver();
  Result Take();  // what is there; sentences that are not stay as they were

  const Job job_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::atomic<bool> closed_ = false;  // nothing that still comes counts; set with the mutex held
  std::vector<Sentence> sentences_;   // this and the next three: with the mutex until the call is closed
  std::vector<char> done_;
  size_t left_;
  std::exception_ptr failure_;
  std::optional<std::promise<Result>> promise_;
  engine::DeadlineTimer* timer_ = nullptr;
  std::optional<engine::DeadlineTimer::Alarm> alarm_;
  std::optional<std::stop_callback<std::function<void()>>> on_stop_;
};

}  // namespace graft::internal
