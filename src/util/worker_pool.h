// Threads that stay, and a bounded queue before them.
//
//   WorkerPool pool(2, 1024);
//   pool.Push([](int worker) { … });                       // waits for a place in the queue
//   RunOrdered<Item, Result>(&pool, read, work, write);    // any number of items, results in their order
//
// Calls may be made from any thread but the pool's own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace graft::engine {

class WorkerPool {
 public:
  using Task = std::function<void(int worker)>;  // `worker` < threads names per-thread scratch; must not throw

  WorkerPool(int threads, size_t capacity);
  ~WorkerPool();  // tasks that wait are dropped, those at work are finished

  // Waits for room in the queue; false if a stop was requested or the deadline passed before there was any.
  bool Push(Task task, const std::stop_token& stop = {},
            std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());
  // Either all tasks enter the queue or none does; a queue without a waiting task takes any number.
  bool TryPush(std::vector<Task> tasks);

  int threads() const { return static_cast<int>(workers_.size()); }

 private:
  void Run(int worker);

  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable_any room_;
  std::deque<Task> waiting_;
  bool ending_ = false;
  std::vector<std::jthread> workers_;
};

// One run of items through a pool: who has read and written how far, and what went wrong first.
template <class Result, class Write>
class OrderedRun {
 public:
  OrderedRun(uint64_t window, Write write) : window_(window), write_(std::move(write)) {}

  // Waits until another item may be begun; false: something failed.
  bool Begin() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || begun_ < written_ + window_; });
    if (failure_) return false;
    ++begun_;
    return true;
  }
  void Finish(uint64_t index, Result&& result) {
    std::lock_guard lock(mutex_);
    if (!dropped_) finished_.emplace(index, std::move(result));
    while (!dropped_ && !finished_.empty() && finished_.begin()->first == written_) {
      auto first = finished_.extract(finished_.begin());
      ++written_;
      write_(std::move(first.mapped()));
    }
    ++ended_;
    changed_.notify_all();
  }
  // An item that failed; what comes after it is not written.
  void Fail() {
    std::lock_guard lock(mutex_);
    Remember();
    dropped_ = true;
    ++ended_;
    changed_.notify_all();
  }
  // Reading failed: what was read before is still worked on and written.
  void FailReading() {
    std::lock_guard lock(mutex_);
    Remember();
  }
  // There was no such item after all.
  void TakeBack() {
    std::lock_guard lock(mutex_);
    --begun_;
  }
  // Waits for all that was begun; throws what went wrong.
  void End() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ == begun_; });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void Remember() {
    if (!failure_) failure_ = std::current_exception();
  }

  const uint64_t window_;
  Write write_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<uint64_t, Result> finished_;  // whose predecessors are not written yet
  uint64_t begun_ = 0, ended_ = 0, written_ = 0;
  bool dropped_ = false;
  std::exception_ptr failure_;
};

// `read` in the calling thread until it returns false, `work(worker, item)` in the pool, `write` in input order, one at
// a time, as soon as a result is there (also while `read` waits). The first exception of any of the three ends the run
// and is rethrown. At most four items a thread are under way.
template <class Item, class Result, class Read, class Work, class Write>
void RunOrdered(WorkerPool* pool, Read read, Work work, Write write) {
  OrderedRun<Result, Write> run(4 * static_cast<uint64_t>(pool->threads()), std::move(write));
  for (uint64_t index = 0; run.Begin(); ++index) {
    auto item = std::make_shared<Item>();
    bool more = false;
    try {
      more = read(item.get());
    } catch (...) {
      run.FailReading();
    }
    if (!more) {
      run.TakeBack();
      break;
    }
    pool->Push([&run, &work, item, index](int worker) {
      try {
        run.Finish(index, work(worker, std::move(*item)));
      } catch (...) {
        run.Fail();
      }
    });
  }
  run.End();
}

}  // namespace graft::engine
