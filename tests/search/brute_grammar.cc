#include "search/brute_grammar.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>

#include "search/brute_graph.h"

namespace graft::engine::fixtures {
namespace {

using Mask = uint32_t;  // bit i = position i + 1

int First(Mask words) {
  int position = 1;
  while ((words >> (position - 1) & 1) == 0) ++position;
  return position;
}
int Last(Mask words) {
  int position = 32;
  while ((words >> (position - 1) & 1) == 0) --position;
  return position;
}
int Size(Mask words) {
  int size = 0;
  for (; words != 0; words >>= 1) size += static_cast<int>(words & 1);
  return size;
}
int Span(Mask words) { return Last(words) - First(words) + 1; }
int FirstUncovered(Mask words) { return First(~words); }
bool Has(Mask words, int position) { return (words >> (position - 1) & 1) != 0; }

// A way to make an item X: a rule with the words of each symbol, or a copied word.
struct Match {
  const GrammarRule* rule;  // nullptr: copied
  std::vector<Mask> symbols;
};

struct Item {
  std::string label;
  Mask words;
  friend auto operator<=>(const Item&, const Item&) = default;
};

// What a derivation of an item adds up to, the language model apart.
struct Partial {
  std::vector<std::string> target;
  std::array<double, kFeatures> features{};
  std::vector<std::pair<int, int>> alignment;  // source words 0-based, target words of `target`
  int last_x_end = 0;                          // of an S

  // The words and values of `tail` come next.
  void Append(const Partial& tail) {
    for (const auto& [s, t] : tail.alignment) alignment.emplace_back(s, t + static_cast<int>(target.size()));
    target.insert(target.end(), tail.target.begin(), tail.target.end());
    for (int f = 0; f < kFeatures; ++f) features[f] += tail.features[f];
  }
};

class Enumerator {
 public:
  Enumerator(const std::vector<GrammarRule>& rules, const SystemSpec& spec, const GrammarInput& input,
             const GrammarSettings& settings)
      : rules_(rules),
        spec_(spec),
        input_(input),
        settings_(settings),
        any_words_(spec.search == SearchKind::kBottomUp),
        size_(static_cast<int>(input.words.size())),
        all_((Mask{1} << size_) - 1),
        edges_(GraphEdges(spec.graph, input.heads)) {
    FindMatches();
  }

  GrammarCounts Count() const;
  std::vector<Partial> Enumerate() const;

 private:
  void FindMatches();
  void MatchRule(const GrammarRule& rule, Mask words);
  bool SameEdges(const GrammarRule& rule, const std::vector<Mask>& symbols) const;
  std::optional<NodePair> EdgeOf(Mask words) const;
  bool MayBeX(Mask words) const;
  // Whether S may start with X, and whether X may follow S.
  bool GlueStart(Mask x) const;
  bool GlueNext(Mask s, Mask x) const;
  int GapCount(const Match& match, Mask words) const;
  int GlueDistortion(int last_x_end, Mask x) const;

