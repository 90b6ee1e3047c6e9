#include "rules/lexicon.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace graft::engine {
namespace {

constexpr uint64_t kEmpty = UINT64_MAX;
constexpr size_t kFewestCells = 1024;

uint64_t KeyOf(WordId source, WordId target) { return uint64_t{source} << 32 | target; }

// Multiply-shift.
uint64_t Hash(uint64_t key) {
  key ^= key >> 32;  // the multiplication only carries upwards
  return key * 0x9E3779B97F4A7C15u >> 32;
}

// The cell that holds `key`, or the empty one where it belongs.
template <class Cells>
auto& CellOf(Cells& cells, uint64_t key) {
  return cells.Probe(Hash(key), [key](const auto& cell) { return cell.key == key || cell.key == kEmpty; });
}

// Sums by word id; NULL has the last place.
class Sums {
 public:
  void Add(WordId word, uint64_t count) {
    if (word != kNoWord && word >= by_word_.size()) by_word_.resize(std::max<size_t>(word + 1, 2 * by_word_.size()));
    (word == kNoWord ? null_ : by_word_[word]) += count;
  }
  double operator[](WordId word) const { return static_cast<double>(word == kNoWord ? null_ : by_word_[word]); }

 private:
  std::vector<uint64_t> by_word_;
  uint64_t null_ = 0;
};

}  // namespace

void LinkCounts::AddPair(std::span<const WordId> source, std::span<const WordId> target,
                         std::span<const WordLink> links) {
  linked_.assign(source.size() + target.size(), 0);
  for (const WordLink& link : links) {
    Add(source[link.source], target[link.target], 1);
    linked_[link.source] = linked_[source.size() + link.target] = 1;
  }
  for (size_t i = 0; i < source.size(); ++i)
    if (linked_[i] == 0) Add(source[i], kNoWord, 1);
  for (size_t j = 0; j < target.size(); ++j)
    if (linked_[source.size() + j] == 0) Add(kNoWord, target[j], 1);
}

void LinkCounts::Add(WordId source, WordId target, uint64_t count) {
  if (4 * (size_ + 1) > 3 * cells_.size())
    cells_.Grow(
        kFewestCells, [](const Cell& cell) { return cell.key != kEmpty; },
        [](const Cell& cell) { return Hash(cell.key); });
  Cell& cell = CellOf(cells_, KeyOf(source, target));
  if (cell.key == kEmpty) {
    cell.key = KeyOf(source, target);
    ++size_;
  }
  cell.count += count;
}

void LinkCounts::Merge(const LinkCounts& other) {
  for (const Cell& cell : other.cells_.cells())
    if (cell.key != kEmpty) Add(static_cast<WordId>(cell.key >> 32), static_cast<WordId>(cell.key), cell.count);
}

std::vector<LinkCounts::Entry> LinkCounts::Entries() const {
  std::vector<Entry> entries;
  entries.reserve(size_);
  for (const Cell& cell : cells_.cells())
    if (cell.key != kEmpty)
      entries.push_back({static_cast<WordId>(cell.key >> 32), static_cast<WordId>(cell.key), cell.count});
  return entries;
}

Lexicon::Lexicon(const LinkCounts& counts) {
  const std::vector<LinkCounts::Entry> entries = counts.Entries();
  Sums of_source, of_target;
  for (const auto& entry : entries) {
    of_source.Add(entry.source, entry.count);
    of_target.Add(entry.target, entry.count);
  }
  cells_.Reset(std::max(kFewestCells, 2 * entries.size()));
  probabilities_.resize(cells_.size());
  for (const auto& entry : entries) {
    const uint64_t key = KeyOf(entry.source, entry.target);
    const auto count = static_cast<double>(entry.count);
    const Pair probability{count / of_source[entry.source], count / of_target[entry.target]};
    Cell& cell = CellOf(cells_, key);
    cell = {key, {std::log(probability.target_given_source), std::log(probability.source_given_target)}};
    probabilities_[cells_.IndexOf(cell)] = probability;
    const auto note = [](WordId word, double log, std::vector<double>* logs) {
      if (word >= logs->size()) logs->resize(std::max<size_t>(word + size_t{1}, 2 * logs->size()));
      (*logs)[word] = log;
    };
    if (entry.target == kNoWord) note(entry.source, cell.log.source_given_target, &log_unlinked_source_);
    if (entry.source == kNoWord) note(entry.target, cell.log.target_given_source, &log_unlinked_target_);
  }
}

