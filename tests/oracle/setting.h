// A segmentation system with its graph, as a parameter of tests.
#pragma once

#include <ostream>

#include "rules/system_spec.h"
#include "support/specs.h"

namespace graft::engine::oracle {

struct Setting {
  const char* test_name;
  const char* system;
  const char* graph;  // "" where the system has one of its own
  bool edge_labels;

  SystemOptions options() const { return fixtures::OptionsOf(system, graph, {.edge_labels = edge_labels}); }
};

inline void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.test_name; }

}  // namespace graft::engine::oracle
