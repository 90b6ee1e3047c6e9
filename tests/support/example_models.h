// Models trained on the embedded treebanks, through the public library: what its users would have.
#pragma once

#include <memory>
#include <string>

#include "graft/model.h"
#include "temporary_folder.h"

namespace graft::fixtures {

class ExampleModels {
 public:
  // A model of German-English: `system` as in TableOptions. Where `raw`, it takes and gives raw text.
  std::shared_ptr<const Model> Train(const std::string& name, const Settings& system, bool raw);
  std::string Folder(const std::string& name) const { return folder_.File(name); }
  const engine::TemporaryFolder& files() const { return folder_; }

 private:
  void Prepare();  // corpus and language model, once

  engine::TemporaryFolder folder_;
  bool prepared_ = false;
};

}  // namespace graft::fixtures
