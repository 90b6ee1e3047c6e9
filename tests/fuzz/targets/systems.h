// Systems for targets that need one: every kind of signature, label and search.
#pragma once

#include <vector>

#include "fuzz/fuzz_target.h"
#include "support/specs.h"

namespace graft::engine::fuzz {

inline const std::vector<SystemSpec>& FuzzSystems() {
  using fixtures::SpecOf;
  static const std::vector<SystemSpec> systems = {SpecOf("pbmt"),
                                                  SpecOf("sdtu"),
                                                  SpecOf("tbmt"),
                                                  SpecOf("seggbmt", "dsg"),
                                                  SpecOf("seggbmt-union", "", {.edge_labels = true}),
                                                  SpecOf("hpbmt"),
                                                  SpecOf("serg"),
                                                  SpecOf("serg", "", {.pos = true}),
                                                  SpecOf("gramgbmt-c", "dbg", {.edge_labels = true}),
                                                  SpecOf("gramgbmt-b", "dsg", {.pos = true}),
                                                  SpecOf("dep2str")};
  return systems;
}

inline const SystemSpec& DrawSystem(ByteSource* source) {
  return FuzzSystems()[static_cast<size_t>(source->Below(static_cast<int>(FuzzSystems().size())))];
}

}  // namespace graft::engine::fuzz
