// Ordered parallel work: one thread reads, others work, results are written in input order. The result never depends on
// the number of threads.
//
//   RunOrdered<Item, Result>(threads, read, work, write);    // threads of its own; with one of them in this thread
//   RunOrdered<Item, Result>(&pool, read, work, write);      // those of a pool, which others may use meanwhile
//
//   read(Item*) -> bool            called in this thread; false = no more
//   work(worker, Item&&) -> Result called concurrently; `worker` < threads names per-thread scratch
//   write(Result&&)                called from one thread at a time, in input order, as soon as a result is there (also
//                                  while read waits)
//
// The first exception of any of the three ends the run and is rethrown; what was read before one of `read` is still
// worked on and written. At most four items a thread are under way.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "util/worker_pool.h"

namespace graft::engine {

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

template <class Item, class Result, class Read, class Work, class Write>
void RunOrdered(WorkerPool* pool, Read read, Work work, Write write) {
  OrderedRun<Result, Write> run(4 * static_cast<uint64_t>(pool->threads()), std::move(write));
  for (uint64_t index = 0; run.Begin(); ++index) {
    bool more = false;
    try {
      auto item = std::make_shared<Item>();
      if (read(item.get())) {
        pool->Push([&run, &work, item, index](int worker) {
          try {
            run.Finish(index, work(worker, std::move(*item)));
          } catch (...) {
            run.Fail();
          }
        });
        more = true;
      }
    } catch (...) {
      run.FailReading();
    }
    if (!more) {
      run.TakeBack();
      break;
    }
  }
  run.End();
}

template <class Item, class Result, class Read, class Work, class Write>
void RunOrdered(int threads, Read read, Work work, Write write) {
  if (threads <= 1) {
    Item item;
    while (read(&item)) write(work(0, std::move(item)));
    return;
  }
  WorkerPool pool(threads, 4 * static_cast<size_t>(threads));
  RunOrdered<Item, Result>(&pool, std::move(read), std::move(work), std::move(write));
}

}  // namespace graft::engine
