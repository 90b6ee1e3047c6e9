// Ordered parallel work: one thread reads, others work, results are written in input order. The result never depends on
// the number of threads.
//
//   RunOrdered<Item, Result>(threads, read, work, write);    // threads of its own; with one of them in this thread
//   RunOrdered<Item, Result>(&pool, read, work, write);      // those of a pool, which others may use meanwhile
//
//   read(Item*) -> bool            called in this thread; false = no more
//   work(worker, Item&&) -> Result called concurrently; `worker` < threads names per-thread scratch
//   write(Result&&)                called in one other thread, in input order, as soon as a result is there (also while
//                                  read waits); on a pool it may itself use the pool
//
// The first exception of any of the three, in input order, ends the run and is rethrown; what was read before it is
// still worked on and written. At most four items a thread are under way.
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
#include <thread>
#include <utility>

#include "graft/error.h"
#include "util/deadline_timer.h"
#include "util/start_thread.h"
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

// One run of items through a pool: who has read and written how far, and what went wrong. Tasks in the queue may
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
  // False: it will never be done. Whoever asks must then drop it.
  bool Wanted(Entry* entry) {
    std::lock_guard lock(mutex_);
    if (stopped_ || entry->taken) return false;
    if (entry->index < failed_) return true;
    Drop(entry);
    return false;
  }
  // False: somebody else has, or nobody wants it any more. Whoever takes an item does it.
  bool Take(Entry* entry) {
    std::lock_guard lock(mutex_);
    if (stopped_ || entry->taken) return false;
    if (entry->index >= failed_) {
      Drop(entry);
      return false;
    }
    entry->taken = true;
    --waiting_;
    return true;
  }
  template <class Make>
  void Do(Entry* entry, const Make& make) {
    try {
      Finish(entry->index, make(std::move(entry->item)));
    } catch (...) {
      std::lock_guard lock(mutex_);
      Remember(entry->index);
      ++ended_;
      changed_.notify_all();
    }
  }
  // Reading the item of this number failed. Without an entry, or if it did not enter, there was none.
  void FailReading(uint64_t index, Entry* entry) {
    std::lock_guard lock(mutex_);
    Remember(index);
    GiveUp(entry);
    changed_.notify_all();
  }
  // There was none to read.
  void EndReading(Entry* entry) {
    std::lock_guard lock(mutex_);
    GiveUp(entry);
    changed_.notify_all();
  }
  // The run was asked to end: what nobody has taken is dropped, and nothing more is written.
  void Stop() {
    std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::make_exception_ptr(Stopped());
    EndEarly();
  }
  // In a thread of its own, which may ask the run to stop, or wait for other work of the pool.
  void WriteAll() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return over_ || HasNext(); });
      if (!HasNext()) return;
      auto first = finished_.extract(finished_.begin());
      writing_ = true;
      lock.unlock();
      std::exception_ptr failure;
      try {
        write_(std::move(first.mapped()));
      } catch (...) {
        failure = std::current_exception();
      }
      first = {};
      lock.lock();
      writing_ = false;
      if (failure) {
        if (!stopped_) failure_ = failure;  // everything else that failed comes later
        EndEarly();
      } else {
        ++written_;
        changed_.notify_all();
      }
    }
  }
  // Waits for all that was begun; throws what went wrong.
  void End() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ == begun_ && !writing_ && !HasNext(); });
    over_ = true;
    changed_.notify_all();
    // The caller's alone: tasks that outlive the run keep none of it.
    if (std::exception_ptr failure = std::exchange(failure_, nullptr)) {
      lock.unlock();
      std::rethrow_exception(std::move(failure));
    }
  }

 private:
  bool HasNext() const { return !stopped_ && !finished_.empty() && finished_.begin()->first == written_; }
  void Finish(uint64_t index, Result&& result) {
    std::lock_guard lock(mutex_);
    if (!stopped_ && index < failed_) finished_.emplace(index, std::move(result));
    ++ended_;
    changed_.notify_all();
  }
  // Of several failures that of the first item counts; what comes after it is not written.
  void Remember(uint64_t index) {
    if (index >= failed_) return;
    failed_ = index;
    failure_ = std::current_exception();
  }
  // Nobody will take the item, if nobody has.
  void GiveUp(Entry* entry) {
    if (entry == nullptr || !entry->entered) {
      --begun_;
    } else if (!stopped_ && !entry->taken) {
      Drop(entry);
    }
  }
  void Drop(Entry* entry) {
    entry->taken = true;
    --waiting_;
    ++ended_;
    changed_.notify_all();
  }
  void EndEarly() {
    stopped_ = true;
    failed_ = 0;
    DropWaiting();
    changed_.notify_all();
  }
  void DropWaiting() { ended_ += std::exchange(waiting_, 0); }

  const uint64_t window_;
  Write write_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<uint64_t, Result> finished_;  // and not written yet
  uint64_t begun_ = 0, waiting_ = 0, ended_ = 0, written_ = 0;
  uint64_t failed_ = UINT64_MAX;  // the first item that failed
  bool writing_ = false, stopped_ = false, over_ = false;
  std::exception_ptr failure_;
};

template <class Item, class Result, class Read, class Work, class Write>
void RunOrdered(WorkerPool* pool, Read read, Work work, Write write, const RunLimits<Item, Result>& limits = {}) {
  using Run = OrderedRun<Item, Result, Write>;
  const auto run = std::make_shared<Run>(4 * static_cast<uint64_t>(pool->threads()), std::move(write));
  const std::jthread writer = StartThread([&run] { run->WriteAll(); });
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
    pool->Push({[own = run, entry, alarm, &timer, &work](int worker) {
                  if (!own->Take(entry.get())) return;
                  if (alarm) timer.Cancel(*alarm);
                  own->Do(entry.get(), [&](Item&& item) { return work(worker, std::move(item)); });
                },
                [own = run, entry] { return own->Wanted(entry.get()); }},
               limits.stop, deadline);
  };
  bool more = true;
  for (uint64_t index = 0; more && run->Begin(); ++index) {
    std::shared_ptr<typename Run::Entry> entry;
    try {
      entry = std::make_shared<typename Run::Entry>();
      entry->index = index;
      more = read(&entry->item);
      if (more)
        enter(entry);
      else
        run->EndReading(entry.get());
    } catch (...) {
      run->FailReading(index, entry.get());
    }
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
