// A sentence for search with a grammar: its words and graph, the target lists of rules, and the copies of words that
// have no rule of their own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "search/sentence_input.h"
#include "search/target_lists.h"

namespace graft::engine {

// One per thread; keeps its memory and its scored lists between sentences.
class GrammarInput {
 public:
  explicit GrammarInput(const DecodingModel& model);

  // Valid until the next Build.
  void Build(const Sentence& sentence, const StopCheck& stop = {});

  int size() const { return input_.size(); }
  const DecodingModel& model() const { return model_; }
  StopCounter* stop() { return &stop_; }  // for whoever works on the sentence
  const Sentence& sentence() const { return input_.sentence(); }
  const DependencyGraph& graph() const { return input_.graph(); }
  const DependencyEdgeGraph& edge_graph() const { return input_.edge_graph(); }
  const std::vector<WordId>& words() const { return input_.words(); }
  const std::string& LookedUp(int position) const { return input_.LookedUp(position); }  // in the case of training

  // The pre-scored targets of a node with rules, one list per left-hand side. Pointers stay valid for the sentence.
  std::span<const ScoredTargets> Targets(TrieNode node) { return lists_.Of(node); }

  // The copy of a word without a one-word rule, labelled X or, with linguistic non-terminals, by the word's tag;
  // nullptr for other words and when copies are off.
  const ScoredTargets* Copy(int position) const {
    const std::optional<ScoredTargets>& copy = copies_[static_cast<size_t>(position)];
    return copy ? &*copy : nullptr;
  }

  // The pseudo rule over so many X (target_lists.h). The pointer stays valid for the sentence.
  const ScoredTargets* PseudoRule(int nonterminals);

  // The table's label of a text; kNoLabel if it has none.
  static constexpr uint32_t kNoLabel = UINT32_MAX;
  uint32_t FindLabel(std::string_view text) const {
    const auto known = label_ids_.find(text);
    return known == label_ids_.end() ? kNoLabel : known->second;
  }

  // Labels are the table's, and after them the tags of copied words that the table lacks.
  const std::string& LabelText(uint32_t label) const {
    const std::vector<std::string>& known = model_.table().labels();
    return label < known.size() ? known[label] : more_labels_[label - known.size()];
  }

 private:
  uint32_t LabelOf(const std::string& text);

  const DecodingModel model_;
  SentenceInput input_;
  TargetLists lists_;
  StopCounter stop_;
  std::vector<std::optional<ScoredTargets>> copies_;
  std::map<int, ScoredTargets> pseudo_rules_;                 // by number of non-terminals
  std::unordered_map<std::string_view, uint32_t> label_ids_;  // of the table's labels
  std::vector<std::string> more_labels_;
};

}  // namespace graft::engine
