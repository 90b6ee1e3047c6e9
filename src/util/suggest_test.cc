#include "util/suggest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace graft::engine {
namespace {

const std::vector<std::string> kNames = {"beam", "pop_limit", "table_limit", "threshold"};

TEST(SuggestTest, FindsTheNameWithFewestEdits) {
  EXPECT_EQ(ClosestName("baem", kNames), "beam");
  EXPECT_EQ(ClosestName("BEAM", kNames), "beam");
  EXPECT_EQ(ClosestName("poplimit", kNames), "pop_limit");
  EXPECT_EQ(ClosestName("treshold", kNames), "threshold");
}

TEST(SuggestTest, DoesNotGuessFarAway) {
  EXPECT_EQ(ClosestName("stack", kNames), std::nullopt);
  EXPECT_EQ(ClosestName("", kNames), std::nullopt);
  EXPECT_EQ(ClosestName("beam", {}), std::nullopt);
}

TEST(SuggestTest, MessageNamesTheFix) {
  EXPECT_EQ(Suggestion("bem", kNames), "; did you mean `beam`?");
  EXPECT_EQ(Suggestion("stack", kNames), "; known are beam, pop_limit, table_limit, threshold");
}

}  // namespace
}  // namespace graft::engine
