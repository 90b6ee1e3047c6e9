#include "rules/span_variants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace graft::engine {
namespace {

// All ways by trying every vector.
std::vector<TargetSpan> TryAll(const std::vector<TargetSpan>& spans, const std::vector<bool>& fixed,
                               const std::vector<bool>& aligned) {
  struct Way {
    int sum;
    std::vector<int> vector;
    std::vector<TargetSpan> spans;
  };
  const int words = static_cast<int>(aligned.size());
  std::vector<Way> ways = {{0, {}, {}}};
  for (size_t k = 0; k < spans.size(); ++k) {
    std::vector<Way> longer;
    for (const Way& way : ways) {
      for (int left = 0; left <= spans[k].first; ++left) {
        for (int right = 0; right < words - spans[k].last; ++right) {
          const TargetSpan span{spans[k].first - left, spans[k].last + right};
          bool good = !fixed[k] || (left == 0 && right == 0);
          for (int j = span.first; j <= span.last; ++j)
            good &= !aligned[static_cast<size_t>(j)] || (j >= spans[k].first && j <= spans[k].last);
          for (const TargetSpan& other : way.spans) good &= span.last < other.first || other.last < span.first;
          if (!good) continue;
          longer.push_back(way);
          longer.back().sum += left + right;
          longer.back().vector.insert(longer.back().vector.end(), {left, right});
          longer.back().spans.push_back(span);
        }
      }
    }
    ways = std::move(longer);
  }
  std::sort(ways.begin(), ways.end(),
            [](const Way& a, const Way& b) { return std::pair(a.sum, a.vector) < std::pair(b.sum, b.vector); });
  if (ways.size() > SpanVariants::kMaxVariants) ways.resize(SpanVariants::kMaxVariants);
  std::vector<TargetSpan> all;
  for (const Way& way : ways) all.insert(all.end(), way.spans.begin(), way.spans.end());
  return all;
}

TEST(SpanVariantsTest, EqualsTryingEveryVector) {
  std::mt19937_64 random(9);
  const auto below = [&](int end) { return static_cast<int>(random() % static_cast<uint64_t>(end)); };
  SpanVariants variants;
  for (int i = 0; i < 3000; ++i) {
    std::vector<bool> aligned(static_cast<size_t>(1 + below(11)));
    for (size_t j = 0; j < aligned.size(); ++j) aligned[j] = below(3) == 0;
    aligned[static_cast<size_t>(below(static_cast<int>(aligned.size())))] = true;
    std::vector<TargetSpan> spans;  // of some of the aligned words, in the order of the target
    for (int j = 0; j < static_cast<int>(aligned.size()); ++j) {
      if (!aligned[static_cast<size_t>(j)] || below(4) == 0) continue;
      if (!spans.empty() && below(4) == 0)
        spans.back().last = j;
      else
        spans.push_back({j, j});
    }
    std::shuffle(spans.begin(), spans.end(), random);
    std::vector<bool> fixed;
    std::vector<size_t> order;
    for (size_t k = 0; k < spans.size(); ++k) {
      fixed.push_back(below(4) == 0);
      order.push_back(k);
    }
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return spans[a].first < spans[b].first; });
    variants.ReadTarget(aligned);
    ASSERT_EQ(variants.List(spans, order, fixed), TryAll(spans, fixed, aligned));
  }
}

// 15 words in a sentence that is otherwise unaligned: far too many ways to try.
TEST(SpanVariantsTest, LongRunsTakeNoTime) {
  std::vector<bool> aligned(250);
  std::vector<TargetSpan> spans;
  std::vector<size_t> order;
  for (int k = 0; k < 15; ++k) {
    aligned[static_cast<size_t>(k * 16 + 8)] = true;
    spans.push_back({k * 16 + 8, k * 16 + 8});
    order.push_back(static_cast<size_t>(k));
  }
  SpanVariants variants;
  variants.ReadTarget(aligned);
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(variants.List(spans, order, std::vector<bool>(15)).size(), 15 * SpanVariants::kMaxVariants);
  EXPECT_EQ(variants.List(spans, order, std::vector<bool>(15))[14], spans[14]);
  EXPECT_EQ(variants.List(spans, order, std::vector<bool>(15))[29].last, spans[14].last + 1) << "the last number grows";
}

}  // namespace
}  // namespace graft::engine
