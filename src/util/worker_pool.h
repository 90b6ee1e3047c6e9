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
  void End();  // of all threads

  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable_any room_;
  std::deque<Task> waiting_;
  bool ending_ = false;
  std::vector<std::jthread> workers_;
};

}  // namespace graft::engine
