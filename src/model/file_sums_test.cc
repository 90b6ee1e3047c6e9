#include "model/file_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "graft/error.h"
#include "temporary_folder.h"

namespace graft::engine {
namespace {

TEST(FileSumsTest, TakingSumsOutGivesTheTextAgain) {
  for (const std::string text : {"format = 1\n\n[system]\nname = \"pbmt\"\n\n[weights]\nLM = 1\n",
                                 "format = 1\n[system]\n", "format = 1\n", ""}) {
    const std::string sealed = WithFiles(text, {{"lm.bin", 12, 34}});
    EXPECT_EQ(WithoutFiles(sealed), text);
    EXPECT_EQ(SumOfModelToml(sealed), SumOfModelToml(text));
    EXPECT_EQ(WithFiles(sealed, {{"lm.bin", 12, 34}}), sealed) << "sealing twice changes nothing";
    EXPECT_THAT(sealed, testing::HasSubstr("\"lm.bin\" = { bytes = 12, xxh3 = \"0000000000000022\" }\n"));
  }
  const std::string sealed = WithFiles("format = 1\n\n[system]\n", {});
  EXPECT_LT(sealed.find("[files]"), sealed.find("[system]")) << "a file that is cut short keeps its sums";
}

TEST(FileSumsTest, HeadersAreFoundAsTomlHasThem) {
  const std::string before = "format = 1\n", after = "  [system]\nname = \"pbmt\"\n\t[weights]\nLM = 1\n";
  for (const std::string header :
       {"[files]", "  [files]  # sums", "[ files ]", "\t[\tfiles ]", "[\"files\"]", "[ 'files' ]\r"})
    EXPECT_EQ(WithoutFiles(before + header + "\n\"lm.bin\" = { bytes = 1 }\n" + after), before + after) << header;
  EXPECT_EQ(WithoutFiles(before + after + "[files]"), before + after);
  for (const std::string other : {"[filess]", "[files2]", "[file]", "[[files]]", "[files.x]", "# [files]"})
    EXPECT_EQ(WithoutFiles(before + other + "\n" + after), before + other + "\n" + after);
  EXPECT_EQ(WithoutFiles(WithFiles(before + after, {{"lm.bin", 12, 34}})), before + after);
  EXPECT_NE(SumOfModelToml("[files]\n [weights]\nLM = 1\n"), SumOfModelToml("[files]\n [weights]\nLM = 2\n"));
}

class FileSumsFolderTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& bytes) { return folder_.Write(name, bytes); }
  std::string ErrorOf(const FileSum& sum) {
    try {
      CheckFile(folder_.path(), sum);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  TemporaryFolder folder_;
};

TEST_F(FileSumsFolderTest, AChangedFileIsNamedWithWhatToDo) {
  const FileSum sum = SumOf(Write("lm.bin", std::string(10'000, 'x')), "lm.bin");
  EXPECT_EQ(ErrorOf(sum), "");
  Write("lm.bin", std::string(9'999, 'x'));
  EXPECT_THAT(ErrorOf(sum), testing::AllOf(testing::HasSubstr("lm.bin: cut short: it has 9999 bytes, but 10000"),
                                           testing::HasSubstr("graft model seal")));
  Write("lm.bin", std::string(9'999, 'x') + "y");
  EXPECT_THAT(ErrorOf(sum), testing::HasSubstr("lm.bin: damaged or changed"));
  std::filesystem::remove(folder_.File("lm.bin"));
  EXPECT_THAT(ErrorOf(sum), testing::HasSubstr("lm.bin: is missing"));
  EXPECT_EQ(ErrorOf(SumOf(Write("empty", ""), "empty")), "");
}

TEST_F(FileSumsFolderTest, OfATableTheFirstPageIsSummed) {
  std::string table(10'000, 't');
  const FileSum sum = SumOf(Write("rules.graft", table), "rules.graft");
  table[5'000] = 'u';
  EXPECT_EQ(SumOf(Write("rules.graft", table), "rules.graft"), sum) << "blocks are checked when they are touched";
  table[4'000] = 'u';
  EXPECT_NE(SumOf(Write("rules.graft", table), "rules.graft"), sum);
}

}  // namespace
}  // namespace graft::engine