  const std::vector<GrammarRule>& rules_;
  const SystemSpec& spec_;
  const GrammarInput& input_;
  const GrammarSettings& settings_;
  const bool any_words_;  // else items are spans
  const int size_;
  const Mask all_;
  const EdgeMap edges_;
  std::map<Item, std::vector<Match>> matches_;
};

std::optional<NodePair> Enumerator::EdgeOf(Mask words) const {
  std::set<int> members;
  for (int position = 1; position <= size_; ++position)
    if (Has(words, position)) members.insert(position);
  return NonterminalEdge(input_.heads, members);
}

bool Enumerator::MayBeX(Mask words) const {
  if (Span(words) > settings_.max_span) return false;
  if (spec_.graph == GraphKind::kDeg && !EdgeOf(words)) return false;
  return any_words_ ? Size(words) <= settings_.max_words : Span(words) == Size(words);
}

// A contracted edge stands for all edges between the words of two symbols; it is dep if any of them is.
bool Enumerator::SameEdges(const GrammarRule& rule, const std::vector<Mask>& symbols) const {
  if (!spec_.reads_tree()) return true;
  if (spec_.graph == GraphKind::kDeg) {
    std::vector<NodePair> ends;
    for (size_t k = 0; k < symbols.size(); ++k) {
      const int word = First(symbols[k]);
      ends.push_back(rule.source[k].nonterminal ? EdgeOf(symbols[k]).value() : NodePair{input_.heads[word - 1], word});
    }
    return Renamed(ends) == rule.ends;
  }
  const int n = static_cast<int>(symbols.size());
  for (int u = 0; u < n; ++u)
    for (int v = 0; v < n; ++v) {
      if (u == v) continue;
      std::optional<bool> dependency;
      for (const auto& [ends, is_dependency] : edges_)
        if (Has(symbols[u], ends.first) && Has(symbols[v], ends.second))
          dependency = dependency.value_or(false) || is_dependency;
      const auto edge = rule.edges.find({u, v});
      if (dependency.has_value() != (edge != rule.edges.end())) return false;
      if (dependency && spec_.edge_labels && edge->second != (*dependency ? "dep" : "seq")) return false;
    }
  return true;
}

void Enumerator::MatchRule(const GrammarRule& rule, Mask words) {
  std::vector<Mask> symbols;
  std::function<void(Mask)> extend = [&](Mask used) {
    const size_t k = symbols.size();
    if (k == rule.source.size()) {
      if (used == words && SameEdges(rule, symbols)) matches_[{rule.lhs, words}].push_back({&rule, symbols});
      return;
    }
    // A symbol starts after the start of the one before; in systems of spans directly after its end.
    for (int start = k == 0 ? 1 : First(symbols.back()) + 1; start <= size_; ++start) {
      if (!Has(words, start) || Has(used, start)) continue;
      if (!any_words_ && k > 0 && start != Last(symbols.back()) + 1) continue;
      auto take = [&](Mask symbol) {
        symbols.push_back(symbol);
        extend(used | symbol);
        symbols.pop_back();
      };
      if (!rule.source[k].nonterminal) {
        if (input_.words[start - 1] == rule.source[k].text) take(Mask{1} << (start - 1));
        continue;
      }
      for (Mask symbol = 1; symbol < words; ++symbol)
        if ((symbol & ~words) == 0 && (symbol & used) == 0 && First(symbol) == start &&
            matches_.count({rule.source[k].text, symbol}) != 0)
          take(symbol);
    }
  };
  extend(0);
}

void Enumerator::FindMatches() {
  for (Mask words = 1; words <= all_; ++words) {  // subsets come before their supersets
    if (!MayBeX(words)) continue;
    for (const GrammarRule& rule : rules_) MatchRule(rule, words);
    if (Size(words) != 1 || !settings_.copy_unknown) continue;
    const std::string& word = input_.words[First(words) - 1];
    if (std::none_of(rules_.begin(), rules_.end(), [&](const GrammarRule& rule) {
          return rule.source == std::vector<SourceText>{{word, false}};
        }))
      matches_[{spec_.grammar.pos ? input_.tags[First(words) - 1] : "X", words}].push_back({nullptr, {words}});
  }
}

bool Enumerator::GlueStart(Mask x) const {
  if (!any_words_ || !settings_.free_order) return First(x) == 1;
  return settings_.glue_limit < 0 || First(x) <= 1 + settings_.glue_limit;
}

bool Enumerator::GlueNext(Mask s, Mask x) const {
  if ((s & x) != 0) return false;
  if (!any_words_) return First(x) == Last(s) + 1;
  if (!settings_.free_order && First(s) > First(x)) return false;
  return settings_.glue_limit < 0 || First(x) <= FirstUncovered(s) + settings_.glue_limit;
}

// Words of the span that are neither a terminal of the rule nor inside the span of one of its non-terminals.
int Enumerator::GapCount(const Match& match, Mask words) const {
  int gap = 0;
  for (int position = First(words); position <= Last(words); ++position) {
    bool inside = false;
    for (Mask symbol : match.symbols) inside = inside || (First(symbol) <= position && position <= Last(symbol));
    gap += inside ? 0 : 1;
  }
  return gap;
}

int Enumerator::GlueDistortion(int last_x_end, Mask x) const {
  const int jump = std::abs(First(x) - last_x_end - 1);
  return settings_.jump_only ? jump : jump + Span(x) - Size(x);
}

GrammarCounts Enumerator::Count() const {
  std::map<Item, uint64_t> x;
  for (Mask words = 1; words <= all_; ++words)
    for (const auto& [item, matches] : matches_) {
      if (item.words != words) continue;
      uint64_t& count = x[item];
      for (const Match& match : matches) {
        uint64_t ways = 1;
        for (size_t k = 0; match.rule != nullptr && k < match.symbols.size(); ++k)
          if (match.rule->source[k].nonterminal) ways *= x.at({match.rule->source[k].text, match.symbols[k]});
        count += ways;
      }
    }
  GrammarCounts counts;
  std::map<Mask, uint64_t> s;
  for (Mask words = 1; words <= all_; ++words)
    for (const auto& [item, ways] : x) {
      if (item.words == all_ && words == all_) counts.x += ways;
      if (item.words == words && GlueStart(words)) s[words] += ways;
      const Mask before = words & ~item.words;
      if ((item.words & ~words) == 0 && s.count(before) != 0 && GlueNext(before, item.words))
        s[words] += s.at(before) * ways;
    }
  counts.s = s[all_];
  return counts;
}

std::vector<Partial> Enumerator::Enumerate() const {
  std::map<Item, std::vector<Partial>> x;
  for (Mask words = 1; words <= all_; ++words)
    for (const auto& [item, matches] : matches_) {
      if (item.words != words) continue;
      std::vector<Partial>& made = x[item];
      for (const Match& match : matches) {
        Partial base;
        base.features[kRulePenalty] = -1;
        if (match.rule == nullptr) {
          base.target = {input_.words[First(words) - 1]};
          base.alignment = {{First(words) - 1, 0}};
          base.features[kUnknownWord] = -100;
          base.features[kWordPenalty] = -1;
          made.push_back(std::move(base));
          continue;
        }
        base.features[kSourceGivenTarget] = match.rule->scores.p_source_given_target;
        base.features[kLexSourceGivenTarget] = match.rule->scores.lex_source_given_target;
        base.features[kTargetGivenSource] = match.rule->scores.p_target_given_source;
        base.features[kLexTargetGivenSource] = match.rule->scores.lex_target_given_source;
        if (any_words_) base.features[kGap] = -GapCount(match, words);
        std::vector<const std::vector<Partial>*> tails;
        for (size_t k = 0; k < match.symbols.size(); ++k)
          if (match.rule->source[k].nonterminal) tails.push_back(&x.at({match.rule->source[k].text, match.symbols[k]}));
        std::vector<size_t> choice(tails.size(), 0);
        for (bool more = true; more;) {
          Partial partial = base;
          for (size_t t = 0; t < match.rule->target.size(); ++t) {
            const TargetText& symbol = match.rule->target[t];
            if (symbol.nonterminal == 0) {
              for (const auto& link : match.rule->links)
                if (link.second == static_cast<int>(t))
                  partial.alignment.emplace_back(First(match.symbols[static_cast<size_t>(link.first)]) - 1,
                                                 static_cast<int>(partial.target.size()));
              partial.target.push_back(symbol.word);
              partial.features[kWordPenalty] -= 1;
              continue;
            }
            const size_t k = static_cast<size_t>(symbol.nonterminal) - 1;
            partial.Append((*tails[k])[choice[k]]);
          }
          made.push_back(std::move(partial));
          more = false;
          for (size_t k = 0; k < choice.size() && !more; ++k) {
            more = ++choice[k] < tails[k]->size();
            if (!more) choice[k] = 0;
          }
        }
      }
    }
  std::map<Mask, std::vector<Partial>> s;
  for (Mask words = 1; words <= all_; ++words)
    for (const auto& entry : x) {  // no structured binding: clang 14 does not capture those in lambdas
      const auto& item = entry.first;
      const std::vector<Partial>& partials = entry.second;
      auto glue = [&](const Partial& before, const Partial& next) {
        Partial made = before;
        made.Append(next);
        made.features[kGlue] -= 1;
        if (any_words_) made.features[kGlueDistortion] -= GlueDistortion(before.last_x_end, item.words);
        made.last_x_end = Last(item.words);
        s[words].push_back(std::move(made));
      };
      if (item.words == words && GlueStart(words))
        for (const Partial& next : partials) glue(Partial{}, next);
      const Mask before = words & ~item.words;
      if ((item.words & ~words) == 0 && s.count(before) != 0 && GlueNext(before, item.words))
        for (const Partial& first : s.at(before))
          for (const Partial& next : partials) glue(first, next);
    }
  return s[all_];
}

double ScoreString(const LanguageModel& lm, const std::vector<std::string>& words) {
  double score = 0;
  LmState state = lm.BeginState();
  for (const std::string& word : words) {
    LmState next;
    score += lm.Score(state, lm.Word(word), &next);
    state = next;
  }
  return score + lm.ScoreEnd(state);
}

}  // namespace

GrammarCounts CountGrammarDerivations(const std::vector<GrammarRule>& rules, const SystemSpec& spec,
                                      const GrammarInput& input, const GrammarSettings& settings) {
  return Enumerator(rules, spec, input, settings).Count();
}

std::vector<GrammarDerivation> AllGrammarDerivations(const std::vector<GrammarRule>& rules, const SystemSpec& spec,
                                                     const LanguageModel& lm, const FeatureVector& weights,
                                                     const GrammarInput& input, const GrammarSettings& settings) {
  const std::vector<GrammarRule> used =
      settings.table_limit == 0 ? rules : LimitTargets(rules, lm, weights, settings.table_limit);
  std::vector<GrammarDerivation> found;
  for (Partial& partial : Enumerator(used, spec, input, settings).Enumerate())
    found.push_back({std::move(partial.target), partial.features, std::move(partial.alignment), 0});
  RankDerivations(spec, lm, weights, &found);
  return found;
}

void RankDerivations(const SystemSpec& spec, const LanguageModel& lm, const FeatureVector& weights,
                     std::vector<GrammarDerivation>* derivations) {
  for (GrammarDerivation& derivation : *derivations) {
    std::sort(derivation.alignment.begin(), derivation.alignment.end());
    derivation.features[kLanguageModel] = ScoreString(lm, derivation.target);
    for (int f = 0; f < kFeatures; ++f)
      if (HasFeature(spec, static_cast<Feature>(f)))
        derivation.score += static_cast<double>(weights[f]) * derivation.features[f];
  }
  std::stable_sort(derivations->begin(), derivations->end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
}

std::vector<GrammarRule> LimitTargets(const std::vector<GrammarRule>& rules, const LanguageModel& lm,
                                      const FeatureVector& weights, int limit) {
  auto rank = [&](const GrammarRule& rule) {
    double lm_score = 0;
    double words = 0;
    LmState state = lm.NullState();
    for (const TargetText& symbol : rule.target) {
      LmState next = lm.NullState();
      if (symbol.nonterminal == 0) {
        lm_score += lm.Score(state, lm.Word(symbol.word), &next);
        words += 1;
      }
      state = next;
    }
    return weights[kSourceGivenTarget] * rule.scores.p_source_given_target +
           weights[kLexSourceGivenTarget] * rule.scores.lex_source_given_target +
           weights[kTargetGivenSource] * rule.scores.p_target_given_source +
           weights[kLexTargetGivenSource] * rule.scores.lex_target_given_source + weights[kLanguageModel] * lm_score -
           weights[kRulePenalty] - weights[kWordPenalty] * words;
  };
  std::vector<GrammarRule> kept;
  for (const GrammarRule& rule : rules) {
    int better = 0;
    for (const GrammarRule& other : rules)
      if (other.lhs == rule.lhs && other.source == rule.source && other.edges == rule.edges && other.ends == rule.ends)
        better += rank(other) > rank(rule) ? 1 : 0;
    if (better < limit) kept.push_back(rule);
  }
  return kept;
}

}  // namespace graft::engine::fixtures
