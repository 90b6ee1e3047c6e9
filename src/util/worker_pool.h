// Threads that stay, and a bounded queue before them.
//
//   WorkerPool pool(2, 1024);
//   pool.Push([](int worker) { … });    // waits for a place in the queue
//
// Calls may be made from any thread but the pool's own. Many items in order: util/parallel.h.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace graft::engine {

class WorkerPool {
 public:
  struct Task {
    template <class Run>
    Task(Run what) : run(std::move(what)) {}  // NOLINT: pool.Push([](int worker) { … })
    template <class Run, class Wanted>
    Task(Run what, Wanted whether) : run(std::move(what)), wanted(std::move(whether)) {}

    std::function<void(int worker)> run;  // `worker` < threads names per-thread scratch; must not throw
    std::function<bool()> wanted;         // whether it is worth its place in the queue; empty: always
  };

  WorkerPool(int threads, size_t capacity);
  ~WorkerPool();  // tasks that wait are dropped, those at work are finished

  // Waits for room in the queue; false if a stop was requested or the deadline passed before there was any.
  bool Push(Task task, const std::stop_token& stop = {},
            std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());
  // Either all tasks enter the queue or none does; a queue without a waiting task takes any number. Tasks that are not
  // wanted any more make room.
  bool TryPush(std::vector<Task> tasks);

  int threads() const { return static_cast<int>(workers_.size()); }

 private:
  void Run(int worker);
  void End();  // of all threads
  bool HasRoom(size_t tasks) const;

  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable_any room_;
  std::deque<Task> waiting_;
  bool ending_ = false;
  std::vector<std::jthread> workers_;
};

}  // namespace graft::engine
