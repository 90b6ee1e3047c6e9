// Systems as tests name them.
#pragma once

#include <string>

#include "rules/system_spec.h"

namespace graft::engine::fixtures {

struct SpecVariant {
  bool edge_labels = false, pos = false;
};

// An empty graph leaves it to the system.
inline SystemOptions OptionsOf(const std::string& name, const std::string& graph = "", SpecVariant variant = {}) {
  SystemOptions options;
  options["name"] = name;
  if (!graph.empty()) options["graph"] = graph;
  if (variant.edge_labels) options["edge_labels"] = true;
  if (variant.pos) options["pos"] = true;
  return options;
}

inline SystemSpec SpecOf(const std::string& name, const std::string& graph = "", SpecVariant variant = {}) {
  return MakeSystemSpec(OptionsOf(name, graph, variant));
}

}  // namespace graft::engine::fixtures
