#include "util/worker_pool.h"

#include <algorithm>
#include <iterator>

#include "util/start_thread.h"

namespace graft::engine {

WorkerPool::WorkerPool(int threads, size_t capacity) : capacity_(std::max<size_t>(capacity, 1)) {
  try {
    for (int worker = 0; worker < std::max(threads, 1); ++worker)
      workers_.push_back(StartThread([this, worker] { Run(worker); }));
  } catch (...) {
    End();  // those that have begun wait for work
    throw;
  }
}

WorkerPool::~WorkerPool() { End(); }

void WorkerPool::End() {
  std::deque<Task> dropped;
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
    dropped.swap(waiting_);
  }
  work_.notify_all();
  workers_.clear();  // joins
}

bool WorkerPool::Push(Task task, const std::stop_token& stop, std::chrono::steady_clock::time_point deadline) {
  {
    std::unique_lock lock(mutex_);
    const auto has_room = [&] { return waiting_.size() < capacity_; };
    const bool entered = deadline == std::chrono::steady_clock::time_point::max()
                             ? room_.wait(lock, stop, has_room)
                             : room_.wait_until(lock, stop, deadline, has_room);
    if (!entered) return false;
    waiting_.push_back(std::move(task));
  }
  work_.notify_one();
  return true;
}

bool WorkerPool::TryPush(std::vector<Task> tasks) {
  std::vector<Task> unwanted;  // end without the lock
  {
    std::lock_guard lock(mutex_);
    if (!HasRoom(tasks.size())) {
      const auto kept = std::stable_partition(waiting_.begin(), waiting_.end(),
                                              [](const Task& task) { return !task.wanted || task.wanted(); });
      std::move(kept, waiting_.end(), std::back_inserter(unwanted));
      waiting_.erase(kept, waiting_.end());
      if (!unwanted.empty()) room_.notify_all();
    }
    if (!HasRoom(tasks.size())) return false;
    for (Task& task : tasks) waiting_.push_back(std::move(task));
  }
  work_.notify_all();
  return true;
}

bool WorkerPool::HasRoom(size_t tasks) const { return waiting_.empty() || waiting_.size() + tasks <= capacity_; }

void WorkerPool::Run(int worker) {
  for (;;) {
    Task task(nullptr);
    {
      std::unique_lock lock(mutex_);
      work_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
      if (ending_) return;
      task = std::move(waiting_.front());
      waiting_.pop_front();
    }
    room_.notify_one();
    task.run(worker);
  }
}

}  // namespace graft::engine
