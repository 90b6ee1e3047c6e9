// Labels of non-terminals. Label 0 is X; with linguistic non-terminals the label of a unit is the tags of its members
// whose head lies outside, in word order, joined by `_` (paper, Section 6.3).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "graph/node_set.h"
#include "util/text_numbers.h"

namespace graft::engine {

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

// Numbers for labels; X has 0.
class LabelNumbers : public TextNumbers {
 public:
  LabelNumbers() { Number(kLabelXText); }
};

}  // namespace graft::engine
