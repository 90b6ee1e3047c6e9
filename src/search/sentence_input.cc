#include "search/sentence_input.h"

namespace graft::engine {

void SentenceInput::Build(const DecodingModel& model, const Sentence& sentence) {
  sentence_ = &sentence;
  looked_up_ = sentence.tokens;
  model.text().Normalise(Side::kSource, &looked_up_);
  words_.clear();
  copied_.clear();
  const std::vector<std::string>& copies = model.lowercase() ? looked_up_ : sentence.tokens;
  for (size_t i = 0; i < looked_up_.size(); ++i) {
    words_.push_back(model.table().FindSource(looked_up_[i]));
    copied_.push_back(model.lm().Word(copies[i]));
  }
  graph_ = DependencyGraph(model.system().graph, sentence.size(), sentence.heads);
  if (model.system().words_on_edges()) edge_graph_ = DependencyEdgeGraph(sentence.size(), sentence.heads);
}

}  // namespace graft::engine
