#include "oracle/examples.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "graph/projectivise.h"
#include "rules/rule_text.h"

namespace graft::engine::oracle {
namespace {

// A whole number below `end`; the same on every machine, unlike the standard distributions.
int Below(int end, std::mt19937_64* random) { return static_cast<int>((*random)() % static_cast<uint64_t>(end)); }

bool Chance(double probability, std::mt19937_64* random) {
  return static_cast<double>((*random)() >> 11) * 0x1p-53 < probability;
}

std::vector<std::string> RandomWords(int words, std::mt19937_64* random) {
  static const std::vector<std::string> vocabulary = {"a",     "b", "der",   "Haus", "größe", "[*]", "|||",
                                                      "[X,1]", "&", "&amp;", "x y",  "c\td",  "[",   "zai"};
  const int different = 1 + Below(static_cast<int>(vocabulary.size()), random);
  std::vector<std::string> drawn;
  for (int i = 0; i < words; ++i) drawn.push_back(vocabulary[Below(different, random)]);
  return drawn;
}

std::vector<std::string> RandomTags(int words, std::mt19937_64* random) {
  static const std::vector<std::string> tags = {"NN", "VV", "X", "$,", "[x]", "P|Q", "AD"};
  const int different = 1 + Below(static_cast<int>(tags.size()), random);
  std::vector<std::string> drawn;
  for (int i = 0; i < words; ++i) drawn.push_back(tags[Below(different, random)]);
  return drawn;
}

std::vector<int> RandomHeads(int words, std::mt19937_64* random) {
  std::vector<int> order(words);
  std::iota(order.begin(), order.end(), 1);
  for (int i = words - 1; i > 0; --i) std::swap(order[i], order[Below(i + 1, random)]);
  const int roots = Below(3, random) > 0 ? 1 : 1 + Below(3, random);
  std::vector<int> heads(words, 0);
  for (int i = roots; i < words; ++i) heads[order[i] - 1] = order[Below(i, random)];
  return heads;
}

std::vector<std::string> Split(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

Example RandomExample(std::mt19937_64* random) {
  Example example;
  const int n = 1 + Below(8, random), m = 1 + Below(9, random);
  example.source = RandomWords(n, random);
  example.target = RandomWords(m, random);
  example.heads = RandomHeads(n, random);
  static const double densities[] = {0.02, 0.06, 0.12, 0.25, 0.6};
  const double density = densities[Below(5, random)];
  const bool diagonal = Chance(0.6, random);  // as alignments of related languages are
  const double linked = 0.4 + 0.1 * Below(7, random);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      if (diagonal ? std::abs(i * m / n - j) <= 1 && Chance(linked / 2, random) : Chance(density, random))
        example.links.emplace_back(i, j);
  example.tags = RandomTags(n, random);
  return example;
}

Example RandomReordering(std::mt19937_64* random, int most_words) {
  Example example;
  const int n = 1 + Below(most_words, random);
  example.source = RandomWords(n, random);
  example.target = RandomWords(n, random);
  example.heads = RandomHeads(n, random);
  example.tags = RandomTags(n, random);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (int swaps = Below(n + 1, random); swaps > 0; --swaps)
    std::swap(order[Below(n, random)], order[Below(n, random)]);
  const double unlinked = 0.1 * Below(4, random), second = 0.05 * Below(3, random);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      if (j == order[i] ? !Chance(unlinked, random) : std::abs(j - order[i]) == 1 && Chance(second, random))
        example.links.emplace_back(i, j);
  }
  return example;
}

std::vector<Example> ReadExamples(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<Example> examples;
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> fields;
    for (size_t begin = 0; begin <= line.size();) {
      const size_t end = std::min(line.find(" ||| ", begin), line.size());
      fields.push_back(line.substr(begin, end - begin));
      begin = end + 5;
    }
    Example example;
    example.source = Split(fields.at(0));
    example.tags = Split(fields.at(1));
    for (const std::string& head : Split(fields.at(2))) example.heads.push_back(std::stoi(head));
    example.target = Split(fields.at(3));
    for (const std::string& link : Split(fields.at(4)))
      example.links.emplace_back(std::stoi(link) - 1, std::stoi(link.substr(link.find('-') + 1)) - 1);
    examples.push_back(example);
  }
  return examples;
}

IndexedPair Index(const Example& example, const SystemSpec& spec, Vocabulary* source_words, Vocabulary* target_words) {
  IndexedPair pair;
  for (const std::string& word : example.source) pair.source.push_back(source_words->Add(word));
  for (const std::string& word : example.target) pair.target.push_back(target_words->Add(word));
  if (spec.reads_tree()) {
    pair.heads = example.heads;
    if (spec.reading.projectivise) Projectivise(&pair.heads);
  }
  if (spec.labelled()) pair.tags = example.tags;
  if (spec.has_blocks()) pair.words = example.source;
  for (const auto& [i, j] : example.links) pair.links.push_back({static_cast<uint16_t>(i), static_cast<uint16_t>(j)});
  std::sort(pair.links.begin(), pair.links.end());
  return pair;
}

RuleLine Line(const RuleOccurrence& rule, const SystemSpec& spec, const Vocabulary& source_words,
              const Vocabulary& target_words, const LabelNumbers& labels) {
  RuleFields fields = FormatRule(
      spec.signature(), rule, [&](WordId id) -> std::string_view { return source_words.Word(id); },
      [&](WordId id) -> std::string_view { return target_words.Word(id); },
      [&](uint32_t label) -> std::string_view { return labels.texts()[label]; });
  return {std::move(fields.lhs),    std::move(fields.source), std::move(fields.edges),
          std::move(fields.target), std::move(fields.links),  rule.count};
}

std::vector<RuleLine> EngineExtract(const Example& example, const SystemSpec& spec) {
  return BoundedExtract(example, spec, kMaxPairRulesOfSystem);
}

std::vector<RuleLine> BoundedExtract(const Example& example, const SystemSpec& spec, uint64_t max_rules) {
  Vocabulary source_words, target_words;
  LabelNumbers labels;
  const IndexedPair pair = Index(example, spec, &source_words, &target_words);
  std::vector<RuleLine> lines;
  RuleExtractor(spec, &labels, max_rules).Extract(pair, [&](const RuleOccurrence& rule, const UnitPair&) {
    lines.push_back(Line(rule, spec, source_words, target_words, labels));
  });
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::vector<std::string> Merged(const std::vector<RuleLine>& lines) {
  std::map<RuleLine, RuleCount> counts;
  for (RuleLine line : lines) {
    const RuleCount count = std::exchange(line.count, 0);
    counts[line] += count;
  }
  std::vector<std::string> merged;
  for (const auto& [line, count] : counts)
    merged.push_back(line.Key() + " ||| " + FormatCount(count) + " ||| " + line.links);
  return merged;
}

}  // namespace graft::engine::oracle
