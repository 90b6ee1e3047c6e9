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
//
// A run on a pool may have limits: it ends when it is asked to, and an item gets a result by its deadline, also while
// all threads of the pool are at work for others. Work that has begun keeps both by itself (util/stop_check.h).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

#include "graft/error.h"
#include "util/deadline_timer.h"
#include "util/worker_pool.h"

namespace graft::engine {

template <class Item, class Result>
struct RunLimits {
  std::stop_token stop;  // the run ends with Stopped
  // Both or none: when an item must have a result, and the result of one that no thread has taken up by then. `late`
  // is called in another thread than those of the pool.
  std::function<DeadlineTimer::Clock::time_point(const Item&)> deadline;
  std::function<Result(Item&&)> late;
};

// One run of items through a pool: who has read and written how far, and what went wrong first. Tasks in the queue may
// outlive their run.
template <class Item, class Result, class Write>
class OrderedRun {
 public:
  // An item on its way to whoever takes it first: a thread of the pool, the timer, or the end of the run.
  struct Entry {
    Item item;
    uint64_t index = 0;
    bool entered = false, taken = false;
  };

  OrderedRun(uint64_t window, Write write) : window_(window), write_(std::move(write)) {}

  // Waits until another item may be begun; false: something failed.
  bool Begin() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || begun_ < written_ + window_; });
    if (failure_) return false;
    ++begun_;
    return true;
  }
  // An item that was begun waits to be taken.
  void Enter(Entry* entry) {
    std::lock_guard lock(mutex_);
    entry->entered = true;
    ++waiting_;
    if (stopped_) DropWaiting();
  }
  // False: somebody else has, or the run is over. Whoever takes an item does it.
  bool Take(Entry* entry) {
    std::lock_guard lock(mutex_);
    if (stopped_ || std::exchange(entry->taken, true)) return false;
    --waiting_;
    return true;
  }
  template <class Make>
  void Do(Entry* entry, const Make& make) {
    try {
      Finish(entry->index, make(std::move(entry->item)));
    } catch (...) {
      Fail();
    }
  }
  // Reading failed: what was read before is still worked on and written.
  void FailReading() {
    std::lock_guard lock(mutex_);
    Remember();
  }
  // Nobody will take the item, if nobody has; if it did not even enter, there was none.
  void GiveUp(Entry* entry) {
    std::lock_guard lock(mutex_);
    if (!entry->entered) {
      --begun_;
    } else if (!stopped_ && !std::exchange(entry->taken, true)) {
      --waiting_;
      ++ended_;
    }
  }
  // The run was asked to end: what nobody has taken is dropped, and nothing more is written.
  void Stop() {
    std::lock_guard lock(mutex_);
    stopped_ = dropped_ = true;
    if (!failure_) failure_ = std::make_exception_ptr(Stopped());
    DropWaiting();
    changed_.notify_all();
  }
  // Waits for all that was begun; throws what went wrong.
  void End() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ == begun_; });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void Finish(uint64_t index, Result&& result) {
    std::unique_lock lock(mutex_);
    if (!dropped_) finished_.emplace(index, std::move(result));
    if (!writing_) WriteFinished(&lock);
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
  void Remember() {
    if (!failure_) failure_ = std::current_exception();
  }
  void DropWaiting() { ended_ += std::exchange(waiting_, 0); }

  // Without the lock while it writes: whoever writes may ask the run to stop.
  void WriteFinished(std::unique_lock<std::mutex>* lock) {
    writing_ = true;
    while (!dropped_ && !finished_.empty() && finished_.begin()->first == written_) {
      auto first = finished_.extract(finished_.begin());
      lock->unlock();
      try {
        write_(std::move(first.mapped()));
      } catch (...) {
        lock->lock();
        dropped_ = true;
        writing_ = false;
        throw;
      }
      lock->lock();
      ++written_;
      changed_.notify_all();
    }
    writing_ = false;
  }

  const uint64_t window_;
  Write write_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<uint64_t, Result> finished_;  // whose predecessors are not written yet
  uint64_t begun_ = 0, waiting_ = 0, ended_ = 0, written_ = 0;
  bool writing_ = false, dropped_ = false, stopped_ = false;
  std::exception_ptr failure_;
};

template <class Item, class Result, class Read, class Work, class Write>
void RunOrdered(WorkerPool* pool, Read read, Work work, Write write, const RunLimits<Item, Result>& limits = {}) {
  using Run = OrderedRun<Item, Result, Write>;
  const auto run = std::make_shared<Run>(4 * static_cast<uint64_t>(pool->threads()), std::move(write));
  DeadlineTimer timer;  // of this run alone: what it writes may take its time
  const std::stop_callback on_stop(limits.stop, [&run] { run->Stop(); });
  const auto enter = [&](const std::shared_ptr<typename Run::Entry>& entry) {
    auto deadline = DeadlineTimer::Clock::time_point::max();
    if (limits.deadline) deadline = limits.deadline(entry->item);
    run->Enter(entry.get());
    std::optional<DeadlineTimer::Alarm> alarm;
    if (deadline != DeadlineTimer::Clock::time_point::max())
      alarm = timer.At(deadline, [&run, &limits, entry] {
        if (run->Take(entry.get())) run->Do(entry.get(), limits.late);
      });
    // A task that comes too late must not touch what ends with the run.
    pool->Push(
        [own = run, entry, alarm, &timer, &work](int worker) {
          if (!own->Take(entry.get())) return;
          if (alarm) timer.Cancel(*alarm);
          own->Do(entry.get(), [&](Item&& item) { return work(worker, std::move(item)); });
        },
        limits.stop, deadline);
  };
  bool more = true;
  for (uint64_t index = 0; more && run->Begin(); ++index) {
    const auto entry = std::make_shared<typename Run::Entry>();
    entry->index = index;
    try {
      more = read(&entry->item);
      if (more) enter(entry);
    } catch (...) {
      run->FailReading();
      run->GiveUp(entry.get());
    }
    if (!more) run->GiveUp(entry.get());
  }
  run->End();
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
