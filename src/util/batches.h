// Parallel work whose order does not matter: batches are read by one thread at a time and worked on by all.
//
//   RunBatches<Batch>(threads, read, work, stop);
//
//   read(Batch*) -> bool   fills the batch (what it held before may be reused); false = no more
//   work(worker, Batch*)   called concurrently; `worker` < threads names per-thread results
//   stop                   asked before each batch; may be left out
//
// Of several failures, that of the earliest batch is rethrown, so that the same bad input gives the same message for
// any number of threads.
#pragma once

#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "util/start_thread.h"
#include "util/stop_check.h"

namespace graft::engine {

template <class Batch, class Read, class Work>
void RunBatches(int threads, Read read, Work work, const StopCheck& stop = {}) {
  std::mutex mutex;
  uint64_t next = 0;
  bool more = true;
  uint64_t failed_batch = UINT64_MAX;
  std::exception_ptr failure;
  auto run = [&](int worker) {
    uint64_t index = 0;
    try {
      Batch batch;
      for (;;) {
        {
          std::lock_guard lock(mutex);
          if (!more) return;
          index = next++;
          more = false;  // also if read throws
          stop.Poll();
          if (!read(&batch)) return;
          more = failure == nullptr;
        }
        work(worker, &batch);
      }
    } catch (...) {
      std::lock_guard lock(mutex);
      more = false;
      if (index < failed_batch) {
        failed_batch = index;
        failure = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> pool;
    try {
      for (int worker = 1; worker < threads; ++worker) pool.push_back(StartThread([&run, worker] { run(worker); }));
    } catch (...) {
      std::lock_guard lock(mutex);
      more = false;
      throw;
    }
    run(0);
  }
  if (failure) std::rethrow_exception(failure);
}

// Calls work(worker) once per worker, all at the same time. The first worker's failure wins.
template <class Work>
void RunOnAll(int threads, Work work) {
  int next = 0;
  RunBatches<int>(
      threads, [&](int* worker) { return (*worker = next++) < threads; }, [&](int, int* worker) { work(*worker); });
}

}  // namespace graft::engine
