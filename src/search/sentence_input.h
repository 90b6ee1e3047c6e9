// A sentence as search sees it: its words as the table knows them, and its graph.
#pragma once

#include <string>
#include <vector>

#include "corpus/sentence.h"
#include "graph/dependency_edge_graph.h"
#include "graph/dependency_graph.h"
#include "search/decoding_model.h"

namespace graft::engine {

class SentenceInput {
 public:
  // `sentence` in its own case; it must outlive the use of this object.
  void Build(const DecodingModel& model, const Sentence& sentence);

  int size() const { return sentence_->size(); }
  const Sentence& sentence() const { return *sentence_; }
  const DependencyGraph& graph() const { return graph_; }
  const DependencyEdgeGraph& edge_graph() const { return edge_graph_; }  // empty unless words are edges
  const std::vector<WordId>& words() const { return words_; }            // source word ids, kNoWord for unknown ones
  const std::string& LookedUp(int position) const { return looked_up_[static_cast<size_t>(position)]; }
  // What the language model sees of a copied word.
  LmWord CopiedWord(int position) const { return copied_[static_cast<size_t>(position)]; }

 private:
  const Sentence* sentence_ = nullptr;
  DependencyGraph graph_;
  DependencyEdgeGraph edge_graph_;
  std::vector<std::string> looked_up_;  // tokens in the case of training
  std::vector<WordId> words_;
  std::vector<LmWord> copied_;
};

}  // namespace graft::engine
