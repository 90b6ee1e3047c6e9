// Ordered parallel work: one thread reads, `threads` work, results are written in input order. The result never depends
// on the number of threads.
//
//   RunOrdered<Item, Result>(threads, read, work, write);
//
//   read(Item*) -> bool            called from one thread at a time; false = no more
//   work(worker, Item&&) -> Result called concurrently; `worker` < threads names per-thread scratch
//   write(Result&&)                called from one thread at a time, in input order
//
// The first exception of any of the three stops the run and is rethrown. At most 4 * threads items are in flight (plus
// one batch each).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace graft::engine {

// What the threads of one RunOrdered share: items come out in input order, results go in by index and are written in
// that order.
template <class Item, class Result, class Read, class Write>
class OrderedWork {
 public:
  OrderedWork(int threads, Read& read, Write& write)
      : most_in_flight_(4 * static_cast<uint64_t>(threads)), read_(read), write_(write) {}

  // The next item and its index; false if there is none or the run has been stopped. Waits for room.
  bool Take(Item* item, uint64_t* index) {
    std::lock_guard reading(read_mutex_);
    {
      std::unique_lock lock(write_mutex_);
      room_.wait(lock, [&] { return stopped_ || next_read_ < next_write_ + most_in_flight_; });
      if (stopped_) return false;
    }
    if (ended_) return false;
    try {
      ended_ = !read_(item);
    } catch (...) {  // what was read before is still worked on and written
      ended_ = true;
      std::lock_guard lock(write_mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    if (ended_) return false;
    *index = next_read_++;
    return true;
  }

  // False if the run has been stopped.
  bool Give(uint64_t index, Result&& result) {
    std::lock_guard lock(write_mutex_);
    if (stopped_) return false;
    waiting_.emplace(index, std::move(result));
    while (!waiting_.empty() && waiting_.begin()->first == next_write_) {
      auto first = waiting_.extract(waiting_.begin());
      write_(std::move(first.mapped()));
      ++next_write_;
    }
    room_.notify_all();
    return true;
  }

  // Stops the run with the exception at hand.
  void Fail() {
    std::lock_guard lock(write_mutex_);
    if (!failure_) failure_ = std::current_exception();
    stopped_ = true;
    room_.notify_all();
  }
  const std::exception_ptr& failure() const { return failure_; }  // when all threads are done

 private:
  const uint64_t most_in_flight_;
  Read& read_;
  Write& write_;
  std::mutex read_mutex_;
  bool ended_ = false;  // no more to read; guarded by read_mutex_
  uint64_t next_read_ = 0;
  std::mutex write_mutex_;              // guards what follows
  std::condition_variable room_;        // fewer in flight, or stopped
  std::map<uint64_t, Result> waiting_;  // finished results whose predecessors are not written yet
  uint64_t next_write_ = 0;
  bool stopped_ = false;
  std::exception_ptr failure_;
};

template <class Item, class Result, class Read, class Work, class Write>
void RunOrdered(int threads, Read read, Work work, Write write) {
  if (threads <= 1) {
    Item item;
    while (read(&item)) write(work(0, std::move(item)));
    return;
  }
  OrderedWork<Item, Result, Read, Write> shared(threads, read, write);
  const auto run = [&](int worker) {
    try {
      for (bool going = true; going;) {
        Item item;
        uint64_t index = 0;
        going = shared.Take(&item, &index) && shared.Give(index, work(worker, std::move(item)));
      }
    } catch (...) {
      shared.Fail();
    }
  };
  std::vector<std::jthread> pool;
  for (int worker = 0; worker < threads; ++worker) pool.emplace_back(run, worker);
  pool.clear();  // joins
  if (shared.failure()) std::rethrow_exception(shared.failure());
}

}  // namespace graft::engine
