// chrF (Popović 2015) and chrF++ (Popović 2017): F-score of character n-grams up to 6, chrF++ with word n-grams up to 2
// beside them; recall weighs twice (beta = 2). Equal to sacreBLEU's: white space is dropped for character n-grams,
// orders that hypotheses or references have no n-gram of are left out, and of several references the one with the best
// F-score of the sentence counts.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "eval/ngram_trie.h"
#include "text/vocabulary.h"

namespace graft::engine {

inline constexpr size_t kChrfCharacterOrders = 6;
inline constexpr size_t kChrfWordOrders = 2;
inline constexpr size_t kChrfOrders = kChrfCharacterOrders + kChrfWordOrders;

// By order: characters first, then words (all 0 for plain chrF).
struct ChrfStatistics {
  std::array<int64_t, kChrfOrders> hypothesis{};  // n-grams; 0 where the reference has none of the order
  std::array<int64_t, kChrfOrders> reference{};
  std::array<int64_t, kChrfOrders> match{};

  ChrfStatistics& operator+=(const ChrfStatistics& other);
  friend bool operator==(const ChrfStatistics&, const ChrfStatistics&) = default;
};

double Chrf(const ChrfStatistics& statistics);  // 0 to 100

// The words of chrF++: one ASCII punctuation character is split off the end of a word, or else off its beginning
// ("(hi)" is "(hi" and ")").
std::vector<std::string> ChrfWords(std::string_view line);

// The references of a corpus, by n-grams. Immutable; Statistics may be called from several threads at once.
class ChrfReferences {
 public:
  // references[sentence][reference] = line of valid UTF-8; at least one for every sentence. `words`: chrF++.
  ChrfReferences(const std::vector<std::vector<std::string>>& references, bool words);

  size_t size() const { return sentences_.size(); }
  ChrfStatistics Statistics(size_t sentence, std::string_view hypothesis) const;

 private:
  struct Reference {
    NgramTrie characters;
    NgramTrie words;
    size_t character_count;
    size_t word_count;
  };

  bool words_;
  Vocabulary vocabulary_;
  std::vector<std::vector<Reference>> sentences_;
};

}  // namespace graft::engine
