#include "eval/chrf.h"

#include <optional>
#include <span>

#include "eval/python_text.h"

namespace graft::engine {

namespace {

constexpr double kRecallWeight = 4;  // beta squared

bool IsAsciiPunctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

std::vector<uint32_t> Characters(std::string_view line) {
  std::vector<uint32_t> characters;
  for (const char32_t c : DecodeUtf8(line))
    if (!IsPythonSpace(c)) characters.push_back(c);
  return characters;
}

size_t CharacterCount(std::string_view word) {
  size_t count = 0;
  for (const char c : word) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

}  // namespace

ChrfStatistics& ChrfStatistics::operator+=(const ChrfStatistics& other) {
  for (size_t n = 0; n < kChrfOrders; ++n) {
    hypothesis[n] += other.hypothesis[n];
    reference[n] += other.reference[n];
    match[n] += other.match[n];
  }
  return *this;
}

double Chrf(const ChrfStatistics& statistics) {
  double precision = 0;
  double recall = 0;
  int orders = 0;
  for (size_t n = 0; n < kChrfOrders; ++n) {
    if (statistics.hypothesis[n] == 0 || statistics.reference[n] == 0) continue;
    const auto match = static_cast<double>(statistics.match[n]);
    precision += match / static_cast<double>(statistics.hypothesis[n]);
    recall += match / static_cast<double>(statistics.reference[n]);
    ++orders;
  }
  if (precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  return 100 * ((1 + kRecallWeight) * precision * recall / (kRecallWeight * precision + recall));
}

std::vector<std::string> ChrfWords(std::string_view line) {
  std::vector<std::string> words;
  for (const std::string& word : PythonSplit(line)) {
    if (CharacterCount(word) > 1 && IsAsciiPunctuation(word.back())) {
      words.push_back(word.substr(0, word.size() - 1));
      words.push_back(word.substr(word.size() - 1));
    } else if (CharacterCount(word) > 1 && IsAsciiPunctuation(word.front())) {
      words.push_back(word.substr(0, 1));
      words.push_back(word.substr(1));
    } else {
      words.push_back(word);
    }
  }
  return words;
}

ChrfReferences::ChrfReferences(const std::vector<std::vector<std::string>>& references, bool words) : words_(words) {
  sentences_.reserve(references.size());
  for (const std::vector<std::string>& lines : references) {
    std::vector<Reference>& compiled = sentences_.emplace_back();
    for (const std::string& line : lines) {
      const std::vector<uint32_t> characters = Characters(line);
      std::vector<WordId> ids;
      if (words_)
        for (const std::string& word : ChrfWords(line)) ids.push_back(vocabulary_.Add(word));
      compiled.push_back({NgramTrie(kChrfCharacterOrders, characters.size()), NgramTrie(kChrfWordOrders, ids.size()),
                          characters.size(), ids.size()});
      compiled.back().characters.Add(characters);
      compiled.back().words.Add(ids);
    }
  }
}

ChrfStatistics ChrfReferences::Statistics(size_t sentence, std::string_view hypothesis) const {
  const std::vector<uint32_t> characters = Characters(hypothesis);
  std::vector<WordId> words;
  if (words_)
    for (const std::string& word : ChrfWords(hypothesis)) words.push_back(vocabulary_.Find(word));

  ChrfStatistics best;
  std::optional<double> best_score;
  for (const Reference& reference : sentences_[sentence]) {
    ChrfStatistics statistics;
    const std::span<int64_t> match(statistics.match);
    reference.characters.Match(characters, match.first(kChrfCharacterOrders));
    reference.words.Match(words, match.last(kChrfWordOrders));
    for (size_t n = 0; n < kChrfOrders; ++n) {
      const bool of_characters = n < kChrfCharacterOrders;
      const size_t order = of_characters ? n + 1 : n + 1 - kChrfCharacterOrders;
      statistics.reference[n] = NgramCount(of_characters ? reference.character_count : reference.word_count, order);
      if (statistics.reference[n] > 0)
        statistics.hypothesis[n] = NgramCount(of_characters ? characters.size() : words.size(), order);
    }
    const double score = Chrf(statistics);
    if (!best_score || score > *best_score) {
      best_score = score;
      best = statistics;
    }
  }
  return best;
}

}  // namespace graft::engine
