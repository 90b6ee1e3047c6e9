#include "util/system_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "graft/error.h"
#include "temporary_folder.h"
#include "util/file_operations.h"

namespace graft::engine {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

template <class Work>
std::string TextOf(Work work) {
  try {
    work();
  } catch (const std::exception& failure) {
    return FailureText(failure);
  }
  return "no error";
}

TEST(SystemErrorTest, EveryKindOfExceptionIsPutInWords) {
  EXPECT_EQ(TextOf([] { throw Error("a:3: bad; mend it"); }), "a:3: bad; mend it");
  EXPECT_THAT(TextOf([] { throw std::bad_alloc(); }), AllOf(HasSubstr("not enough memory"), HasSubstr("-S"),
                                                            HasSubstr("were in use"), Not(HasSubstr("std::"))));
  EXPECT_THAT(TextOf([] { std::vector<char>().reserve(SIZE_MAX); }), HasSubstr("too large for this machine"));
  EXPECT_THAT(TextOf([] { static_cast<void>(std::filesystem::file_size("/nowhere/x")); }),
              AllOf(HasSubstr("/nowhere/x: No such file"), Not(HasSubstr("filesystem error"))));
  EXPECT_THAT(TextOf([] { throw std::system_error(EMFILE, std::generic_category()); }), HasSubstr("ulimit -n"));
  EXPECT_THAT(TextOf([] { throw std::logic_error("odd"); }), AllOf(HasSubstr("odd"), HasSubstr("report")));
}

TEST(SystemErrorTest, ReasonsSayWhatToDo) {
  EXPECT_EQ(SystemReason(ENOSPC), "No space left on device; free some space, or write elsewhere");
  EXPECT_THAT(SystemReason(EROFS), HasSubstr("write elsewhere"));
  EXPECT_EQ(SystemReason(ENOENT), "No such file or directory");
  EXPECT_THAT(MemoryReason(uint64_t{5} << 30), HasSubstr("for another 5"));
}

TEST(SystemErrorTest, FileOperationsNameBothFiles) {
  TemporaryFolder folder;
  const std::string from = folder.Write("from", "text");
  CopyFile(from, folder.File("to"));
  EXPECT_EQ(folder.Read("to"), "text");
  LinkOrCopy(from, folder.File("to"));
  EXPECT_TRUE(std::filesystem::equivalent(from, folder.File("to")));
  EXPECT_THAT(TextOf([&] { CopyFile(from, from + "/x"); }), AllOf(HasSubstr(from + "/x"), HasSubstr("no folder")));
  EXPECT_THAT(TextOf([&] { CopyFile(folder.File("none"), from); }), HasSubstr("none: No such file"));
  EXPECT_EQ(folder.Read("from"), "text");
  EXPECT_THAT(TextOf([&] { MakeFolder(from + "/x"); }), HasSubstr("cannot make the folder " + from + "/x"));
  EXPECT_THAT(TextOf([&] { RenameFile(folder.File("none"), from); }), HasSubstr("cannot rename"));
  RemoveFile(folder.File("none"));
  if (std::filesystem::exists("/dev/full")) {
    EXPECT_THAT(TextOf([&] { CopyFile(from, "/dev/full"); }), HasSubstr("to /dev/full: No space left on device; free"));
  }
}

}  // namespace
}  // namespace graft::engine
