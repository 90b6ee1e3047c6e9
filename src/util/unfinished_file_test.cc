#include "util/unfinished_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "graft/error.h"
#include "temporary_folder.h"
#include "util/files_aside.h"
#include "util/output_file.h"

namespace graft::engine {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

std::vector<std::string> Names(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

void Put(const UnfinishedFile& file, std::string_view text) {
  ASSERT_EQ(write(file.descriptor(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

TEST(UnfinishedFileTest, TakesItsNameWhenComplete) {
  TemporaryFolder folder;
  folder.Write("x", "old");
  {
    UnfinishedFile dropped(folder.File("x"));
    Put(dropped, "half");
    EXPECT_TRUE(IsUnfinished(fs::path(dropped.name()).filename().string()));
    dropped.Complete();
    EXPECT_EQ(folder.Read("x"), "old");
  }
  EXPECT_THAT(Names(folder.path()), UnorderedElementsAre("x"));
  UnfinishedFile file(folder.File("x"));
  Put(file, "new");
  file.Publish();
  EXPECT_EQ(folder.Read("x"), "new");
  EXPECT_THAT(Names(folder.path()), UnorderedElementsAre("x"));
}

TEST(UnfinishedFileTest, NeverTouchesAFileThatIsThere) {
  TemporaryFolder folder;
  std::string taken;
  {
    const UnfinishedFile file(folder.File("x"));
    taken = file.name();
  }
  // The next names in turn, as a killed run with this process number would have left them.
  const size_t dot = taken.find_last_of('.');
  const int number = std::stoi(taken.substr(dot + 1));
  for (int k = 1; k <= 3; ++k) std::ofstream(taken.substr(0, dot + 1) + std::to_string(number + k)) << "somebody's";
  UnfinishedFile file(folder.File("x"));
  Put(file, "ours");
  file.Publish();
  EXPECT_EQ(folder.Read("x"), "ours");
  for (const std::string& name : Names(folder.path()))
    EXPECT_EQ(folder.Read(name), name == "x" ? "ours" : "somebody's");
  RemoveUnfinished(folder.path(), Whose::kAnyProcess);
  EXPECT_THAT(Names(folder.path()), UnorderedElementsAre("x"));
}

TEST(UnfinishedFileTest, ALinkStaysOneAndADeviceIsRefused) {
  TemporaryFolder folder;
  folder.Write("real", "old");
  fs::create_symlink("real", folder.File("link"));
  UnfinishedFile file(folder.File("link"));
  Put(file, "new");
  file.Publish();
  EXPECT_TRUE(fs::is_symlink(folder.File("link")));
  EXPECT_EQ(folder.Read("real"), "new");
  try {
    const UnfinishedFile device("/dev/null");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("/dev/null: not a regular file"));
  }
}

TEST(UnfinishedFileTest, FilesThatBelongTogetherAllComeOrNone) {
  TemporaryFolder folder;
  folder.Write("a", "old a");
  const auto publish = [&](bool lose_last) {
    std::vector<UnfinishedFile> files;
    std::vector<UnfinishedFile*> all;
    files.reserve(3);
    for (const char* name : {"a", "b", "c"}) {
      all.push_back(&files.emplace_back(folder.File(name)));
      Put(files.back(), std::string("new ") + name);
    }
    if (lose_last) fs::remove(files.back().name());  // so that it cannot be renamed
    UnfinishedFile::PublishTogether(all);
  };
  EXPECT_THROW(publish(true), Error);
  EXPECT_THAT(Names(folder.path()), UnorderedElementsAre("a"));
  EXPECT_EQ(folder.Read("a"), "old a");
  publish(false);
  EXPECT_THAT(Names(folder.path()), UnorderedElementsAre("a", "b", "c"));
  EXPECT_EQ(folder.Read("a"), "new a");
  EXPECT_EQ(folder.Read("c"), "new c");
}

TEST(UnfinishedFileTest, OfOtherProcessesOnlyWhatHasEndedIsRemoved) {
  TemporaryFolder folder;
  const pid_t ended = fork();
  if (ended == 0) _exit(0);
  waitpid(ended, nullptr, 0);
  const std::string running = "lm.bin.tmp" + std::to_string(getppid()) + ".0";
  for (const std::string& name : {std::string("lm.bin"), running, "a.tmp" + std::to_string(ended) + ".3",
                                  "b.tmp" + std::to_string(getpid()), std::string("c.tmp99999999999999999999.1")})
    folder.Write(name, "");
  RemoveUnfinished(folder.path(), Whose::kEndedProcesses);
  EXPECT_THAT(Names(folder.path()), UnorderedElementsAre("lm.bin", running));
  RemoveUnfinished(folder.path(), Whose::kAnyProcess);
  EXPECT_THAT(Names(folder.path()), UnorderedElementsAre("lm.bin"));
  RemoveUnfinished(folder.File("nowhere"), Whose::kAnyProcess);
}

TEST(FilesAsideTest, WhatGaveWayComesBackOrGoes) {
  TemporaryFolder folder;
  for (const char* name : {"moved", "linked", "replaced", "kept"}) folder.Write(name, name);
  const auto set_aside = [&](bool drop) {
    FilesAside before;
    before.Move(folder.File("moved"));
    before.Link(folder.File("linked"));
    before.Link(folder.File("replaced"));
    before.MoveTo(folder.File("kept"), folder.File("kept.old"));
    before.Move(folder.File("nowhere"));
    EXPECT_FALSE(fs::exists(folder.File("moved")));
    EXPECT_EQ(folder.Read("linked"), "linked");
    fs::rename(folder.Write("new", "new"), folder.File("replaced"));
    for (const std::string& name : Names(folder.path()))
      EXPECT_TRUE(IsUnfinished(name) || name == "linked" || name == "replaced" || name == "kept.old") << name;
    if (drop) before.Drop();
  };
  set_aside(false);
  EXPECT_THAT(Names(folder.path()), UnorderedElementsAre("moved", "linked", "replaced", "kept"));
  for (const std::string& name : Names(folder.path())) EXPECT_EQ(folder.Read(name), name);
  set_aside(true);
  EXPECT_THAT(Names(folder.path()), UnorderedElementsAre("linked", "replaced", "kept.old"));
  EXPECT_EQ(folder.Read("replaced"), "new");
}

TEST(UnfinishedFileTest, OutputsThatBelongTogether) {
  TemporaryFolder folder;
  std::vector<OutputFile> files;
  files.emplace_back(folder.File("a"));
  files.emplace_back(folder.File("b.gz"));
  for (OutputFile& file : files) file.Write("text");
  OutputFile::CloseTogether(files);
  EXPECT_EQ(folder.Read("a"), "text");
  EXPECT_THAT(Names(folder.path()), UnorderedElementsAre("a", "b.gz"));
}

}  // namespace
}  // namespace graft::engine
