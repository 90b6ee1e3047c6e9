#include "search/grammar_cases.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <tuple>

#include "graph/projectivise.h"
#include "search/brute_graph.h"
#include "support/paths.h"
#include "support/small_model.h"
#include "support/specs.h"

namespace graft::engine::fixtures {
namespace {

std::vector<std::string> Fields(const std::string& line) {
  const std::string bar = " ||| ";
  std::vector<std::string> fields;
  for (size_t at = 0;;) {
    const size_t next = line.find(bar, at);
    fields.push_back(line.substr(at, next - at));
    if (next == std::string::npos) return fields;
    at = next + bar.size();
  }
}

std::vector<std::string> Tokens(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

bool SameRule(const GrammarRule& a, const GrammarRule& b) {
  return std::tie(a.lhs, a.source, a.edges, a.ends, a.target) == std::tie(b.lhs, b.source, b.edges, b.ends, b.target);
}

bool IsNonterminal(const std::string& symbol) { return symbol.front() == '[' && symbol.back() == ']'; }

// The signature of symbol k as the table stores it (source_side.h).
uint32_t SignatureOf(const SystemSpec& spec, const GrammarRule& rule, int k) {
  if (spec.signature() == SignatureKind::kRole) {
    if (k == 0 || rule.edges.empty()) return 0;
    const int head = rule.edges.begin()->first.first;
    return k < head ? 1 : k == head ? 2 : 3;
  }
  uint32_t signature = 0;
  if (spec.signature() == SignatureKind::kNodes && k > 0) {
    const auto& [start, end] = rule.ends.at(static_cast<size_t>(k));
    return static_cast<uint32_t>(start) << 5 | static_cast<uint32_t>(end);
  }
  for (int u = 0; u < k; ++u) {
    const auto down = rule.edges.find({u, k});
    const auto up = rule.edges.find({k, u});
    if (spec.signature() == SignatureKind::kEdges) {
      if (down != rule.edges.end()) signature |= 1u << (2 * u);
      if (up != rule.edges.end()) signature |= 2u << (2 * u);
    } else if (spec.signature() == SignatureKind::kLabelledEdges) {
      if (down != rule.edges.end()) signature |= (down->second == "dep" ? 1u : 2u) << (4 * u);
      if (up != rule.edges.end()) signature |= (up->second == "dep" ? 4u : 8u) << (4 * u);
    }
  }
  return signature;
}

}  // namespace

RuleScores RandomScores(std::mt19937* random) {
  std::uniform_real_distribution<float> score(-4, 0);
  return {score(*random), score(*random), score(*random), score(*random)};
}

std::vector<GrammarRule> ReadGrammar(const SystemSpec& spec, const std::string& path, std::mt19937* random) {
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  std::vector<GrammarRule> rules;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> fields = Fields(line);
    GrammarRule rule;
    rule.lhs = fields.at(0);
    for (const std::string& symbol : Tokens(fields.at(1))) {
      const bool nonterminal = IsNonterminal(symbol);
      rule.source.push_back({nonterminal ? symbol.substr(1, symbol.rfind(',') - 1) : symbol, nonterminal});
    }
    for (const std::string& edge : Tokens(fields.at(2))) {
      const size_t arrow = edge.find('>');
      const size_t colon = edge.find(':');
      const std::pair ends(std::stoi(edge.substr(0, arrow)), std::stoi(edge.substr(arrow + 1)));
      if (spec.graph == GraphKind::kDeg)
        rule.ends.push_back(ends);
      else
        rule.edges[ends] = colon == std::string::npos ? "" : edge.substr(colon + 1);
    }
    for (const std::string& symbol : Tokens(fields.at(3)))
      rule.target.push_back(IsNonterminal(symbol) ? TargetText{"", std::stoi(symbol.substr(symbol.rfind(',') + 1))}
                                                  : TargetText{symbol, 0});
    for (const std::string& link : Tokens(fields.at(5)))
      rule.links.emplace_back(std::stoi(link), std::stoi(link.substr(link.find('-') + 1)));
    rule.scores = RandomScores(random);
    // A rule with several inner alignments has several lines.
    const bool known = std::any_of(rules.begin(), rules.end(), [&](const GrammarRule& r) { return SameRule(r, rule); });
    if (!known) rules.push_back(std::move(rule));
  }
  return rules;
}

GrammarInput PaperSentence() {
  return {{"2010nian", "FIFA", "shijiebei", "zai", "Nanfei", "chenggong", "juxing"},
          {"NT", "NT", "NR", "P", "NR", "AD", "VV"},
          {3, 3, 7, 7, 4, 7, 0}};
}

std::vector<GrammarRule> PaperRules(const PaperCount& count, std::mt19937* random) {
  return ReadGrammar(count.spec, TestData("golden/") + count.system + ".mgs2.adj0.extract", random);
}

std::vector<PaperCount> PaperCounts() {
  std::vector<PaperCount> cases = {
      {"A.HPBMT", SpecOf("hpbmt"), 230, {{{}, 840}}},
      {"A.SERG", SpecOf("serg"), 104, {{{}, 334}}},
      {"B.SERG", SpecOf("serg"), 789, {{{}, 2023}}},
      {"C.SERG", SpecOf("serg"), 3232, {{{}, 7160}}},  // 3368 if spans with two open nodes made items
      {"A.GramGBMT_c-tree", SpecOf("gramgbmt-c", "tree"), 38, {{{}, 112}}},
      {"A.GramGBMT_c-dsg", SpecOf("gramgbmt-c", "dsg"), 198, {{{}, 681}}},
      {"A.GramGBMT_c-dbg", SpecOf("gramgbmt-c", "dbg"), 172, {{{}, 649}}},
  };
  auto bottom_up = [&](const std::string& graph, uint64_t x, const std::array<uint64_t, 5>& s) {
    cases.push_back({"A.GramGBMT_b-" + graph,
                     SpecOf("gramgbmt-b", graph),
                     x,
                     {{{.glue_limit = -1}, s[0]},
                      {{.glue_limit = 6}, s[1]},
                      {{.glue_limit = 2}, s[2]},
                      {{.glue_limit = 0}, s[3]},
                      {{.free_order = true, .glue_limit = -1}, s[4]}}});
  };
  bottom_up("tree", 1558, {10369, 10369, 6385, 4354, 38688});
  bottom_up("dsg", 2802, {26924, 26924, 17045, 10917, 98224});
  bottom_up("dbg", 2365, {23069, 23069, 14415, 9246, 85007});
  return cases;
}

RuleTable WriteGrammar(const SystemSpec& spec, const std::vector<GrammarRule>& rules) {
  TableHeader header;
  header.spec = spec;
  header.coding = ScoreCoding::kF32;
  header.lhs = spec.grammar.pos;
  if (spec.has_grammar()) header.labels = {"X"};
  auto number = [](std::vector<std::string>* texts, const std::string& text) {
    const auto found = std::find(texts->begin(), texts->end(), text);
    if (found != texts->end()) return static_cast<uint32_t>(found - texts->begin());
    texts->push_back(text);
    return static_cast<uint32_t>(texts->size() - 1);
  };
  std::set<uint32_t> signatures = {0};
  std::map<std::vector<SourceSymbol>, std::vector<TableEntry>> by_source;
  for (const GrammarRule& rule : rules) {
    std::vector<SourceSymbol> source;
    for (const SourceText& symbol : rule.source) {
      const uint32_t signature = SignatureOf(spec, rule, static_cast<int>(source.size()));
      signatures.insert(signature);
      source.push_back({symbol.nonterminal ? number(&header.labels, symbol.text) | kLabelBit
                                           : number(&header.source_words, symbol.text),
                        signature});
    }
    TableEntry entry;
    if (spec.has_grammar()) entry.lhs = number(&header.labels, rule.lhs);
    for (const TargetText& symbol : rule.target)
      entry.target.push_back(symbol.nonterminal > 0 ? static_cast<TargetSymbol>(symbol.nonterminal)
                                                    : TargetWord(number(&header.target_words, symbol.word)));
    std::string links;
    for (const auto& [s, t] : rule.links) links += fmt::format("{}{}-{}", links.empty() ? "" : " ", s, t);
    entry.alignment = number(&header.alignments, links);
    entry.scores = rule.scores;
    by_source[source].push_back(std::move(entry));
  }
  header.signatures.assign(signatures.begin(), signatures.end());
  return WriteTable(header, std::move(by_source));
}

Sentence ToSentence(const GrammarInput& input) {
  Sentence sentence;
  sentence.tokens = input.words;
  sentence.heads = input.heads;
  sentence.tags = input.tags;
  sentence.relations.assign(input.words.size(), "dep");
  return sentence;
}

namespace {

std::string Label(const SystemSpec& spec, const GrammarInput& input, uint32_t words) {
  if (!spec.grammar.pos) return "X";
  std::string label;
  for (size_t i = 0; i < input.words.size(); ++i) {
    if ((words >> i & 1) == 0) continue;
    if (input.heads[i] != 0 && (words >> (input.heads[i] - 1) & 1) != 0) continue;
    label += (label.empty() ? "" : "_") + input.tags[i];
  }
  return label;
}

// 1-based positions.
std::set<int> Positions(uint32_t words) {
  std::set<int> positions;
  for (int position = 1; position <= 32; ++position)
    if ((words >> (position - 1) & 1) != 0) positions.insert(position);
  return positions;
}

// 1-based position of the first word.
int FirstOf(uint32_t words) {
  int position = 1;
  while ((words >> (position - 1) & 1) == 0) ++position;
  return position;
}

}  // namespace

GrammarRule MakeGrammarRule(const SystemSpec& spec, const GrammarInput& input, uint32_t unit,
                            const std::vector<uint32_t>& holes, std::vector<TargetText> target) {
  std::vector<uint32_t> symbols = holes;  // words of each
  uint32_t rest = unit;
  for (uint32_t hole : holes) rest &= ~hole;
  for (size_t i = 0; i < input.words.size(); ++i)
    if ((rest >> i & 1) != 0) symbols.push_back(1u << i);
  std::sort(symbols.begin(), symbols.end(), [](uint32_t a, uint32_t b) { return FirstOf(a) < FirstOf(b); });
  GrammarRule rule;
  rule.lhs = Label(spec, input, unit);
  rule.target = std::move(target);
  for (uint32_t symbol : symbols) {
    const bool hole = (symbol & rest) == 0;
    rule.source.push_back({hole ? Label(spec, input, symbol) : input.words[FirstOf(symbol) - 1], hole});
  }
  if (spec.graph == GraphKind::kDeg) {
    std::vector<NodePair> ends;
    for (uint32_t symbol : symbols) ends.push_back(NonterminalEdge(input.heads, Positions(symbol)).value());
    rule.ends = Renamed(ends);
    return rule;
  }
  for (const auto& [ends, dependency] : GraphEdges(spec.graph, input.heads))
    for (size_t u = 0; u < symbols.size(); ++u)
      for (size_t v = 0; v < symbols.size(); ++v) {
        if (u == v || (symbols[u] >> (ends.first - 1) & 1) == 0 || (symbols[v] >> (ends.second - 1) & 1) == 0) continue;
        std::string& label = rule.edges[{static_cast<int>(u), static_cast<int>(v)}];
        if (spec.edge_labels && label != "dep") label = dependency ? "dep" : "seq";
      }
  return rule;
}

namespace {

class CaseMaker {
 public:
  CaseMaker(const SystemSpec& spec, std::mt19937* random) : spec_(spec), random_(*random) {}

