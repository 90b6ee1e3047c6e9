#include "search/grammar_input.h"

#include <algorithm>

#include "graft/error.h"
#include "rules/labels.h"

namespace graft::engine {

GrammarInput::GrammarInput(const DecodingModel& model) : model_(model), lists_(model) {
  for (const std::string& label : model.table().labels())
    label_ids_.emplace(label, static_cast<uint32_t>(label_ids_.size()));
}

const ScoredTargets* GrammarInput::PseudoRule(int nonterminals) {
  const auto known = pseudo_rules_.find(nonterminals);
  if (known != pseudo_rules_.end()) return &known->second;
  return &pseudo_rules_.emplace(nonterminals, lists_.Pseudo(nonterminals)).first->second;
}

uint32_t GrammarInput::LabelOf(const std::string& text) {
  const uint32_t known = FindLabel(text);
  if (known != kNoLabel) return known;
  auto more = std::find(more_labels_.begin(), more_labels_.end(), text);
  if (more == more_labels_.end()) more = more_labels_.insert(more, text);
  return static_cast<uint32_t>(label_ids_.size()) + static_cast<uint32_t>(more - more_labels_.begin());
}

void GrammarInput::Build(const Sentence& sentence, const StopCheck& stop) {
  lists_.NextSentence(stop);
  stop_ = StopCounter(stop);
  input_.Build(model_, sentence);
  const bool tagged = model_.system().grammar.pos;
  if (model_.system().labelled() && sentence.tags.size() != sentence.tokens.size())
    throw Error("a model of " + model_.system().name + " needs the tags of its input: give it CoNLL-U");
  more_labels_.clear();
  pseudo_rules_.clear();
  copies_.assign(sentence.tokens.size(), std::nullopt);
  if (!model_.search().copy_unknown) return;
  const RuleTable& table = model_.table();
  for (size_t i = 0; i < sentence.tokens.size(); ++i) {
    const WordId word = input_.words()[i];
    const std::optional<TrieNode> node = word == kNoWord ? std::nullopt : table.Child(RuleTable::kRoot, word, 0);
    if (node && table.HasRules(*node)) continue;
    copies_[i] = lists_.Copy(input_.CopiedWord(static_cast<int>(i)),
                             LabelOf(tagged ? sentence.tags[i] : std::string(kLabelXText)));
  }
}

}  // namespace graft::engine
