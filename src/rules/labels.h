// Labels of non-terminals. Label 0 is X; with linguistic non-terminals the label of a unit is the tags of its members
// whose head lies outside, in word order, joined by `_` (paper, Section 6.3).
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/node_set.h"

namespace graft {

inline constexpr uint32_t kLabelX = 0;
inline constexpr std::string_view kLabelXText = "X";

// heads: 1-based, 0 = root.
inline std::string UnitLabel(const NodeSet& unit, std::span<const int> heads, std::span<const std::string> tags) {
  std::string label;
  unit.ForEach([&](int word) {
    const int head = heads[static_cast<size_t>(word)] - 1;
    if (head >= 0 && unit.Contains(head)) return;
    if (!label.empty()) label += '_';
    label += tags[static_cast<size_t>(word)];
  });
  return label;
}

// Numbers for labels in order of first use, shared by all threads. The numbers depend on threads; what is written
// takes its ids from the texts (OrderLabels).
class LabelNumbers {
 public:
  LabelNumbers() { Number(kLabelXText); }

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

}  // namespace graft