  // A rule of a random unit of `input`; false if a draw fails.
  bool Rule(const GrammarInput& input, GrammarRule* rule);

 private:
  int Below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  bool MayBeUnit(const GrammarInput& input, uint32_t words) const;

  const SystemSpec& spec_;
  std::mt19937& random_;
};

bool CaseMaker::MayBeUnit(const GrammarInput& input, uint32_t words) const {
  const int n = static_cast<int>(input.words.size());
  std::vector<int> members;
  for (int i = 1; i <= n; ++i)
    if ((words >> (i - 1) & 1) != 0) members.push_back(i);
  if (members.empty()) return false;
  if (spec_.contiguous() && members.back() - members.front() + 1 != static_cast<int>(members.size())) return false;
  if (!spec_.connected()) return true;
  if (spec_.graph == GraphKind::kDeg) return NonterminalEdge(input.heads, Positions(words)).has_value();
  const EdgeMap edges = GraphEdges(spec_.graph, input.heads);
  std::set<int> reached = {members[0]};
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [ends, dependency] : edges)
      for (auto [from, to] : {ends, std::pair(ends.second, ends.first)})
        if ((words >> (to - 1) & 1) != 0 && reached.count(from) != 0) grew = reached.insert(to).second || grew;
  }
  return reached.size() == members.size();
}

