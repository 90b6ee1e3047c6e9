// Parallel work on numbered tasks, when results need no order of their own (each task writes where only it writes).
//
//   ParallelFor(threads, tasks, [&](size_t task, int worker) { … });
//
// `worker` < threads names per-thread scratch. Which worker takes a task is open; a result must not depend on it. The
// first exception stops the run and is rethrown; so does Stopped as `stop` says, which is asked before each task.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "util/start_thread.h"
#include "util/stop_check.h"

namespace graft::engine {

template <class Work>
void ParallelFor(int threads, size_t tasks, const Work& work, const StopCheck& stop = {}) {
  const auto workers = static_cast<int>(std::min<size_t>(std::max(threads, 1), tasks));
  if (workers <= 1) {
    for (size_t task = 0; task < tasks; ++task) {
      stop.Poll();
      work(task, 0);
    }
    return;
  }
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  auto run = [&](int worker) {
    try {
      for (size_t task = next++; task < tasks; task = next++) {
        stop.Poll();
        work(task, worker);
      }
    } catch (...) {
      next = tasks;
      std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> pool;
    try {
      for (int worker = 1; worker < workers; ++worker) pool.push_back(StartThread([&run, worker] { run(worker); }));
    } catch (...) {
      next = tasks;
      throw;
    }
    run(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace graft::engine
