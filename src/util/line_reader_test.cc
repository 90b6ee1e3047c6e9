#include "util/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "graft/error.h"
#include "temporary_folder.h"
#include "util/output_file.h"
#include "util/size_limits.h"

namespace graft::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LineReaderTest : public testing::Test {
 protected:
  std::vector<std::string> Lines(const std::string& path) {
    Reporter reporter;
    reporter.warn = [&](std::string_view message) { warnings_.emplace_back(message); };
    LineReader reader(path, reporter);
    std::vector<std::string> lines;
    while (reader.Next()) {
      lines.emplace_back(reader.line());
      EXPECT_EQ(reader.line_number(), lines.size());
    }
    EXPECT_FALSE(reader.Next()) << "the end stays the end";
    return lines;
  }
  std::vector<std::string> LinesOf(const std::string& text) { return Lines(folder_.Write("text", text)); }

  std::string Failure(const std::string& path) {
    try {
      Lines(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  void WriteCompressed(const std::string& name, const std::string& text) {
    OutputFile file(folder_.File(name));
    file.Write(text);
    file.Close();
  }

  TemporaryFolder folder_;
  std::vector<std::string> warnings_;
};

TEST_F(LineReaderTest, LinesEndAtLineFeeds) {
  EXPECT_THAT(LinesOf("a b\n\n c\t\n"), ElementsAre("a b", "", " c\t"));
  EXPECT_THAT(LinesOf("a\nb"), ElementsAre("a", "b"));
  EXPECT_THAT(LinesOf("a\xE2\x80\xA8z\x0B\x0C\n"), ElementsAre("a\xE2\x80\xA8z\x0B\x0C")) << "at nothing else";
  EXPECT_THAT(LinesOf(""), IsEmpty());
  EXPECT_THAT(LinesOf("\n"), ElementsAre(""));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(LineReaderTest, CarriageReturnsAreRemovedWithOneWarning) {
  EXPECT_THAT(LinesOf("a\nb\r\nc\rd\r\ne\r"), ElementsAre("a", "b", "c\rd", "e"));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("text:2: the line ends in CR LF")));
}

TEST_F(LineReaderTest, TheByteOrderMarkIsRemovedWithAWarning) {
  EXPECT_THAT(LinesOf("\xEF\xBB\xBFwort\n\xEF\xBB\xBFx\n"), ElementsAre("wort", "\xEF\xBB\xBFx"));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("text:1: the byte-order mark is removed")));
  EXPECT_THAT(LinesOf("\xEF\xBB\xBF"), IsEmpty());
  EXPECT_THAT(LinesOf("\xEF\xBB\xBF\n"), ElementsAre(""));
}

TEST_F(LineReaderTest, LinesLongerThanTheBuffer) {
  const std::string longest(3'000'000, 'x');
  EXPECT_THAT(LinesOf("a\n" + longest + "\nb\n" + longest), ElementsAre("a", longest, "b", longest));
}

TEST_F(LineReaderTest, ManyLinesAcrossBufferBorders) {
  std::string text;
  std::vector<std::string> expected;
  for (int i = 0; i < 40'000; ++i) {
    expected.push_back(std::string(i % 37, 'a') + std::to_string(i));
    text += expected.back() + "\n";
  }
  EXPECT_EQ(LinesOf(text), expected);
  for (const char* name : {"x.gz", "x.zst", "x.xz"}) {
    WriteCompressed(name, text);
    EXPECT_NE(folder_.Read(name), text);
    EXPECT_EQ(Lines(folder_.File(name)), expected) << name;
  }
}

TEST_F(LineReaderTest, LinesHaveALimit) {
  const std::string path = folder_.Write("text", "a\n");
  std::filesystem::resize_file(path, 2 + kMostLineBytes);  // zeros
  LineReader reader(path, {});
  EXPECT_TRUE(reader.Next() && reader.Next());
  EXPECT_EQ(reader.line().size(), kMostLineBytes);
  std::filesystem::resize_file(path, 3 + kMostLineBytes);
  EXPECT_THAT(Failure(path), HasSubstr("text:2: more than 64 MB without a line end"));
  std::ofstream(path, std::ios::app) << "\nb\n";
  EXPECT_THAT(Failure(path), HasSubstr("text:2: more than 64 MB without a line end"));
  EXPECT_THAT(Failure("/dev/zero"), HasSubstr("/dev/zero:1: more than 64 MB"));
  OutputFile packed(folder_.File("x.zst"));
  const std::string piece(1'000'000, 'x');
  for (int i = 0; i < 65; ++i) packed.Write(piece);
  packed.Close();
  EXPECT_THAT(Failure(folder_.File("x.zst")), HasSubstr("x.zst:1: more than 64 MB"));
}

