#include "oracle/brute_force.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <ostream>
#include <set>
#include <stdexcept>

#include "oracle/brute_blocks.h"

namespace graft::engine::oracle {
namespace {

using Mask = uint32_t;  // a set of source positions

bool In(Mask set, int position) { return (set >> position & 1) != 0; }

// ---------------------------------------------------------------- graphs, from heads

bool IsDescendant(const std::vector<int>& heads, int word, int ancestor) {
  for (; word != 0; word = heads[word - 1])
    if (word == ancestor) return true;
  return false;
}

std::vector<int> MadeProjective(std::vector<int> heads) {
  const int n = static_cast<int>(heads.size());
  for (;;) {
    int shortest = n + 1, lifted = 0;
    for (int d = 1; d <= n; ++d) {
      const int h = heads[d - 1];
      if (h == 0) continue;
      bool crossed = false;
      for (int between = std::min(h, d) + 1; between < std::max(h, d); ++between)
        if (!IsDescendant(heads, between, h)) crossed = true;
      if (crossed && std::abs(h - d) < shortest) {
        shortest = std::abs(h - d);
        lifted = d;
      }
    }
    if (lifted == 0) return heads;
    heads[lifted - 1] = heads[heads[lifted - 1] - 1];
  }
}

enum class Edge { kAbsent, kDependency, kSequence };
using EdgeMatrix = std::vector<std::vector<Edge>>;  // [from][to]

EdgeMatrix MakeEdges(const std::string& graph, const std::vector<int>& heads) {
  const int n = static_cast<int>(heads.size());
  EdgeMatrix edges(n, std::vector<Edge>(n, Edge::kAbsent));
  for (int d = 1; d <= n; ++d)
    if (heads[d - 1] != 0) edges[heads[d - 1] - 1][d - 1] = Edge::kDependency;
  const auto add_sequence = [&](int later, int earlier) {
    if (edges[later][earlier] == Edge::kAbsent) edges[later][earlier] = Edge::kSequence;
  };
  if (graph == "dbg" || graph == "union")
    for (int i = 0; i + 1 < n; ++i) add_sequence(i + 1, i);
  if (graph == "dsg" || graph == "union") {
    for (int later = 0; later < n; ++later) {
      for (int earlier = later - 1; earlier >= 0; --earlier) {
        if (heads[earlier] != heads[later]) continue;
        add_sequence(later, earlier);
        break;
      }
    }
  }
  return edges;
}

bool IsConnected(Mask unit, const EdgeMatrix& edges) {
  const int n = static_cast<int>(edges.size());
  Mask reached = unit & (~unit + 1);  // the first member
  for (bool grows = true; grows;) {
    grows = false;
    for (int u = 0; u < n; ++u)
      for (int v = 0; v < n; ++v)
        if (In(reached, u) && In(unit, v) && !In(reached, v) &&
            (edges[u][v] != Edge::kAbsent || edges[v][u] != Edge::kAbsent)) {
          reached |= Mask{1} << v;
          grows = true;
        }
  }
  return reached == unit;
}

// ---------------------------------------------------------------- words as edges (SERG)

// Word i (0-based) is an edge from the node of its head to node i + 1.
struct NodesOfUnit {
  std::set<int> inside, outside;  // nodes that an edge inside, or outside, the unit touches
  std::set<int> starts, ends;     // of the edges inside

