#include "search/brute_search.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>

#include "search/brute_graph.h"

namespace graft::engine::fixtures {
namespace {

struct Option {
  std::vector<int> positions;  // 1-based
  std::vector<std::string> target;
  RuleScores scores;
  bool copied;
};

}  // namespace

std::vector<BruteTranslation> AllDerivations(const RuleBook& book, const LanguageModel& lm,
                                             const FeatureVector& weights, const std::vector<std::string>& source,
                                             const std::vector<int>& heads, const BruteSettings& settings) {
  const int n = static_cast<int>(source.size());
  const EdgeMap edges = GraphEdges(book.spec().graph, heads);
  const SignatureKind kind = book.spec().signature();

  // Options: every subset of positions against every rule.
  std::vector<Option> options;
  for (int subset = 1; subset < 1 << n; ++subset) {
    std::vector<int> positions;
    for (int i = 0; i < n; ++i)
      if ((subset >> i & 1) != 0) positions.push_back(i + 1);
    const int span = positions.back() - positions.front() + 1;
    if (span > settings.max_span) continue;
    if (kind == SignatureKind::kNone && span != static_cast<int>(positions.size())) continue;
    bool word_rule = false;
    for (const BookRule& rule : book.rules()) {
      if (rule.source.size() != positions.size()) continue;
      bool same = true;
      for (size_t k = 0; k < positions.size() && same; ++k) {
        same = book.source_words().Word(rule.source[k].symbol) == source[positions[k] - 1];
        if (kind == SignatureKind::kGap)
          same = same && (rule.source[k].signature == 1) == (k > 0 && positions[k] > positions[k - 1] + 1);
        if (kind != SignatureKind::kEdges && kind != SignatureKind::kLabelledEdges) continue;
        for (size_t u = 0; u < k; ++u) {
          bool down = false, up = false, down_dep = false, up_dep = false;
          for (const auto& [ends, dependency] : edges) {
            if (ends == std::pair(positions[u], positions[k])) down = true, down_dep = dependency;
            if (ends == std::pair(positions[k], positions[u])) up = true, up_dep = dependency;
          }
          const uint32_t s = rule.source[k].signature;
          if (kind == SignatureKind::kEdges)
            same = same && ((s >> (2 * u)) & 3) == (down ? 1u : 0u) + (up ? 2u : 0u);
          else
            same = same && ((s >> (4 * u)) & 15) == (down ? (down_dep ? 1u : 2u) : 0u) + (up ? (up_dep ? 4u : 8u) : 0u);
        }
      }
      if (!same) continue;
      std::vector<std::string> target;
      for (TargetSymbol symbol : rule.target) target.push_back(book.target_words().Word(TargetWordId(symbol)));
      options.push_back({positions, target, rule.scores, false});
      word_rule = true;
    }
    if (positions.size() == 1 && !word_rule && settings.copy_unknown)
      options.push_back({positions, {source[positions[0] - 1]}, {}, true});
  }

  std::vector<BruteTranslation> found;
  std::set<int> covered;
  std::vector<std::string> target;
  double static_score = 0;
  std::function<void(int)> extend = [&](int previous_end) {
    if (static_cast<int>(covered.size()) == n) {
      double lm_score = 0;
      LmState state = lm.BeginState();
      for (const std::string& word : target) {
        LmState next;
        lm_score += lm.Score(state, lm.Word(word), &next);
        state = next;
      }
      lm_score += lm.ScoreEnd(state);
      found.push_back({target, static_score + weights[kLanguageModel] * lm_score});
      return;
    }
    int gap = 1;
    while (covered.count(gap) != 0) ++gap;
    for (const Option& option : options) {
      const int start = option.positions.front();
      const int end = option.positions.back();
      if (start < gap) continue;
      if (std::any_of(option.positions.begin(), option.positions.end(), [&](int p) { return covered.count(p) != 0; }))
        continue;
      if (!settings.moses_rule && start > gap + settings.distortion_limit) continue;
      if (settings.moses_rule && std::abs(start - previous_end - 1) > settings.distortion_limit) continue;
      if (settings.moses_rule && start != gap && std::abs(gap - end - 1) > settings.distortion_limit) continue;
      const double before = static_score;
      const size_t words_before = target.size();
      static_score +=
          weights[0] * option.scores.p_source_given_target + weights[1] * option.scores.lex_source_given_target +
          weights[2] * option.scores.p_target_given_source + weights[3] * option.scores.lex_target_given_source;
      static_score -= weights[kRulePenalty] + weights[kWordPenalty] * static_cast<double>(option.target.size());
      static_score -= weights[kJump] * std::abs(start - previous_end - 1);
      static_score -= weights[kGap] * (end - start + 1 - static_cast<int>(option.positions.size()));
      if (option.copied) static_score += weights[kUnknownWord] * -100.0;
      covered.insert(option.positions.begin(), option.positions.end());
      target.insert(target.end(), option.target.begin(), option.target.end());
      extend(end);
      for (int p : option.positions) covered.erase(p);
      target.resize(words_before);
      static_score = before;
    }
  };
  extend(0);
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  return found;
}

}  // namespace graft::engine::fixtures
