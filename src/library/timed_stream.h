// Streams of inputs through workers that others may use meanwhile, with what ends a call of the library: its stop, and
// a time limit for each input from its reading on.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

#include "util/parallel.h"
#include "util/stop_check.h"

namespace graft::internal {

template <class Item>
struct Timed {
  Item item;
  std::chrono::steady_clock::time_point deadline;
};

// RunOrdered (util/parallel.h) with options.stop and options.time_limit. `late` makes the result of an input that no
// worker has taken up in time.
template <class Item, class Result, class Options, class Work, class Late>
void RunTimed(engine::WorkerPool* pool, const std::function<bool(Item*)>& read,
              const std::function<void(Result&&)>& write, const Options& options, Work work, Late late) {
  engine::RunLimits<Timed<Item>, Result> limits;
  limits.stop = options.stop;
  if (options.time_limit.count() > 0) {
    limits.deadline = [](const Timed<Item>& timed) { return timed.deadline; };
    limits.late = std::move(late);
  }
  engine::RunOrdered<Timed<Item>, Result>(
      pool,
      [&](Timed<Item>* next) {
        if (!read(&next->item)) return false;
        next->deadline = engine::StopCheck::In(options.time_limit);
        return true;
      },
      std::move(work), write, limits);
}

}  // namespace graft::internal
