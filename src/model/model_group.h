// Models that translate the same sentences side by side.
#pragma once

#include <string>
#include <vector>

#include "corpus/source_reader.h"
#include "model/model.h"

namespace graft::engine {

struct NamedModel {
  std::string name;  // for messages
  const Model* model;
};

// Throws Error unless one input serves all models and their translations are the same kind of text: equal [text]
// options and equal words; for those that read trees also equal ways to read them. Returns how to read the input.
SourceOptions RequireSameText(const std::vector<NamedModel>& models);

}  // namespace graft::engine
