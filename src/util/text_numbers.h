// Numbers for texts, in order of first use, shared by all threads. They depend on threads: what is written takes its
// ids from the texts.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace graft::engine {

class TextNumbers {
 public:
  uint32_t Number(std::string_view text) {
    std::lock_guard lock(mutex_);
    const auto [found, inserted] = numbers_.emplace(text, static_cast<uint32_t>(texts_.size()));
    if (inserted) texts_.emplace_back(text);
    return found->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }  // when all threads are done

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<std::string> texts_;
};

}  // namespace graft::engine
