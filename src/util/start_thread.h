// std::jthread whose failure to start is an Error that says what to do.
#pragma once

#include <cstring>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "graft/error.h"

namespace graft::engine {

template <class Run>
std::jthread StartThread(Run run) {
  try {
    return std::jthread(std::move(run));
  } catch (const std::system_error& error) {
    throw Error("cannot start another thread: " + std::string(std::strerror(error.code().value())) +
                "; give fewer --threads, or raise the limits of processes and of memory (ulimit -u, ulimit -v)");
  }
}

}  // namespace graft::engine