uint32_t Lexicon::Find(WordId source, WordId target) const {
  if (cells_.size() == 0) return kNoCell;
  const Cell& cell = CellOf(cells_, KeyOf(source, target));
  return cell.key == kEmpty ? kNoCell : static_cast<uint32_t>(cells_.IndexOf(cell));
}

double Lexicon::TargetGivenSource(WordId source, WordId target) const {
  return Probability(Find(source, target)).target_given_source;
}

double Lexicon::SourceGivenTarget(WordId source, WordId target) const {
  return Probability(Find(source, target)).source_given_target;
}

Lexicon::Weights Lexicon::Weigh(std::span<const SourceSymbol> source, std::span<const TargetSymbol> target,
                                std::span<const RuleLink> links) const {
  struct Word {
    uint32_t links = 0;
    uint32_t cell = kNoCell;  // of the first link
    double sum = 0;           // of probabilities, from the second link on
  };
  constexpr size_t kPositions = 256;  // all a RuleLink can name
  std::array<Word, kPositions> of_source, of_target;
  std::fill_n(of_source.begin(), std::min(kPositions, source.size()), Word{});
  std::fill_n(of_target.begin(), std::min(kPositions, target.size()), Word{});
  const auto add = [this](uint32_t cell, double Pair::*direction, Word* word) {
    if (word->links == 0)
      word->cell = cell;
    else
      word->sum = (word->links == 1 ? Probability(word->cell).*direction : word->sum) + Probability(cell).*direction;
    ++word->links;
  };
  if (cells_.size() > 0)  // they lie all over the memory: fetch them together
    for (const RuleLink& link : links)
      __builtin_prefetch(&cells_.Home(Hash(KeyOf(source[link.source].symbol, TargetWordId(target[link.target])))));
  for (const RuleLink& link : links) {
    const uint32_t cell = Find(source[link.source].symbol, TargetWordId(target[link.target]));
    add(cell, &Pair::source_given_target, &of_source[link.source]);
    add(cell, &Pair::target_given_source, &of_target[link.target]);
  }
  const auto at = [](const std::vector<double>& logs, WordId word) { return word < logs.size() ? logs[word] : 0; };
  Weights weights{0, 0};
  for (size_t i = 0; i < source.size(); ++i) {
    if ((source[i].symbol & kLabelBit) != 0) continue;
    const Word word = i < kPositions ? of_source[i] : Word{};
    weights.source_given_target += word.links > 1    ? std::log(word.sum / word.links)
                                   : word.links == 1 ? Log(word.cell).source_given_target
                                                     : at(log_unlinked_source_, source[i].symbol);
  }
  for (size_t j = 0; j < target.size(); ++j) {
    if (!IsTargetWord(target[j])) continue;
    const Word word = j < kPositions ? of_target[j] : Word{};
    weights.target_given_source += word.links > 1    ? std::log(word.sum / word.links)
                                   : word.links == 1 ? Log(word.cell).target_given_source
                                                     : at(log_unlinked_target_, TargetWordId(target[j]));
  }
  return weights;
}

std::vector<WordId> OrderByLinks(const Vocabulary& words, std::span<const uint64_t> link_counts) {
  std::vector<WordId> order(words.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](WordId a, WordId b) {
    return link_counts[a] != link_counts[b] ? link_counts[a] > link_counts[b] : words.Word(a) < words.Word(b);
  });
  return order;
}

}  // namespace graft::engine
