#include "util/memory_size.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "graft/error.h"

namespace graft::engine {
namespace {

TEST(MemorySizeTest, Sizes) {
  EXPECT_EQ(ParseMemorySize("4096"), 4096);
  EXPECT_EQ(ParseMemorySize("3K"), 3 * 1024);
  EXPECT_EQ(ParseMemorySize("64M"), 64 * 1024 * 1024);
  EXPECT_EQ(ParseMemorySize("4G"), uint64_t{4} << 30);
  EXPECT_EQ(ParseMemorySize("2T"), uint64_t{2} << 40);
}

TEST(MemorySizeTest, SharesOfTheMachine) {
  const auto installed = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  EXPECT_LE(ParseMemorySize("100%"), installed);
  EXPECT_GT(ParseMemorySize("100%"), 0);
  EXPECT_NEAR(static_cast<double>(ParseMemorySize("50%")), static_cast<double>(ParseMemorySize("100%")) / 2, 1);
}

TEST(MemorySizeTest, EverythingElseIsAnError) {
  for (const char* text : {"", "G", "4GB", "4 G", "-1", "1.5G", "0", "101%", "%", "4X", "99999999999T", "1KM",
                           "999999999999999999999", " 4G"})
    EXPECT_THROW(ParseMemorySize(text), Error) << text;
}

}  // namespace
}  // namespace graft::engine
