#include "util/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "temporary_folder.h"
#include "util/shared_range.h"

namespace graft::engine {
namespace {

using Change = MappedFile::Change;

void WriteInPlace(const std::string& path, size_t at, char byte) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(byte);
}

void SetTime(const std::string& path, int64_t seconds) {
  const timespec times[2] = {{seconds, 0}, {seconds, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

TEST(MappedFileTest, TellsOfWritesButNotOfOtherFilesUnderItsName) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("file", std::string(10'000, 'x'));
  SetTime(path, 1'000'000);
  const MappedFile file(path);
  EXPECT_EQ(file.Changed(), Change::kNone);
  WriteInPlace(path, 5'000, 'y');
  EXPECT_EQ(file.Changed(), Change::kWritten);
  file.Accept(file.WrittenAt());
  EXPECT_EQ(file.Changed(), Change::kNone);
  std::filesystem::rename(folder.Write("other", "z"), path);
  EXPECT_EQ(file.Changed(), Change::kNone);
  EXPECT_EQ(file.bytes()[5'000], 'y');
}

TEST(MappedFileTest, AnotherSizeIsACut) {
  const TemporaryFolder folder;
  for (const size_t size : {0u, 9'999u, 10'001u}) {
    const std::string path = folder.Write("file", std::string(10'000, 'x'));
    MappedFile first(path);
    const MappedFile file = std::move(first);
    std::filesystem::resize_file(path, size);
    EXPECT_EQ(file.Changed(), Change::kCut);
    EXPECT_EQ(first.Changed(), Change::kNone) << "moved from";
  }
}

TEST(MappedFileTest, PagesThatAreGoneReadAsZeros) {
  SurviveCutFiles();
  const TemporaryFolder folder;
  const std::string path = folder.Write("file", std::string(1'000'000, 'x'));
  const std::string whole = folder.Write("whole", std::string(100'000, 'w'));
  const MappedFile file(path), other(whole);
  std::filesystem::resize_file(path, 0);
  std::vector<std::jthread> readers;
  for (size_t thread = 0; thread < 4; ++thread)
    readers.emplace_back([&, thread] {
      for (size_t i = thread; i < file.bytes().size(); i += 997) EXPECT_EQ(file.bytes()[i], 0);
    });
  readers.clear();
  std::ofstream(path, std::ios::binary) << std::string(1'000'000,
                                                       'x');  // whole again, but nobody can know what was read
  EXPECT_EQ(file.Changed(), Change::kCut);
  EXPECT_EQ(other.Changed(), Change::kNone);
  EXPECT_EQ(other.bytes()[99'999], 'w');
}

// What the handler of SIGBUS sees of a mapping while another thread maps and unmaps.
TEST(SharedRangeTest, BothEndsAreOfTheSameRange) {
  SharedRange shared;
  std::atomic<bool> done = false;
  std::thread changing([&] {
    for (uintptr_t k = 1; !done; ++k) shared.Set({k, 3 * k});
  });
  constexpr uintptr_t kEnough = 5'000'000;
  uint64_t torn = 0;
  for (uintptr_t last = 0; last < kEnough;) {
    const auto range = shared.Get();
    if (!range) continue;
    torn += range->end != 3 * range->begin;
    last = range->begin;
  }
  done = true;
  changing.join();
  EXPECT_EQ(torn, 0u);
  shared.Set({5, 7});
  EXPECT_EQ(shared.Get()->end, 7u);
}

}  // namespace
}  // namespace graft::engine
