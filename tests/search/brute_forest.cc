#include "search/brute_forest.h"

#include <algorithm>
#include <map>
#include <set>

namespace graft::engine::fixtures {
namespace {

// A part of the tree that is translated: some neighbouring elements of a head (itself and its dependents, 1-based), or
// the head's word alone. Head 0 has the roots as its elements.
struct Node {
  int head;
  std::vector<int> elements;
  friend auto operator<=>(const Node&, const Node&) = default;
};
using Symbols = std::vector<std::vector<int>>;  // elements of each

// A form of a structure, as a rule writes it, and what its non-terminals stand for.
struct Form {
  std::vector<SourceText> source;
  std::map<std::pair<int, int>, std::string> edges;
  std::vector<int> positions;  // of the symbols that are words; 0 for others
  std::vector<Node> tails;
};
struct Way {
  enum class Kind { kRule, kCopy, kPseudo } kind;
  const GrammarRule* rule;
  Form form;
};

class Forest {
 public:
  Forest(const std::vector<GrammarRule>& rules, const SystemSpec& spec, const GrammarInput& input,
         const ForestSettings& settings)
      : rules_(rules), spec_(spec), input_(input), settings_(settings), size_(static_cast<int>(input.words.size())) {}

  Node Goal() const {
    const std::vector<int> roots = Dependents(0);
    return roots.size() == 1 ? NodeOf(0, roots) : Node{0, roots};
  }
  std::vector<Node> Nodes() const;
  std::vector<Form> FormsOf(const Node& node) const;
  uint64_t Count(const Node& node);
  const std::vector<GrammarDerivation>& Derive(const Node& node);

 private:
  std::vector<int> Dependents(int head) const {
    std::vector<int> found;
    for (int i = 1; i <= size_; ++i)
      if (input_.heads[i - 1] == head) found.push_back(i);
    return found;
  }
  std::vector<int> Elements(int head) const {
    std::vector<int> elements = Dependents(head);
    elements.push_back(head);
    std::sort(elements.begin(), elements.end());
    return elements;
  }
  bool IsLeaf(int word) const { return Dependents(word).empty(); }
  bool IsWord(const Node& node) const { return node.elements == std::vector<int>{node.head}; }
  bool IsFull(const Node& node) const { return node.head == 0 || node.elements == Elements(node.head); }
  static bool Has(const std::vector<int>& elements, int word) {
    return std::find(elements.begin(), elements.end(), word) != elements.end();
  }
  // What fills a symbol of `head`'s structures.
  Node NodeOf(int head, const std::vector<int>& symbol) const {
    if (symbol.size() > 1) return {head, symbol};
    if (symbol[0] == head || IsLeaf(symbol[0])) return {symbol[0], symbol};
    return {symbol[0], Elements(symbol[0])};
  }
  std::set<int> Words(int head, const std::vector<int>& elements) const {
    std::set<int> words;
    for (int e : elements) {
      words.insert(e);
      if (e == head) continue;
      for (int d : Dependents(e)) words.merge(Words(0, {d}));
    }
    return words;
  }
  static std::vector<std::vector<int>> Runs(const std::vector<int>& elements) {
    std::vector<std::vector<int>> runs;
    for (size_t a = 0; a < elements.size(); ++a)
      for (size_t b = a + 2; b <= elements.size(); ++b) runs.emplace_back(elements.begin() + a, elements.begin() + b);
    return runs;
  }
  std::vector<Symbols> Structures(const Node& node) const;
  Form Write(int head, const Symbols& symbols, const std::set<char>& by_tag) const;
  char ClassOf(int head, const std::vector<int>& symbol) const {
    if (Has(symbol, head)) return 'h';
    return symbol.size() == 1 && IsLeaf(symbol[0]) ? 'l' : 'i';
  }
  std::string Name(const std::vector<std::string>& texts, int head, const std::vector<int>& symbol) const {
    if (Has(symbol, head)) return texts[head - 1];
    std::string name;
    for (int e : symbol) name += (name.empty() ? "" : "_") + texts[e - 1];
    return name;
  }
  const std::vector<Way>& WaysOf(const Node& node);
  uint64_t CountWay(const Way& way);
  void DeriveWay(const Way& way, std::vector<GrammarDerivation>* derivations);

