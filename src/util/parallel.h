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

template <class Item, class Result, class Read, class Work, class Write>
void RunOrdered(int threads, Read read, Work work, Write write) {
  if (threads <= 1) {
    Item item;
    while (read(&item)) write(work(0, std::move(item)));
    return;
  }
  std::mutex read_mutex;
  std::mutex write_mutex;
  std::condition_variable room;
  std::map<uint64_t, Result> waiting;  // finished results whose predecessors are not written yet
  uint64_t next_read = 0;
  bool ended = false;  // no more to read; guarded by read_mutex
  uint64_t next_write = 0;
  bool stopped = false;  // guarded by write_mutex
  std::exception_ptr failure;

  auto fail = [&] {
    std::lock_guard lock(write_mutex);
    if (!failure) failure = std::current_exception();
    stopped = true;
    room.notify_all();
  };
  auto run = [&](int worker) {
    try {
      for (;;) {
        Item item;
        uint64_t index = 0;
        {
          std::lock_guard reading(read_mutex);
          {
            std::unique_lock lock(write_mutex);
            room.wait(lock, [&] { return stopped || next_read < next_write + 4 * static_cast<uint64_t>(threads); });
            if (stopped) return;
          }
          if (ended) return;
          try {
            ended = !read(&item);
          } catch (...) {  // what was read before is still worked on and written
            ended = true;
            std::lock_guard lock(write_mutex);
            if (!failure) failure = std::current_exception();
          }
          if (ended) return;
          index = next_read++;
        }
        Result result = work(worker, std::move(item));
        std::lock_guard lock(write_mutex);
        if (stopped) return;
        waiting.emplace(index, std::move(result));
        while (!waiting.empty() && waiting.begin()->first == next_write) {
          auto first = waiting.extract(waiting.begin());
          write(std::move(first.mapped()));
          ++next_write;
        }
        room.notify_all();
      }
    } catch (...) {
      fail();
    }
  };
  std::vector<std::jthread> pool;
  for (int worker = 0; worker < threads; ++worker) pool.emplace_back(run, worker);
  pool.clear();  // joins
  if (failure) std::rethrow_exception(failure);
}

}  // namespace graft::engine
