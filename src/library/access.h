// How the parts of the library reach the engine behind a public Model.
#pragma once

#include <memory>

#include "graft/model.h"
#include "model/model.h"

namespace graft {

struct Model::Impl {
  std::unique_ptr<const engine::Model> model;
};

namespace internal {

struct ModelAccess {
  static const engine::Model& Engine(const Model& model) { return *model.impl_->model; }
};

}  // namespace internal
}  // namespace graft
