#include "pipeline/prepare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graft/error.h"
#include "temporary_folder.h"
#include "util/line_reader.h"

namespace graft::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class PrepareTest : public testing::Test {
 protected:
  std::string Put(const std::string& name, const std::string& text) { return folder_.Write(name, text); }
  std::string Path(const std::string& name) const { return folder_.File(name); }
  std::vector<std::string> Lines(const std::string& path) const {
    std::vector<std::string> lines;
    LineReader reader(path, {});
    while (reader.Next()) lines.emplace_back(reader.line());
    return lines;
  }
  std::string Failure(const TextPart& part, const std::string& align = "") {
    try {
      PrepareTexts({part, align, {}}, TextProcessor({}), {Path("s"), {Path("t")}, Path("a")}, "corpus", {});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  TemporaryFolder folder_;
};

TEST_F(PrepareTest, SkipsLimitsAndLowercases) {
  const TextPart part{Put("in.de", "A\nB  b\nC\nD\n"), {Put("in.en", "a\nX\nY\n\n")}, 1, 2};
  const PreparedTotals totals =
      PrepareTexts({part, Put("links", "0-0\n0-0 1-0\n\n0-0\n"), {}}, TextProcessor({.lowercase = true}),
                   {Path("s.zst"), {Path("t")}, Path("a")}, "corpus", {});
  EXPECT_EQ(totals.pairs, 2U);
  EXPECT_EQ(totals.source_words, 3U);
  EXPECT_EQ(totals.unusable, 0U);
  EXPECT_THAT(Lines(Path("s.zst")), ElementsAre("b b", "c"));
  EXPECT_THAT(Lines(Path("t")), ElementsAre("x", "y"));
  EXPECT_THAT(Lines(Path("a")), ElementsAre("0-0 1-0", ""));
}

TEST_F(PrepareTest, TreesComeBackAsTheyWereRead) {
  const std::string source = Put("in.conllu",
                                 "1-2\tIm\t_\t_\t_\t_\t_\t_\t_\t_\n1\tin\t_\tADP\tAPPR\t_\t3\tcase\t_\t_\n"
                                 "2\tdem\t_\tDET\tART\t_\t3\tdet\t_\t_\n3\tHaus\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
                                 "# text =\n\n1\ta b\t_\tX\tX\t_\t0\troot\t_\t_\n\n");
  const TextPart part{source, {Put("in.en", "x\n\ny\n")}};
  const PreparedTotals totals =
      PrepareTexts({part, "", {}}, TextProcessor({}), {Path("s.conllu"), {Path("t")}, ""}, "corpus", {});
  EXPECT_EQ(totals.pairs, 3U);
  EXPECT_EQ(totals.unusable, 1U);
  SourceReader before(source, SourceFormat::kConllu, {}, {});
  SourceReader after(Path("s.conllu"), SourceFormat::kConllu, kPreparedSource, {});
  Sentence one;
  Sentence other;
  while (before.Next(&one)) {
    ASSERT_TRUE(after.Next(&other));
    EXPECT_EQ(one.tokens, other.tokens);
    EXPECT_EQ(one.tags, other.tags);
    EXPECT_EQ(one.heads, other.heads);
    EXPECT_EQ(one.relations, other.relations);
  }
  EXPECT_FALSE(after.Next(&other));
}

TEST_F(PrepareTest, SaysWhatIsWrongAndWhere) {
  const std::string source = Put("in.de", "a\nb\n");
  EXPECT_THAT(Failure({source, {Put("short.en", "x\n")}}), HasSubstr("short.en:2: the files do not run in step"));
  EXPECT_THAT(Failure({source, {Put("long.en", "x\ny\nz\n")}}), HasSubstr("in.de:3: the files do not run in step"));
  EXPECT_EQ(Failure({source, {Put("long.en", "x\ny\nz\n")}, 0, 2}), "no error")
      << "beyond the limit nothing is compared";
  EXPECT_THAT(Failure({source, {Put("in.en", "x\ny\n")}}, Put("links", "0-0\n1-0\n")), HasSubstr("links:2: "));
  EXPECT_THAT(Failure({Put("none", ""), {Put("none.en", "")}}), HasSubstr("is empty"));
  EXPECT_THAT(Failure({source, {Put("in.en", "x\ny\n")}, 5}), HasSubstr("no sentences after the first 5"));
}

}  // namespace
}  // namespace graft::engine