  NodesOfUnit(Mask unit, const std::vector<int>& heads) {
    for (int i = 0; i < static_cast<int>(heads.size()); ++i) {
      (In(unit, i) ? inside : outside).insert({heads[i], i + 1});
      if (!In(unit, i)) continue;
      starts.insert(heads[i]);
      ends.insert(i + 1);
    }
  }
  // Starts of edges to which no edge of the unit leads: one if the unit is connected.
  std::set<int> Roots() const {
    std::set<int> roots = starts;
    for (int end : ends) roots.erase(end);
    return roots;
  }
  std::set<int> Open() const {
    std::set<int> open;
    for (int node : inside)
      if (outside.count(node) != 0 && Roots().count(node) == 0) open.insert(node);
    return open;
  }
};

bool EdgesHangTogether(Mask unit, const std::vector<int>& heads) {
  std::set<int> reached;  // nodes
  Mask taken = 0;
  for (bool grows = true; grows;) {
    grows = false;
    for (int i = 0; i < static_cast<int>(heads.size()); ++i) {
      if (!In(unit, i) || In(taken, i)) continue;
      if (taken != 0 && reached.count(heads[i]) == 0 && reached.count(i + 1) == 0) continue;
      taken |= Mask{1} << i;
      reached.insert({heads[i], i + 1});
      grows = true;
    }
  }
  return taken == unit;
}

// `start>end` of every symbol, nodes renamed in the order in which they occur. A non-terminal leads to its open node,
// or to a node of its own.
std::string RenamedEnds(const std::vector<Mask>& symbols, const std::vector<int>& heads) {
  std::map<int, int> names;
  std::string text;
  int own = -1;
  for (const Mask symbol : symbols) {
    const NodesOfUnit nodes(symbol, heads);
    const std::set<int> open = nodes.Open();
    const bool is_word = (symbol & (symbol - 1)) == 0;
    const int start = *nodes.Roots().begin();
    const int end = is_word ? *nodes.ends.begin() : open.empty() ? own-- : *open.begin();
    const int start_name = names.try_emplace(start, static_cast<int>(names.size())).first->second;
    const int end_name = names.try_emplace(end, static_cast<int>(names.size())).first->second;
    text += (text.empty() ? "" : " ") + std::to_string(start_name) + ">" + std::to_string(end_name);
  }
  return text;
}

// ---------------------------------------------------------------- definitions of the systems

constexpr uint64_t kOne = 1'000'000'000;

bool HasGrammar(const SystemSpec& spec) {
  return spec.name == "hpbmt" || spec.name == "serg" || spec.name == "gramgbmt-b" || spec.name == "gramgbmt-c";
}
bool MustBeContiguous(const SystemSpec& spec) {
  return spec.name == "pbmt" || spec.name == "hpbmt" || spec.name == "dep2str" || spec.name == "serg" ||
         spec.name == "gramgbmt-c";
}
bool HasGraph(const SystemSpec& spec) {
  return spec.name == "tbmt" || spec.name.starts_with("seggbmt") || spec.name == "gramgbmt-b" ||
         spec.name == "gramgbmt-c";
}

int Words(Mask unit) { return __builtin_popcount(unit); }
int First(Mask unit) { return __builtin_ctz(unit); }
int Last(Mask unit) { return 31 - __builtin_clz(unit); }
bool IsContiguous(Mask unit) { return Last(unit) - First(unit) + 1 == Words(unit); }

// Every segment (maximal run) of the unit contains an aligned word.
bool EverySegmentIsAligned(Mask unit, Mask aligned) {
  for (int i = First(unit); i <= Last(unit); ++i) {
    if (!In(unit, i)) continue;
    bool any = false;
    for (; In(unit, i); ++i) any = any || In(aligned, i);
    if (!any) return false;
  }
  return true;
}

bool IsConsistent(const Example& example, Mask unit, int first, int last) {
  bool one_inside = false;
  for (const auto& [i, j] : example.links) {
    const bool source_inside = In(unit, i), target_inside = first <= j && j <= last;
    if (source_inside != target_inside) return false;
    one_inside = one_inside || source_inside;
  }
  return one_inside;
}

struct Pair {
  Mask unit;
  int first, last;
};

std::vector<Pair> Pairs(const Example& example, const std::vector<int>& heads, const SystemSpec& spec,
                        const EdgeMatrix& edges) {
  const int n = static_cast<int>(example.source.size()), m = static_cast<int>(example.target.size());
  if (n > 20) throw std::invalid_argument("too long for brute force");
  Mask aligned = 0;
  for (const auto& [i, j] : example.links) aligned |= Mask{1} << i;
  std::vector<Pair> pairs;
  for (Mask unit = 1; unit < Mask{1} << n; ++unit) {
    if (Words(unit) > spec.max_length) continue;
    if (spec.max_extract_span > 0 && Last(unit) - First(unit) + 1 > spec.max_extract_span) continue;
    if (MustBeContiguous(spec) && !IsContiguous(unit)) continue;
    if (spec.name != "tbmt" && !EverySegmentIsAligned(unit, aligned)) continue;
    if (HasGraph(spec) && !IsConnected(unit, edges)) continue;
    if (spec.name == "serg" && (!EdgesHangTogether(unit, heads) || NodesOfUnit(unit, heads).Open().size() > 1))
      continue;
    for (int first = 0; first < m; ++first)
      for (int last = first; last < m && last - first + 1 <= spec.max_length; ++last)
        if (IsConsistent(example, unit, first, last)) pairs.push_back({unit, first, last});
  }
  return pairs;
}

// ---------------------------------------------------------------- text

std::string Replaced(const std::string& text, char from, const std::string& to) {
  std::string result;
  for (char c : text) result += c == from ? to : std::string(1, c);
  return result;
}

}  // namespace

std::string Escaped(const std::string& word) {
  std::string text = Replaced(word, '&', "&amp;");
  text = Replaced(Replaced(Replaced(text, '|', "&#124;"), ' ', "&#32;"), '\t', "&#9;");
  if (word.size() > 1 && word.front() == '[' && word.back() == ']') text = "&#91;" + text.substr(1);
  return text;
}

void AppendWord(const std::string& word, std::string* text) { *text += (text->empty() ? "" : " ") + word; }

namespace {

std::string Label(const Example& example, const std::vector<int>& heads, const SystemSpec& spec, Mask unit) {
  if (!spec.grammar.pos) return "X";
  std::string label;
  for (int i = 0; i < static_cast<int>(heads.size()); ++i)
    if (In(unit, i) && (heads[i] == 0 || !In(unit, heads[i] - 1)))
      label += (label.empty() ? "" : "_") + example.tags[i];
  return label;
}

// A pair with some of its sub-pairs replaced, as a rule. Symbols are sets of words: one word, a non-terminal's words,
// or none, which is SDTU's gap.
struct Rule {
  Pair pair;
  std::vector<Pair> replaced;
};

Occurrence MakeOccurrence(const Example& example, const std::vector<int>& heads, const SystemSpec& spec,
                          const EdgeMatrix& edges, const Rule& rule) {
  const Pair& pair = rule.pair;
  std::vector<Pair> replaced = rule.replaced;
  std::sort(replaced.begin(), replaced.end(),
            [](const Pair& a, const Pair& b) { return First(a.unit) < First(b.unit); });
  Occurrence made;
  RuleLine& line = made.line;
  line.lhs = Escaped(Label(example, heads, spec, pair.unit));
  std::vector<Mask> symbols;
  std::vector<int> symbol_of(example.source.size(), -1), word_of(example.source.size(), -1);  // terminals only
  int previous = -1;
  for (int i = First(pair.unit); i <= Last(pair.unit); ++i) {
    if (!In(pair.unit, i)) continue;
    size_t owner = 0;
    while (owner < replaced.size() && !In(replaced[owner].unit, i)) ++owner;
    if (owner < replaced.size()) {
      if (i != First(replaced[owner].unit)) continue;
      symbols.push_back(replaced[owner].unit);
      AppendWord(
          "[" + Escaped(Label(example, heads, spec, replaced[owner].unit)) + "," + std::to_string(owner + 1) + "]",
          &line.source);
      continue;
    }
    if (spec.name == "sdtu" && previous >= 0 && previous != i - 1) {
      AppendWord("[*]", &line.source);
      symbols.push_back(0);
    }
    previous = i;
    symbol_of[i] = static_cast<int>(symbols.size());
    word_of[i] = static_cast<int>(made.source.size());
    symbols.push_back(Mask{1} << i);
    AppendWord(Escaped(example.source[i]), &line.source);
    made.source.push_back(example.source[i]);
  }
  if (spec.name == "serg") line.edges = RenamedEnds(symbols, heads);
  if (HasGraph(spec)) {
    for (size_t u = 0; u < symbols.size(); ++u) {
      for (size_t v = 0; v < symbols.size(); ++v) {
        bool dependency = false, sequence = false;
        for (int from = 0; from < static_cast<int>(edges.size()); ++from) {
          for (int to = 0; to < static_cast<int>(edges.size()); ++to) {
            if (u == v || !In(symbols[u], from) || !In(symbols[v], to)) continue;
            dependency = dependency || edges[from][to] == Edge::kDependency;
            sequence = sequence || edges[from][to] == Edge::kSequence;
          }
        }
        if (!dependency && !sequence) continue;
        std::string text = std::to_string(u) + ">" + std::to_string(v);
        if (spec.edge_labels) text += dependency ? ":dep" : ":seq";
        AppendWord(text, &line.edges);
      }
    }
  }
  std::vector<int> target_symbol_of(example.target.size(), -1), target_word_of(example.target.size(), -1);
  int target_symbols = 0;
  for (int j = pair.first; j <= pair.last; ++j) {
    size_t owner = 0;
    while (owner < replaced.size() && !(replaced[owner].first <= j && j <= replaced[owner].last)) ++owner;
    if (owner < replaced.size()) {
      if (j != replaced[owner].first) continue;
      AppendWord("[X," + std::to_string(owner + 1) + "]", &line.target);
      ++target_symbols;
      continue;
    }
    AppendWord(Escaped(example.target[j]), &line.target);
    target_symbol_of[j] = target_symbols++;
    target_word_of[j] = static_cast<int>(made.target.size());
    made.target.push_back(example.target[j]);
  }
  for (int i = 0; i < static_cast<int>(symbol_of.size()); ++i)
    for (int j = pair.first; j <= pair.last; ++j)
      if (symbol_of[i] >= 0 && target_symbol_of[j] >= 0 &&
          std::find(example.links.begin(), example.links.end(), std::pair(i, j)) != example.links.end()) {
        made.links.emplace_back(word_of[i], target_word_of[j]);
        AppendWord(std::to_string(symbol_of[i]) + "-" + std::to_string(target_symbol_of[j]), &line.links);
      }
  line.count = kOne;
  return made;
}

bool Overlap(const Pair& a, const Pair& b) {
  return (a.unit & b.unit) != 0 || (a.first <= b.last && b.first <= a.last);
}

// The restrictions on a rule as the paper and Moses list them, one after the other; what is replaced lies inside the
// pair and is disjoint.
bool IsRule(const Example& example, const SystemSpec& spec, const Rule& rule) {
  const Pair& pair = rule.pair;
  Mask terminals = pair.unit;
  for (const Pair& sub : rule.replaced) {
    if (sub.unit == pair.unit) return false;
    if (Words(sub.unit) < spec.grammar.mgs) return false;
    terminals &= ~sub.unit;
  }
  if (Words(terminals) + static_cast<int>(rule.replaced.size()) > spec.grammar.max_symbols) return false;
  if (rule.replaced.size() == 2) {
    const int a = First(rule.replaced[0].unit), b = First(rule.replaced[1].unit);
    bool word_between = false;
    for (int i = std::min(a, b); i < std::max(a, b); ++i) word_between = word_between || In(terminals, i);
    if (!word_between && !spec.grammar.adjacent_nt) return false;
  }
  for (const auto& [i, j] : example.links) {
    bool is_word = pair.first <= j && j <= pair.last && In(terminals, i);
    for (const Pair& sub : rule.replaced) is_word = is_word && !(sub.first <= j && j <= sub.last);
    if (is_word) return true;
  }
  return false;
}

std::vector<Occurrence> Occurrences(const Example& example, const SystemSpec& spec) {
  const std::vector<int> heads = spec.reading.projectivise ? MadeProjective(example.heads) : example.heads;
  const EdgeMatrix edges = MakeEdges(spec.name == "tbmt" ? "tree" : std::string(GraphName(spec.graph)), heads);
  std::vector<Occurrence> occurrences;
  std::vector<Pair> pairs = Pairs(example, heads, spec, edges);
  if (spec.name == "dep2str") {
    if (!example.links.empty()) occurrences = BlockOccurrences(example, heads, spec);
    std::erase_if(pairs, [&](const Pair& pair) { return Words(pair.unit) > 1 && !IsBlock(heads, spec, pair.unit); });
  }
  for (const Pair& pair : pairs) {
    std::vector<Rule> rules;
    if (!HasGrammar(spec)) {
      rules.push_back({pair, {}});
    } else {
      std::vector<Pair> inside;  // what can be replaced at all
      for (const Pair& other : pairs)
        if ((other.unit & ~pair.unit) == 0 && other.first >= pair.first && other.last <= pair.last)
          inside.push_back(other);
      std::vector<Rule> tried = {{pair, {}}};
      for (size_t a = 0; a < inside.size(); ++a) {
        tried.push_back({pair, {inside[a]}});
        for (size_t b = a + 1; b < inside.size(); ++b)
          if (!Overlap(inside[a], inside[b])) tried.push_back({pair, {inside[a], inside[b]}});
      }
      for (Rule& rule : tried)
        if (IsRule(example, spec, rule)) rules.push_back(std::move(rule));
    }
    for (const Rule& rule : rules) {
      occurrences.push_back(MakeOccurrence(example, heads, spec, edges, rule));
      // 1/N to the nearest multiple of 10^-9: twice as many of them, and one to spare, halved.
      occurrences.back().line.count = (2 * kOne / rules.size() + 1) / 2;
    }
  }
  return occurrences;
}

// ---------------------------------------------------------------- lexical weights

using LinkTable = std::map<std::pair<std::string, std::string>, uint64_t>;

// w(word|given) where `given_first` says which side of the pairs the condition is.
class WordTable {
 public:
  WordTable(const LinkTable& counts, bool given_source) {
    for (const auto& [words, count] : counts) {
      const std::string& given = given_source ? words.first : words.second;
      const std::string& word = given_source ? words.second : words.first;
      joint_[{given, word}] += static_cast<double>(count);
      total_[given] += static_cast<double>(count);
    }
  }
  double operator()(const std::string& word, const std::string& given) const {
    const auto found = joint_.find({given, word});
    return found == joint_.end() ? 1 : found->second / total_.at(given);
  }

