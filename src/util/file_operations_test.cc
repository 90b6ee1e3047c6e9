#include "util/file_operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graft/error.h"
#include "temporary_folder.h"
#include "util/size_limits.h"
#include "util/toml_file.h"

namespace graft::engine {
namespace {

using testing::HasSubstr;

std::string Failure(const std::function<void()>& use) {
  try {
    use();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ReadWholeFileTest, GivesTheBytesUpToALimit) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("file", std::string("a\0b\r\n", 5));
  EXPECT_EQ(ReadWholeFile(path), std::string("a\0b\r\n", 5));
  std::filesystem::resize_file(path, kMostWholeBytes);
  EXPECT_EQ(ReadWholeFile(path).size(), kMostWholeBytes);
  std::filesystem::resize_file(path, kMostWholeBytes + 1);
  EXPECT_THAT(Failure([&] { ReadWholeFile(path); }), HasSubstr("file: more than 16 MB, the most"));
  EXPECT_THAT(Failure([&] { ReadWholeFile("/nowhere/x"); }), HasSubstr("cannot open /nowhere/x: No such file"));
  EXPECT_EQ(ReadWholeFile(folder.Write("empty", "")), "");
}

TEST(ReadWholeFileTest, ConfigurationsEndToo) {
  EXPECT_THAT(Failure([] { ParseToml("/dev/zero"); }), HasSubstr("/dev/zero: more than 16 MB"));
}

}  // namespace
}  // namespace graft::engine
