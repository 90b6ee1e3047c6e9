#include "support/example_models.h"

#include <fstream>

#include "graft/training_steps.h"
#include "support/paths.h"

namespace graft::fixtures {
namespace {

constexpr int kPairs = 600;

// The first `count` lines of a file, or blocks that end with an empty line.
std::string Head(const std::string& path, int count, bool blocks) {
  std::ifstream file(path);
  std::string text;
  for (std::string line; count > 0 && std::getline(file, line);) {
    text += line + "\n";
    if (!blocks || line.empty()) --count;
  }
  return text;
}

}  // namespace

void ExampleModels::Prepare() {
  if (prepared_) return;
  prepared_ = true;
  const std::string examples = engine::TestData("../../examples/de-en/");
  folder_.Write("train.de.conllu", Head(examples + "train.de.conllu", kPairs, true));
  folder_.Write("train.en", Head(examples + "train.en", kPairs, false));
  folder_.Write("train.align", Head(examples + "train.align", kPairs, false));
  EstimateLanguageModel(
      {.texts = {folder_.File("train.en")}, .output = folder_.File("lm.bin"), .order = 3, .memory = "64M"});
}

std::shared_ptr<const Model> ExampleModels::Train(const std::string& name, const Settings& system, bool raw) {
  Prepare();
  BuildTable({.system = system,
              .source = folder_.File("train.de.conllu"),
              .target = folder_.File("train.en"),
              .align = folder_.File("train.align"),
              .output = folder_.File(name + ".graft"),
              .threads = 1,
              .memory = "256M"});
  AssembleModel({.table = folder_.File(name + ".graft"),
                 .lm = folder_.File("lm.bin"),
                 .tokeniser = raw ? "icu" : "none",
                 .languages = {"de", "en"},
                 .output = Folder(name)});
  return Model::Open(Folder(name));
}

}  // namespace graft::fixtures
