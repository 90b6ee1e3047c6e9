#include "align/symmetrise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "graft/error.h"

namespace graft::engine {
namespace {

using ::testing::HasSubstr;

std::string Text(const std::vector<WordLink>& links) {
  std::string text;
  for (const WordLink& link : links)
    text += (text.empty() ? "" : " ") + std::to_string(link.source) + "-" + std::to_string(link.target);
  return text;
}

std::string Links(const DirectionalAlignment& source_choice, const DirectionalAlignment& target_choice,
                  std::string_view method) {
  return Text(Symmetrise(source_choice, target_choice, ParseSymmetrisation(method)));
}

// Source words 0-3, target words 0-3. Worked out by hand:
//   source words choose    0→0, 1→1, 2→1, 3→-      links 0-0 1-1 2-1
//   target words choose    0→0, 1→1, 2→1, 3→3      links 0-0 1-1 1-2 3-3
// Both have 0-0 1-1. 1-2 and 2-1 are neighbours of 1-1 and bring a new word each. 3-3 is a diagonal neighbour of
// neither 1-2 nor 2-1 (2-2 is in no direction), and both its words are free.
TEST(SymmetriseTest, EveryHeuristicOnACaseByHand) {
  const DirectionalAlignment source = {0, 1, 1, kUnaligned};
  const DirectionalAlignment target = {0, 1, 1, 3};
  EXPECT_EQ(Links(source, target, "intersect"), "0-0 1-1");
  EXPECT_EQ(Links(source, target, "union"), "0-0 1-1 1-2 2-1 3-3");
  EXPECT_EQ(Links(source, target, "grow-diag"), "0-0 1-1 1-2 2-1");
  EXPECT_EQ(Links(source, target, "grow-diag-final"), "0-0 1-1 1-2 2-1 3-3");
  EXPECT_EQ(Links(source, target, "grow-diag-final-and"), "0-0 1-1 1-2 2-1 3-3");
}

// 0-0 is common. 3-0 (chosen by source word 3) and 0-3 (by target word 3) are no neighbours of it, and one of their
// words has a link: only the plain final step takes them.
TEST(SymmetriseTest, FinalTakesLinksWithOneFreeWordFinalAndDoesNot) {
  const DirectionalAlignment source = {0, kUnaligned, kUnaligned, 0};
  const DirectionalAlignment target = {0, kUnaligned, kUnaligned, 0};
  EXPECT_EQ(Links(source, target, "grow-diag"), "0-0");
  EXPECT_EQ(Links(source, target, "grow-diag-final-and"), "0-0");
  EXPECT_EQ(Links(source, target, "grow-diag-final"), "0-0 0-3 3-0");
}

// Two links that both have free words compete for source word 2: the one a target word chose (2-4) comes first,
// although 2-2, which the source word chose, is before it in every order of positions.
TEST(SymmetriseTest, FinalPrefersLinksChosenByTargetWords) {
  const DirectionalAlignment source = {0, kUnaligned, 2, kUnaligned, kUnaligned};
  const DirectionalAlignment target = {0, kUnaligned, kUnaligned, kUnaligned, 2};
  EXPECT_EQ(Links(source, target, "grow-diag"), "0-0");
  EXPECT_EQ(Links(source, target, "grow-diag-final-and"), "0-0 2-4");
  EXPECT_EQ(Links(source, target, "grow-diag-final"), "0-0 2-2 2-4");
}

// Growth goes on from links it has added: 1-1 through the diagonal, then 2-2.
TEST(SymmetriseTest, GrowthIsTransitiveAndDiagonal) {
  EXPECT_EQ(Links({0, 1, 2}, {0, kUnaligned, kUnaligned}, "grow-diag"), "0-0 1-1 2-2");
  EXPECT_EQ(Links({kUnaligned, kUnaligned, 2}, {kUnaligned, 1, 2}, "grow-diag"), "1-1 2-2");
}

TEST(SymmetriseTest, NothingInCommonGrowsNothing) {
  EXPECT_EQ(Links({1, kUnaligned}, {kUnaligned, kUnaligned}, "grow-diag"), "");
  EXPECT_EQ(Links({1, kUnaligned}, {kUnaligned, kUnaligned}, "grow-diag-final-and"), "0-1");
  EXPECT_EQ(Links({}, {}, "union"), "");
}

// symal's own form, with sets of points and iterators that see what is inserted behind them.
std::string BySets(const DirectionalAlignment& source, const DirectionalAlignment& target, bool grow, bool final,
                   bool both) {
  using Point = std::pair<int, int>;  // target, source
  std::set<Point> by_target;
  std::set<Point> by_source;
  for (size_t t = 0; t < target.size(); ++t)
    if (target[t] >= 0) by_target.insert({static_cast<int>(t), target[t]});
  for (size_t s = 0; s < source.size(); ++s)
    if (source[s] >= 0) by_source.insert({source[s], static_cast<int>(s)});
  std::set<Point> all = by_target;
  all.insert(by_source.begin(), by_source.end());
  std::set<Point> current;
  for (const Point& point : by_target)
    if (by_source.count(point) != 0) current.insert(point);
  const auto target_free = [&](int t) {
    for (const Point& point : current)
      if (point.first == t) return false;
    return true;
  };
  const auto source_free = [&](int s) {
    for (const Point& point : current)
      if (point.second == s) return false;
    return true;
  };
  bool added = grow;
  while (added) {
    added = false;
    for (auto k = current.begin(); k != current.end(); ++k) {
      const std::vector<Point> neighbours = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
      for (const Point& step : neighbours) {
        const Point point = {k->first + step.first, k->second + step.second};
        if (all.count(point) == 0 || (!target_free(point.first) && !source_free(point.second))) continue;
        added = current.insert(point).second || added;
      }
    }
  }
  for (const std::set<Point>* direction : {&by_target, &by_source}) {
    for (const Point& point : *direction) {
      const bool free_target = target_free(point.first);
      const bool free_source = source_free(point.second);
      if (final && (both ? free_target && free_source : free_target || free_source)) current.insert(point);
    }
  }
  std::vector<WordLink> links;
  for (const Point& point : current)
    links.push_back({static_cast<uint16_t>(point.second), static_cast<uint16_t>(point.first)});
  std::sort(links.begin(), links.end());
  return Text(links);
}

TEST(SymmetriseTest, EqualsTheSetFormOnRandomAlignments) {
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    const int sources = 1 + static_cast<int>(random() % 8);
    const int targets = 1 + static_cast<int>(random() % 8);
    DirectionalAlignment source(sources);
    DirectionalAlignment target(targets);
    for (int s = 0; s < sources; ++s) source[s] = static_cast<int16_t>(static_cast<int>(random() % (targets + 1)) - 1);
    for (int t = 0; t < targets; ++t)
      target[t] = random() % 2 == 0 ? static_cast<int16_t>(std::min(t, sources - 1))
                                    : static_cast<int16_t>(static_cast<int>(random() % (sources + 1)) - 1);
    ASSERT_EQ(Links(source, target, "intersect"), BySets(source, target, false, false, false));
    ASSERT_EQ(Links(source, target, "grow-diag"), BySets(source, target, true, false, false));
    ASSERT_EQ(Links(source, target, "grow-diag-final"), BySets(source, target, true, true, false));
    ASSERT_EQ(Links(source, target, "grow-diag-final-and"), BySets(source, target, true, true, true));
  }
}

TEST(SymmetriseTest, UnknownNameIsAnErrorWithASuggestion) {
  try {
    ParseSymmetrisation("grow-diag-finaland");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean `grow-diag-final-and`?"));
  }
}

}  // namespace
}  // namespace graft::engine
