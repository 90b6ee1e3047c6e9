// BLEU from sufficient statistics: what tuning, evaluation and significance tests share.
//
// Counts are clipped by the maximum over the references; the reference length is that of the closest reference (tie:
// the shorter).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace graft::engine {

struct BleuStatistics {
  std::array<int64_t, 4> match{};
  std::array<int64_t, 4> total{};
  int64_t length = 0;  // of the hypothesis
  int64_t reference_length = 0;

  BleuStatistics& operator+=(const BleuStatistics& other);
  friend bool operator==(const BleuStatistics&, const BleuStatistics&) = default;
};

// What becomes of an n-gram order without a match (Chen and Cherry 2014 compare them). Without a match of any order
// BLEU is 0, and so it is if the hypotheses have no n-gram of some order at all.
enum class BleuSmoothing {
  kNone,   // 0 if any match count is 0
  kExp,    // sacreBLEU's default: the k-th zero match count becomes 1/2^k (mteval-13b does the same)
  kFloor,  // a zero match count becomes 0.1
  kAddK,   // 1 is added to matches and totals of all orders but the first
};

// By their names: exp, floor, add-k, none. Throws Error for another.
BleuSmoothing BleuSmoothingByName(std::string_view name);
std::vector<std::string> BleuSmoothingNames();

struct BleuScore {
  double score = 0;  // 0 to 100
  std::array<double, 4> precisions{};
  double brevity_penalty = 1;
  double ratio = 0;  // length of the hypotheses by that of the references; 0 without references
};

BleuScore ScoreBleu(const BleuStatistics& statistics, BleuSmoothing smoothing = BleuSmoothing::kExp);

// Only the score, 0 to 100.
double Bleu(const BleuStatistics& statistics, BleuSmoothing smoothing = BleuSmoothing::kExp);

// The references of a corpus, by n-grams. Immutable; Statistics may be called from several threads at once.
class BleuReferences {
 public:
  // references[sentence][reference] = tokens, of valid UTF-8. Every sentence needs at least one reference; numbers may
  // differ. Here and in Statistics, tokens with Unicode spaces inside are several words, as they are to sacreBLEU,
  // which reads lines (tok:none).
  explicit BleuReferences(const std::vector<std::vector<std::vector<std::string>>>& references);
  ~BleuReferences();
  BleuReferences(BleuReferences&&) noexcept;

  size_t size() const;  // sentences
  BleuStatistics Statistics(size_t sentence, const std::vector<std::string>& tokens) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft::engine