TEST_F(LineReaderTest, MembersThatFollowEachOtherAreOneText) {
  for (const char* name : {"x.gz", "x.zst", "x.xz"}) {
    WriteCompressed(name, "a\nb");
    const std::string first = folder_.Read(name);
    WriteCompressed(name, "c\nd\n");
    folder_.Write(name, first + folder_.Read(name));
    EXPECT_THAT(Lines(folder_.File(name)), ElementsAre("a", "bc", "d")) << name;
  }
}

TEST_F(LineReaderTest, TruncatedCompressedFilesAreErrors) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += std::to_string(i * 7919 % 10'007) + "\n";
  for (const char* name : {"x.gz", "x.zst", "x.xz"}) {
    WriteCompressed(name, text);
    const std::string whole = folder_.Read(name);
    for (size_t size : {size_t{0}, size_t{1}, size_t{5}, whole.size() / 2, whole.size() - 1}) {
      folder_.Write(name, whole.substr(0, size));
      EXPECT_THAT(Failure(folder_.File(name)), HasSubstr(std::string(name) + ": the compressed data ends too early"))
          << size << " of " << whole.size();
    }
    std::string damaged = whole;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
    folder_.Write(name, damaged);
    EXPECT_THAT(Failure(folder_.File(name)), HasSubstr(std::string(name) + ":"));
    folder_.Write(name, "just text, long enough to be one\n");
    EXPECT_THAT(Failure(folder_.File(name)), HasSubstr("not valid"));
  }
}

TEST_F(LineReaderTest, InvalidUtf8NamesFileAndLine) {
  EXPECT_THAT(Failure(folder_.Write("text",
                                    "gut\nschl\xE4"
                                    "cht\n")),
              HasSubstr("text:2: invalid UTF-8"));
}

TEST_F(LineReaderTest, InvalidUtf8CanBeCollected) {
  LineReader reader(folder_.Write("text", "\xFF\ngut\n\xC3\n"), {});
  std::vector<uint64_t> invalid;
  reader.set_on_invalid([&](uint64_t line) { invalid.push_back(line); });
  while (reader.Next()) {
  }
  EXPECT_THAT(invalid, ElementsAre(1, 3));
}

TEST_F(LineReaderTest, FilesThatCannotBeRead) {
  EXPECT_EQ(Failure("/nowhere/train.de"), "cannot open /nowhere/train.de: No such file or directory");
  EXPECT_EQ(Failure("/nowhere/train.gz"), "cannot open /nowhere/train.gz: No such file or directory");
  EXPECT_EQ(Failure(folder_.path()), "cannot open " + folder_.path() + ": Is a directory");
  if (geteuid() != 0) {
    const std::string secret = folder_.Write("secret", "x");
    std::filesystem::permissions(secret, std::filesystem::perms::none);
    EXPECT_EQ(Failure(secret), "cannot open " + secret + ": Permission denied");
  }
}

TEST_F(LineReaderTest, FailNamesTheLine) {
  LineReader reader(folder_.Write("text", "a\nb\n"), {});
  reader.Next();
  reader.Next();
  try {
    reader.Fail("too odd");
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), folder_.File("text") + ":2: too odd");
  }
}

TEST_F(LineReaderTest, LooksAheadWithoutGoingThere) {
  const std::string wide(300'000, 'w');
  LineReader reader(folder_.Write("text", "a\n\n" + wide + "\n" + wide + "2\nlast"), {});
  EXPECT_EQ(reader.Ahead(0), "a");
  EXPECT_EQ(reader.Ahead(3), wide + "2");
  EXPECT_EQ(reader.Ahead(4), "last");
  EXPECT_EQ(reader.Ahead(5), "");
  EXPECT_EQ(reader.Ahead(1), "");
  std::vector<size_t> lengths;
  while (reader.Next()) {
    lengths.push_back(reader.line().size());
    reader.Ahead(2);
  }
  EXPECT_THAT(lengths, ElementsAre(1, 0, 300'000, 300'001, 4));
  EXPECT_EQ(reader.Ahead(0), "");
}

}  // namespace
}  // namespace graft::engine