  const std::vector<GrammarRule>& rules_;
  const SystemSpec& spec_;
  const GrammarInput& input_;
  const ForestSettings settings_;
  const int size_;
  std::map<Node, std::vector<Way>> ways_;
  std::map<Node, uint64_t> counts_;
  std::map<Node, std::vector<GrammarDerivation>> derivations_;
};

std::vector<Node> Forest::Nodes() const {
  std::vector<Node> nodes;
  for (int head = 1; head <= size_; ++head) {
    nodes.push_back({head, {head}});
    for (const std::vector<int>& run : Runs(Elements(head)))
      if (run == Elements(head) || (spec_.blocks.parts && (spec_.blocks.floating || Has(run, head))))
        nodes.push_back({head, run});
  }
  return nodes;
}

std::vector<Symbols> Forest::Structures(const Node& node) const {
  std::vector<Symbols> structures;
  Symbols& plain = structures.emplace_back();
  for (int e : node.elements) plain.push_back({e});
  if (!spec_.blocks.parts) return structures;
  for (const std::vector<int>& inner : Runs(node.elements)) {
    if (inner == node.elements || !(spec_.blocks.floating || Has(inner, node.head))) continue;
    Symbols symbols = {inner};
    for (int e : node.elements)
      if (!Has(inner, e)) symbols.push_back({e});
    std::sort(symbols.begin(), symbols.end());
    if (static_cast<int>(symbols.size()) <= spec_.grammar.max_symbols) structures.push_back(symbols);
  }
  return structures;
}

Form Forest::Write(int head, const Symbols& symbols, const std::set<char>& by_tag) const {
  Form form;
  for (const std::vector<int>& symbol : symbols) {
    const char c = ClassOf(head, symbol);
    const bool tag = by_tag.count(c) != 0;
    const bool variable = tag || c == 'i' || symbol.size() > 1;
    const std::string name = Name(tag ? input_.tags : input_.words, head, symbol);
    form.source.push_back({variable ? (tag ? "p=" : "w=") + name : name, variable});
    form.positions.push_back(variable ? 0 : symbol[0]);
    if (variable) form.tails.push_back(NodeOf(head, symbol));
  }
  for (size_t h = 0; h < symbols.size(); ++h)
    for (size_t d = 0; d < symbols.size(); ++d)
      if (h != d && Has(symbols[h], head)) form.edges[{static_cast<int>(h), static_cast<int>(d)}] = "";
  return form;
}

std::vector<Form> Forest::FormsOf(const Node& node) const {
  std::vector<Form> forms;
  auto add = [&](Form form) {
    const bool known = std::any_of(forms.begin(), forms.end(), [&](const Form& f) {
      return f.source == form.source && f.edges == form.edges && f.tails == form.tails;
    });
    if (!known) forms.push_back(std::move(form));
  };
  if (!IsWord(node))
    for (const Symbols& symbols : Structures(node)) {
      std::set<char> present;
      for (const std::vector<int>& symbol : symbols) present.insert(ClassOf(node.head, symbol));
      const std::vector<char> classes(present.begin(), present.end());
      for (unsigned subset = 0; subset < 1u << classes.size(); ++subset) {
        std::set<char> by_tag;
        for (size_t c = 0; c < classes.size(); ++c)
          if ((subset >> c & 1) != 0) by_tag.insert(classes[c]);
        add(Write(node.head, symbols, by_tag));
      }
    }
  if (IsWord(node) || spec_.blocks.parts) {
    Form phrase;
    for (int word : Words(node.head, node.elements)) {
      phrase.source.push_back({input_.words[word - 1], false});
      phrase.positions.push_back(word);
    }
    add(phrase);
  }
  return forms;
}

const std::vector<Way>& Forest::WaysOf(const Node& node) {
  const auto [place, fresh] = ways_.try_emplace(node);
  std::vector<Way>& ways = place->second;
  if (!fresh) return ways;
  if (node.head != 0)
    for (const Form& form : FormsOf(node))
      for (const GrammarRule& rule : rules_)
        if (rule.source == form.source && rule.edges == form.edges) ways.push_back({Way::Kind::kRule, &rule, form});
  uint64_t count = 0;
  for (const Way& way : std::vector<Way>(ways)) count += CountWay(way);
  if (count > 0) return ways;
  if (IsWord(node)) {
    if (settings_.copy_unknown) ways.push_back({Way::Kind::kCopy, nullptr, {{}, {}, node.elements, {}}});
  } else if (IsFull(node) && settings_.pseudo_rules) {
    Way way{Way::Kind::kPseudo, nullptr, {}};
    for (int e : node.elements) way.form.tails.push_back(NodeOf(node.head, {e}));
    ways.push_back(way);
  }
  return ways;
}

uint64_t Forest::CountWay(const Way& way) {
  uint64_t count = 1;
  for (const Node& tail : way.form.tails) count *= Count(tail);
  return count;
}

uint64_t Forest::Count(const Node& node) {
  const auto known = counts_.find(node);
  if (known != counts_.end()) return known->second;
  uint64_t count = 0;
  for (const Way& way : WaysOf(node)) count += CountWay(way);
  return counts_[node] = count;
}

// The words and values of `tail` come next.
void Append(const GrammarDerivation& tail, GrammarDerivation* made) {
  for (const auto& [s, t] : tail.alignment) made->alignment.emplace_back(s, t + static_cast<int>(made->target.size()));
  made->target.insert(made->target.end(), tail.target.begin(), tail.target.end());
  for (int f = 0; f < kFeatures; ++f) made->features[f] += tail.features[f];
}

void Forest::DeriveWay(const Way& way, std::vector<GrammarDerivation>* derivations) {
  GrammarDerivation base;
  std::vector<TargetText> target;
  std::vector<std::pair<int, int>> links;
  switch (way.kind) {
    case Way::Kind::kCopy:
      base.features[kRulePenalty] = -1;
      base.features[kUnknownWord] = -100;
      target = {{input_.words[way.form.positions[0] - 1], 0}};
      links = {{0, 0}};
      break;
    case Way::Kind::kPseudo:
      base.features[kGlue] = -1;
      for (size_t k = 1; k <= way.form.tails.size(); ++k) target.push_back({"", static_cast<int>(k)});
      break;
    case Way::Kind::kRule:
      base.features[kRulePenalty] = -1;
      base.features[kSourceGivenTarget] = way.rule->scores.p_source_given_target;
      base.features[kLexSourceGivenTarget] = way.rule->scores.lex_source_given_target;
      base.features[kTargetGivenSource] = way.rule->scores.p_target_given_source;
      base.features[kLexTargetGivenSource] = way.rule->scores.lex_target_given_source;
      target = way.rule->target;
      links = way.rule->links;
  }
  std::vector<const std::vector<GrammarDerivation>*> tails;
  for (const Node& tail : way.form.tails) tails.push_back(&Derive(tail));
  if (std::any_of(tails.begin(), tails.end(), [](const auto* tail) { return tail->empty(); })) return;
  std::vector<size_t> choice(tails.size(), 0);
  for (bool more = true; more;) {
    GrammarDerivation made = base;
    for (size_t t = 0; t < target.size(); ++t) {
      if (target[t].nonterminal > 0) {
        const size_t k = static_cast<size_t>(target[t].nonterminal) - 1;
        Append((*tails[k])[choice[k]], &made);
        continue;
      }
      for (const auto& [s, link_target] : links)
        if (link_target == static_cast<int>(t))
          made.alignment.emplace_back(way.form.positions[static_cast<size_t>(s)] - 1,
                                      static_cast<int>(made.target.size()));
      made.target.push_back(target[t].word);
      made.features[kWordPenalty] -= 1;
    }
    derivations->push_back(std::move(made));
    more = false;
    for (size_t k = 0; k < choice.size() && !more; ++k) {
      more = ++choice[k] < tails[k]->size();
      if (!more) choice[k] = 0;
    }
  }
}

const std::vector<GrammarDerivation>& Forest::Derive(const Node& node) {
  const auto known = derivations_.find(node);
  if (known != derivations_.end()) return known->second;
  std::vector<GrammarDerivation> made;
  for (const Way& way : WaysOf(node)) DeriveWay(way, &made);
  return derivations_[node] = std::move(made);
}

}  // namespace

uint64_t CountForestDerivations(const std::vector<GrammarRule>& rules, const SystemSpec& spec,
                                const GrammarInput& input, const ForestSettings& settings) {
  Forest forest(rules, spec, input, settings);
  return forest.Count(forest.Goal());
}

std::vector<GrammarDerivation> AllForestDerivations(const std::vector<GrammarRule>& rules, const SystemSpec& spec,
                                                    const LanguageModel& lm, const FeatureVector& weights,
                                                    const GrammarInput& input, const ForestSettings& settings) {
  const std::vector<GrammarRule> used =
      settings.table_limit == 0 ? rules : LimitTargets(rules, lm, weights, settings.table_limit);
  Forest forest(used, spec, input, settings);
  std::vector<GrammarDerivation> found = forest.Derive(forest.Goal());
  RankDerivations(spec, lm, weights, &found);
  return found;
}

std::vector<GrammarRule> ForestSources(const SystemSpec& spec, const GrammarInput& input) {
  const std::vector<GrammarRule> none;
  const Forest forest(none, spec, input, {});
  std::vector<GrammarRule> sources;
  for (const Node& node : forest.Nodes())
    for (const Form& form : forest.FormsOf(node)) {
      GrammarRule& rule = sources.emplace_back();
      rule.source = form.source;
      rule.edges = form.edges;
    }
  return sources;
}

}  // namespace graft::engine::fixtures