bool CaseMaker::Rule(const GrammarInput& input, GrammarRule* rule) {
  const uint32_t subsets = 1u << input.words.size();
  auto subset_of = [&](uint32_t words) { return static_cast<uint32_t>(random_()) & (subsets - 1) & words; };
  uint32_t unit = subset_of(subsets - 1);
  if (spec_.contiguous()) {
    const int first = Below(static_cast<int>(input.words.size()));
    unit = (subsets - 1) & ~((1u << first) - 1) & ((1u << (first + 1 + Below(6))) - 1);
  }
  if (!MayBeUnit(input, unit)) return false;
  uint32_t rest = unit;
  std::vector<uint32_t> holes;
  for (int k = Below(spec_.grammar.max_nonterminals + 1); k > 0; --k) {
    uint32_t hole = 0;
    for (int draw = 0; draw < 8 && !MayBeUnit(input, hole); ++draw) hole = subset_of(rest);
    if (!MayBeUnit(input, hole)) return false;
    holes.push_back(hole);
    rest &= ~hole;
  }
  if (rest == 0) return false;
  std::vector<TargetText> target;
  for (int words = 1 + Below(3); words > 0; --words)
    target.push_back({std::string(1, static_cast<char>('x' + Below(3))), 0});
  for (size_t k = 0; k < holes.size(); ++k) target.push_back({"", static_cast<int>(k) + 1});
  std::shuffle(target.begin(), target.end(), random_);
  *rule = MakeGrammarRule(spec_, input, unit, holes, std::move(target));
  if (static_cast<int>(rule->source.size()) > spec_.grammar.max_symbols) return false;
  for (size_t k = 1; k < rule->source.size(); ++k)
    if (!spec_.grammar.adjacent_nt && rule->source[k - 1].nonterminal && rule->source[k].nonterminal) return false;
  for (size_t s = 0; s < rule->source.size(); ++s)
    for (size_t t = 0; t < rule->target.size(); ++t)
      if (!rule->source[s].nonterminal && rule->target[t].nonterminal == 0 && Below(3) == 0)
        rule->links.emplace_back(static_cast<int>(s), static_cast<int>(t));
  rule->scores = RandomScores(&random_);
  return true;
}

}  // namespace