 private:
  std::map<std::pair<std::string, std::string>, double> joint_;
  std::map<std::string, double> total_;
};

// The product over `words` of the mean of w over their links; `linked[k]` are the words that word k is linked to.
double LexicalWeight(const std::vector<std::string>& words, const std::vector<std::vector<std::string>>& linked,
                     const WordTable& w) {
  double product = 1;
  for (size_t k = 0; k < words.size(); ++k) {
    double sum = 0;
    for (const std::string& given : linked[k]) sum += w(words[k], given);
    product *= linked[k].empty() ? w(words[k], "") : sum / static_cast<double>(linked[k].size());
  }
  return product;
}

}  // namespace

std::string ToString(const Example& example) {
  std::string words, tags, heads, target, links;
  for (const auto& word : example.source) AppendWord(word, &words);
  for (const auto& tag : example.tags) AppendWord(tag, &tags);
  for (int head : example.heads) AppendWord(std::to_string(head), &heads);
  for (const auto& word : example.target) AppendWord(word, &target);
  for (const auto& [i, j] : example.links) AppendWord(std::to_string(i + 1) + "-" + std::to_string(j + 1), &links);
  return words + " ||| " + tags + " ||| " + heads + " ||| " + target + " ||| " + links;
}

std::ostream& operator<<(std::ostream& out, const RuleLine& line) {
  return out << line.Key() << " ||| " << line.count << " ||| " << line.links;
}

std::vector<RuleLine> BruteForceExtract(const Example& example, const SystemSpec& spec) {
  std::vector<RuleLine> lines;
  for (Occurrence& occurrence : Occurrences(example, spec)) lines.push_back(std::move(occurrence.line));
  std::sort(lines.begin(), lines.end());
  return lines;
}

LinkTable BruteForceLinkCounts(const std::vector<Example>& examples) {
  LinkTable counts;
  for (const Example& example : examples) {
    for (const auto& [i, j] : example.links) ++counts[{example.source[i], example.target[j]}];
    for (size_t i = 0; i < example.source.size(); ++i)
      if (std::none_of(example.links.begin(), example.links.end(),
                       [&](auto l) { return l.first == static_cast<int>(i); }))
        ++counts[{example.source[i], ""}];
    for (size_t j = 0; j < example.target.size(); ++j)
      if (std::none_of(example.links.begin(), example.links.end(),
                       [&](auto l) { return l.second == static_cast<int>(j); }))
        ++counts[{"", example.target[j]}];
  }
  return counts;
}

std::map<RuleKey, TableRule> BruteForceTable(const std::vector<Example>& examples, const SystemSpec& spec) {
  struct Alignment {
    uint64_t count = 0;
    Occurrence occurrence;
  };
  struct Found {
    RuleKey source, target;
    std::map<std::string, Alignment> alignments;  // by link string, ascending
  };
  std::map<RuleKey, Found> rules;
  std::map<RuleKey, uint64_t> joint, of_source, of_target;
  for (const Example& example : examples) {
    for (Occurrence& occurrence : Occurrences(example, spec)) {
      const RuleLine& line = occurrence.line;
      const RuleKey source_key = line.lhs + " ||| " + line.source + " ||| " + line.edges, key = line.Key();
      joint[key] += line.count;
      of_source[source_key] += line.count;
      of_target[line.target] += line.count;
      rules[key].source = source_key;
      rules[key].target = line.target;
      Alignment& alignment = rules[key].alignments[line.links];
      alignment.count += line.count;
      alignment.occurrence = std::move(occurrence);
    }
  }
  const LinkTable link_counts = BruteForceLinkCounts(examples);
  const WordTable target_given_source(link_counts, true), source_given_target(link_counts, false);
  std::map<RuleKey, TableRule> table;
  for (const auto& [key, rule] : rules) {
    const Alignment* kept = nullptr;
    for (const auto& [links, alignment] : rule.alignments)
      if (kept == nullptr || alignment.count > kept->count) kept = &alignment;
    const Occurrence& occurrence = kept->occurrence;
    std::vector<std::vector<std::string>> of_source_word(occurrence.source.size());
    std::vector<std::vector<std::string>> of_target_word(occurrence.target.size());
    for (const auto& [i, j] : occurrence.links) {
      of_source_word[i].push_back(occurrence.target[j]);
      of_target_word[j].push_back(occurrence.source[i]);
    }
    TableRule& entry = table[key];
    entry.links = occurrence.line.links;
    entry.count_joint = joint[key];
    entry.count_source = of_source[rule.source];
    entry.count_target = of_target[rule.target];
    const auto count = static_cast<double>(entry.count_joint);
    entry.p_source_given_target = std::log(count / static_cast<double>(entry.count_target));
    entry.p_target_given_source = std::log(count / static_cast<double>(entry.count_source));
    entry.lex_source_given_target = std::log(LexicalWeight(occurrence.source, of_source_word, source_given_target));
    entry.lex_target_given_source = std::log(LexicalWeight(occurrence.target, of_target_word, target_given_source));
  }
  return table;
}

}  // namespace graft::engine::oracle
