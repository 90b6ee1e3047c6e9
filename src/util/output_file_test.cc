#include "util/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "graft/error.h"
#include "temporary_folder.h"
#include "util/line_reader.h"

namespace graft::engine {
namespace {

namespace fs = std::filesystem;

int FilesIn(const std::string& folder) {
  return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(OutputFileTest, AppearsOnlyWhenClosed) {
  TemporaryFolder folder;
  folder.Write("out", "old");
  OutputFile file(folder.File("out"));
  file.Write("new ");
  file.Write(std::string(1'000'000, 'x'));
  file.Flush();
  EXPECT_EQ(folder.Read("out"), "old");
  file.Close();
  EXPECT_EQ(folder.Read("out"), "new " + std::string(1'000'000, 'x'));
  EXPECT_EQ(FilesIn(folder.path()), 1);
}

TEST(OutputFileTest, WithoutCloseNothingIsLeft) {
  TemporaryFolder folder;
  {
    OutputFile file(folder.File("out"));
    file.Write("half");
    file.Flush();
    EXPECT_EQ(FilesIn(folder.path()), 1);
  }
  EXPECT_EQ(FilesIn(folder.path()), 0);
}

TEST(OutputFileTest, EmptyFiles) {
  TemporaryFolder folder;
  for (const char* name : {"out", "out.gz", "out.zst", "out.xz"}) {
    OutputFile file(folder.File(name));
    file.Close();
    LineReader reader(folder.File(name), {});
    EXPECT_FALSE(reader.Next()) << name;
  }
}

TEST(OutputFileTest, FlushMakesCompressedTextReadable) {
  TemporaryFolder folder;
  for (const char* name : {"out.gz", "out.zst", "out.xz"}) {
    OutputFile file(folder.File(name));
    file.Write("first\n");
    file.Flush();
    file.Write("second\n");
    file.Close();
    LineReader reader(folder.File(name), {});
    ASSERT_TRUE(reader.Next()) << name;
    EXPECT_EQ(reader.line(), "first");
    ASSERT_TRUE(reader.Next()) << name;
    EXPECT_EQ(reader.line(), "second");
    EXPECT_FALSE(reader.Next());
  }
}

TEST(OutputFileTest, SymbolicLinksStayLinks) {
  TemporaryFolder folder;
  folder.Write("real", "old");
  fs::create_symlink(folder.File("real"), folder.File("link"));
  OutputFile file(folder.File("link"));
  file.Write("new");
  file.Close();
  EXPECT_TRUE(fs::is_symlink(folder.File("link")));
  EXPECT_EQ(folder.Read("real"), "new");
}

TEST(OutputFileTest, DevicesAreWrittenInPlace) {
  OutputFile file("/dev/null");
  file.Write("x");
  file.Close();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(OutputFileTest, WhatCannotBeWrittenIsAnError) {
  TemporaryFolder folder;
  const auto failure = [](const std::string& path) -> std::string {
    try {
      OutputFile file(path);
      file.Write(std::string(1'000'000, 'x'));
      file.Close();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(failure(folder.File("no/out")), "cannot write " + folder.File("no/out") + ": No such file or directory");
  EXPECT_EQ(failure(folder.path()), "cannot write " + folder.path() + ": Is a directory");
  if (fs::exists("/dev/full")) {
    EXPECT_EQ(failure("/dev/full"),
              "cannot write /dev/full: No space left on device; free some space, or write elsewhere");
  }
}

}  // namespace
}  // namespace graft::engine
