#include "library/call.h"

#include <utility>

#include "graft/error.h"
#include "translation/values.h"

namespace graft::internal {

Sentence Untranslated(const Job& job, size_t index) {
  Sentence value =
      engine::ToValue({}, job.input.sentences[index].sentence, {engine::Translation()}, /*derivation=*/false);
  value.best.features.clear();
  for (const SourceToken& token : value.tokens) value.best.tokens.push_back({.text = token.text});
  value.cut_short = true;
  return value;
}

void Locate(const Job& job, size_t index, Sentence* value) {
  const engine::PreparedSentence& prepared = job.input.sentences[index];
  value->begin = prepared.range.begin;
  value->end = prepared.range.end;
  value->text = job.input.source.substr(value->begin, value->end - value->begin);
  for (size_t i = 0; i < value->tokens.size(); ++i) {
    value->tokens[i].begin = prepared.tokens[i].begin;
    value->tokens[i].end = prepared.tokens[i].end;
  }
  if (!value->cut_short) return;
  value->best.text = value->text;
  for (size_t i = 0; i < value->tokens.size(); ++i) {
    value->best.tokens[i].begin = prepared.tokens[i].begin - value->begin;
    value->best.tokens[i].end = prepared.tokens[i].end - value->begin;
  }
}

Result Join(const Job& job, std::vector<Sentence> sentences) {
  Result result;
  result.source = job.input.source;
  for (size_t i = 0; i < sentences.size(); ++i) {
    result.text += job.input.Between(i);
    sentences[i].target_begin = result.text.size();
    result.text += sentences[i].best.text;
    sentences[i].target_end = result.text.size();
    result.cut_short |= sentences[i].cut_short;
  }
  result.text += job.input.Between(sentences.size());
  result.sentences = std::move(sentences);
  return result;
}

Result Untranslated(const Job& job) {
  std::vector<Sentence> sentences;
  for (size_t i = 0; i < job.input.sentences.size(); ++i) {
    Sentence& sentence = sentences.emplace_back(Untranslated(job, i));
    Locate(job, i, &sentence);
  }
  return Join(job, std::move(sentences));
}

Call::Call(Job job) : job_(std::move(job)), sentences_(size()), done_(size(), 0), left_(size()) {}

Call::~Call() {
  on_stop_.reset();  // waits for one that is at it
  if (alarm_) timer_->Cancel(*alarm_);
  if (promise_ && !closed_) promise_->set_exception(std::make_exception_ptr(Stopped()));
}

std::future<Result> Call::Promise(engine::DeadlineTimer* timer) {
  promise_.emplace();
  std::future<Result> future = promise_->get_future();
  if (size() == 0 || job_.input.cut_short) {
    EndLate();
    return future;
  }
  timer_ = timer;
  if (job_.deadline != std::chrono::steady_clock::time_point::max())
    alarm_ = timer->At(job_.deadline, [weak = weak_from_this()] {
      if (const std::shared_ptr<Call> call = weak.lock()) call->EndLate();
    });
  if (job_.stop.stop_possible()) on_stop_.emplace(job_.stop, [this] { EndStopped(); });
  return future;
}

void Call::Finish(size_t index, Sentence&& sentence) {
  {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    sentences_[index] = std::move(sentence);
    done_[index] = 1;
    if (--left_ > 0) return;
    closed_ = true;
  }
  Deliver();
}

void Call::Close(std::exception_ptr failure) {
  {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    failure_ = std::move(failure);
    closed_ = true;
  }
  Deliver();
}

void Call::Fail() { Close(std::current_exception()); }
void Call::EndLate() { Close(nullptr); }
void Call::EndStopped() { Close(std::make_exception_ptr(Stopped())); }

void Call::Abandon() {
  std::lock_guard lock(mutex_);
  closed_ = true;
}

Result Call::Wait() {
  {
    std::unique_lock lock(mutex_);
    const auto ended = [&] { return closed_ || size() == 0 || job_.input.cut_short; };
    if (job_.deadline == std::chrono::steady_clock::time_point::max())
      changed_.wait(lock, job_.stop, ended);
    else
      changed_.wait_until(lock, job_.stop, job_.deadline, ended);
    closed_ = true;
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  if (left_ > 0 && job_.stop.stop_requested()) throw Stopped();
  return Take();
}

Result Call::Take() {
  for (size_t i = 0; i < done_.size(); ++i)
    if (done_[i] == 0) {
      sentences_[i] = Untranslated(job_, i);
      Locate(job_, i, &sentences_[i]);
    }
  return Join(job_, std::move(sentences_));
}

void Call::Deliver() {
  changed_.notify_all();
  if (!promise_) return;
  try {
    if (failure_)
      promise_->set_exception(std::exchange(failure_, nullptr));
    else
      promise_->set_value(Take());
  } catch (...) {
    promise_->set_exception(std::current_exception());
  }
}

}  // namespace graft::internal