GrammarInput RandomGrammarSentence(bool with_unknown, std::mt19937* random) {
  auto below = [&](int n) { return static_cast<int>((*random)() % static_cast<uint32_t>(n)); };
  GrammarInput input;
  const int n = 1 + below(6);
  for (int i = 0; i < n; ++i) {
    input.words.push_back(with_unknown && below(12) == 0 ? "unseen"
                                                         : std::string(1, static_cast<char>('a' + below(4))));
    input.tags.push_back(below(2) == 0 ? "N" : "V");
  }
  std::vector<int> order;
  for (int i = 1; i <= n; ++i) order.push_back(i);
  std::shuffle(order.begin(), order.end(), *random);
  input.heads.assign(static_cast<size_t>(n), 0);
  for (int i = 1; i < n; ++i) input.heads[order[i] - 1] = below(6) == 0 ? 0 : order[below(i)];
  Projectivise(&input.heads);
  return input;
}

GrammarCase RandomGrammarCase(const SystemSpec& spec, const GrammarSettings& settings, uint64_t most,
                              std::mt19937* random) {
  CaseMaker maker(spec, random);
  GrammarCase made;
  made.input = RandomGrammarSentence(true, random);
  const size_t wanted = 2 + (*random)() % 24;
  for (int draw = 0; draw < 400 && made.rules.size() < wanted; ++draw) {
    GrammarRule rule;
    if (!maker.Rule((*random)() % 4 == 0 ? RandomGrammarSentence(false, random) : made.input, &rule)) continue;
    if (std::any_of(rule.source.begin(), rule.source.end(), [](const SourceText& s) { return s.text == "unseen"; }))
      continue;
    const bool known =
        std::any_of(made.rules.begin(), made.rules.end(), [&](const GrammarRule& r) { return SameRule(r, rule); });
    if (!known) made.rules.push_back(std::move(rule));
  }
  while (CountGrammarDerivations(made.rules, spec, made.input, settings).s > most) made.rules.pop_back();
  return made;
}

}  // namespace graft::engine::fixtures
