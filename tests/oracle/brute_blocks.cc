#include "oracle/brute_blocks.h"

#include <algorithm>
#include <map>
#include <set>

namespace graft::engine::oracle {
namespace {

using Bits = uint32_t;  // of source or target positions
constexpr uint64_t kOne = 1'000'000'000;
constexpr size_t kMostVariants = 16, kMostSymbols = 15;

bool Has(Bits set, int position) { return (set >> position & 1) != 0; }
Bits Bit(int position) { return Bits{1} << position; }
int Lowest(Bits set) { return __builtin_ctz(set); }
int Highest(Bits set) { return 31 - __builtin_clz(set); }
Bits Closed(Bits set) { return set == 0 ? 0 : (Bit(Highest(set)) << 1) - Bit(Lowest(set)); }

Bits Subtree(const std::vector<int>& heads, int root) {
  Bits words = Bit(root);
  for (size_t rounds = 0; rounds < heads.size(); ++rounds)
    for (size_t word = 0; word < heads.size(); ++word)
      if (heads[word] > 0 && Has(words, heads[word] - 1)) words |= Bit(static_cast<int>(word));
  return words;
}

// The head and its dependents, as positions.
Bits Elements(const std::vector<int>& heads, int head) {
  Bits elements = Bit(head);
  for (size_t word = 0; word < heads.size(); ++word)
    if (heads[word] == head + 1) elements |= Bit(static_cast<int>(word));
  return elements;
}

Bits WordsUnder(const std::vector<int>& heads, int head, Bits elements) {
  Bits words = 0;
  for (int element = 0; element < static_cast<int>(heads.size()); ++element)
    if (Has(elements, element)) words |= element == head ? Bit(head) : Subtree(heads, element);
  return words;
}

// At least two elements, none of the others between them.
bool IsRun(Bits some, Bits elements) {
  return __builtin_popcount(some) > 1 && (some & ~elements) == 0 && (Closed(some) & elements) == some;
}

// The runs that may be blocks or inner blocks, besides the full block.
std::vector<Bits> Parts(const std::vector<int>& heads, const SystemSpec& spec, int head) {
  std::vector<Bits> parts;
  const Bits full = Elements(heads, head);
  if (!spec.blocks.parts) return parts;
  for (Bits some = (full - 1) & full; some != 0; some = (some - 1) & full)
    if (IsRun(some, full) && (spec.blocks.floating || Has(some, head))) parts.push_back(some);
  return parts;
}

struct Structure {
  int head;
  Bits block;
  std::vector<Bits> symbols;  // elements, in surface order
};

std::vector<Structure> Structures(const std::vector<int>& heads, const SystemSpec& spec) {
  const auto split = [](Bits block, Bits inner) {
    std::vector<Bits> symbols;
    for (int element = 0; element < 32; ++element) {
      if (!Has(block, element)) continue;
      if (!Has(inner, element))
        symbols.push_back(Bit(element));
      else if (element == Lowest(inner))
        symbols.push_back(inner);
    }
    return symbols;
  };
  std::vector<Structure> structures;
  const auto most = static_cast<size_t>(spec.grammar.max_symbols);
  for (int head = 0; head < static_cast<int>(heads.size()); ++head) {
    const Bits full = Elements(heads, head);
    if (__builtin_popcount(full) < 2) continue;
    if (split(full, 0).size() <= kMostSymbols) structures.push_back({head, full, split(full, 0)});
    for (Bits part : Parts(heads, spec, head)) {
      if (split(part, 0).size() <= most) structures.push_back({head, part, split(part, 0)});
      if (split(full, part).size() <= most) structures.push_back({head, full, split(full, part)});
    }
  }
  return structures;
}

// What the system says of a symbol in one form.
struct Named {
  std::string cls;
  bool variable;
  std::string label;
};

Named Name(const Example& example, const std::vector<int>& heads, int head, Bits symbol,
           const std::set<std::string>& general) {
  Named named;
  const bool single = __builtin_popcount(symbol) == 1;
  if (Has(symbol, head))
    named.cls = "head";
  else
    named.cls = single && Elements(heads, Lowest(symbol)) == symbol ? "leaf" : "internal";
  const bool tag = general.count(named.cls) > 0;
  const std::vector<std::string>& texts = tag ? example.tags : example.source;
  named.variable = tag || named.cls == "internal" || !single;
  for (int word = 0; word < static_cast<int>(heads.size()); ++word) {
    if (named.cls == "head" ? word != head : !Has(symbol, word)) continue;
    named.label += (named.label.empty() ? "" : "_") + texts[word];
  }
  if (named.variable) named.label = (tag ? "p=" : "w=") + named.label;
  return named;
}

struct Variant {
  int added;
  std::vector<int> vector;
  std::vector<Bits> spans;
  bool operator<(const Variant& other) const { return std::pair(added, vector) < std::pair(other.added, other.vector); }
};

void Widen(const std::vector<Bits>& spans, const std::vector<bool>& fixed, Bits unaligned, int target_words,
           Variant variant, std::vector<Variant>* found) {
  const size_t k = variant.spans.size();
  if (k == spans.size()) {
    found->push_back(std::move(variant));
    return;
  }
  const int low = Lowest(spans[k]), high = Highest(spans[k]);
  for (int first = 0; first <= low; ++first) {
    for (int last = high; last < target_words; ++last) {
      const Bits span = Closed(Bit(first) | Bit(last)), added = span & ~spans[k];
      if ((added & ~unaligned) != 0 || (fixed[k] && added != 0)) continue;
      bool disjoint = true;
      for (size_t other = 0; other < spans.size(); ++other)
        if (other != k && (span & (other < k ? variant.spans[other] : spans[other])) != 0) disjoint = false;
      if (!disjoint) continue;
      Variant next = variant;
      next.added += __builtin_popcount(added);
      next.vector.push_back(low - first);
      next.vector.push_back(last - high);
      next.spans.push_back(span);
      Widen(spans, fixed, unaligned, target_words, next, found);
    }
  }
}

Occurrence Made(const Example& example, int head, const Structure& structure, const std::vector<Named>& names,
                const std::vector<Bits>& spans) {
  Occurrence made;
  RuleLine& line = made.line;
  line.lhs = "X";
  std::vector<int> number(names.size()), word_number(names.size());
  int variables = 0, head_at = -1;
  for (size_t k = 0; k < names.size(); ++k) {
    if (names[k].cls == "head") head_at = static_cast<int>(k);
    if (names[k].variable) {
      number[k] = ++variables;
      AppendWord("[" + Escaped(names[k].label) + "," + std::to_string(number[k]) + "]", &line.source);
    } else {
      word_number[k] = static_cast<int>(made.source.size());
      made.source.push_back(names[k].label);
      AppendWord(Escaped(names[k].label), &line.source);
    }
  }
  for (int k = 0; head_at >= 0 && k < static_cast<int>(names.size()); ++k)
    if (k != head_at) AppendWord(std::to_string(head_at) + ">" + std::to_string(k), &line.edges);
  std::set<std::pair<int, int>> links;
  int place = 0;
  for (int j = 0; j < static_cast<int>(example.target.size()); ++j) {
    for (size_t k = 0; k < names.size(); ++k) {
      if (!Has(spans[k], j)) continue;
      if (names[k].variable && j != Lowest(spans[k])) continue;
      if (names[k].variable) {
        AppendWord("[X," + std::to_string(number[k]) + "]", &line.target);
      } else {
        const int word = names[k].cls == "head" ? head : Lowest(structure.symbols[k]);
        if (std::find(example.links.begin(), example.links.end(), std::pair(word, j)) != example.links.end()) {
          links.emplace(static_cast<int>(k), place);
          made.links.emplace_back(word_number[k], static_cast<int>(made.target.size()));
        }
        made.target.push_back(example.target[j]);
        AppendWord(Escaped(example.target[j]), &line.target);
      }
      ++place;
    }
  }
  for (const auto& [k, at] : links) AppendWord(std::to_string(k) + "-" + std::to_string(at), &line.links);
  return made;
}

}  // namespace

bool IsBlock(const std::vector<int>& heads, const SystemSpec& spec, uint32_t words) {
  if (!spec.blocks.parts) return false;
  for (int head = 0; head < static_cast<int>(heads.size()); ++head) {
    const Bits full = Elements(heads, head);
    if (full != Bit(head) && WordsUnder(heads, head, full) == words) return true;
    for (Bits part : Parts(heads, spec, head))
      if (WordsUnder(heads, head, part) == words) return true;
  }
  return false;
}

std::vector<Occurrence> BlockOccurrences(const Example& example, const std::vector<int>& heads,
                                         const SystemSpec& spec) {
  const int target_words = static_cast<int>(example.target.size());
  std::map<int, Bits> linked;  // by source word
  Bits unaligned = (Bit(target_words - 1) << 1) - 1;
  for (const auto& [i, j] : example.links) {
    linked[i] |= Bit(j);
    unaligned &= ~Bit(j);
  }
  const auto is_consistent = [&](int word) {
    for (const auto& [other, targets] : linked)
      if (other != word && (targets & linked[word]) != 0) return false;
    return linked[word] != 0;
  };
  std::vector<Occurrence> occurrences;
  for (const Structure& structure : Structures(heads, spec)) {
    std::vector<Bits> spans;
    bool acceptable = true;
    for (Bits symbol : structure.symbols) {
      const Bits under = WordsUnder(heads, structure.head, symbol);
      Bits targets = 0;
      for (int word = 0; word < static_cast<int>(heads.size()); ++word)
        if (Has(under, word) && is_consistent(word)) targets |= linked[word];
      for (Bits other : spans) acceptable = acceptable && (other & Closed(targets)) == 0;
      acceptable = acceptable && targets != 0;
      spans.push_back(Closed(targets));
    }
    Bits all = 0;
    for (Bits span : spans) all |= span;
    const Bits block_words = WordsUnder(heads, structure.head, structure.block);
    if (structure.block != Elements(heads, structure.head))
      for (const auto& [i, j] : example.links)
        acceptable = acceptable && !(Has(Closed(all), j) && !Has(block_words, i));
    if (!acceptable) continue;
    std::set<std::string> classes;
    for (Bits symbol : structure.symbols) classes.insert(Name(example, heads, structure.head, symbol, {}).cls);
    const std::vector<std::string> present(classes.begin(), classes.end());
    for (Bits choice = 0; choice < Bit(static_cast<int>(present.size())); ++choice) {
      std::set<std::string> general;
      for (size_t c = 0; c < present.size(); ++c)
        if (Has(choice, static_cast<int>(c))) general.insert(present[c]);
      std::vector<Named> names;
      std::vector<bool> fixed;
      for (Bits symbol : structure.symbols) {
        names.push_back(Name(example, heads, structure.head, symbol, general));
        fixed.push_back(names.back().variable || !spec.blocks.extend);
      }
      std::vector<Variant> variants;
      Widen(spans, fixed, unaligned, target_words, {}, &variants);
      std::sort(variants.begin(), variants.end());
      if (variants.size() > kMostVariants) variants.resize(kMostVariants);
      for (const Variant& variant : variants) {
        occurrences.push_back(Made(example, structure.head, structure, names, variant.spans));
        occurrences.back().line.count = (2 * kOne / variants.size() + 1) / 2;
      }
    }
  }
  return occurrences;
}

}  // namespace graft::engine::oracle
