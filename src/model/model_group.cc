#include "model/model_group.h"

#include <fmt/format.h>

#include "graft/error.h"

namespace graft::engine {
namespace {

std::string Describe(const TextOptions& text) {
  return fmt::format("tokeniser = \"{}\", lowercase = {}, truecase = {}, languages = [{}]", text.tokeniser,
                     text.lowercase, text.truecase, fmt::join(text.languages, ", "));
}

void RequireEqual(bool one, bool other, const char* key, const NamedModel& first, const NamedModel& second) {
  if (one != other)
    throw Error(fmt::format("{} and {} cannot be combined: they differ in system.{} and so read different sentences",
                            first.name, second.name, key));
}

}  // namespace

SourceOptions RequireSameText(const std::vector<NamedModel>& models) {
  if (models.empty()) throw Error("no model to combine");
  const NamedModel& first = models[0];
  const NamedModel* tree = nullptr;  // the first that reads trees
  for (const NamedModel& other : models) {
    const TextOptions& expected = first.model->text().options();
    const TextOptions& text = other.model->text().options();
    if (!(text == expected))
      throw Error(fmt::format("{} and {} cannot be combined: their text differs ({}; {})", first.name, other.name,
                              Describe(expected), Describe(text)));
    const SystemSpec& system = other.model->system();
    RequireEqual(first.model->system().reading.words, system.reading.words, "words", first, other);
    if (!system.reads_tree()) continue;
    if (tree == nullptr) tree = &other;
    RequireEqual(tree->model->system().reading.upos, system.reading.upos, "upos", *tree, other);
    RequireEqual(tree->model->system().reading.projectivise, system.reading.projectivise, "projectivise", *tree, other);
  }
  const SystemSpec& system = (tree != nullptr ? *tree : first).model->system();
  // Tokens keep their case: a model takes the case of training for look-up only, and unknown words are copied as they
  // stand.
  return system.reading.options();
}

}  // namespace graft::engine
