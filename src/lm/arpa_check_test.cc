#include "lm/arpa_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "graft/error.h"
#include "lm/language_model.h"
#include "temporary_folder.h"

namespace graft::engine {
namespace {

constexpr std::string_view kArpa =
    "\\data\\\nngram 1=4\nngram 2=1\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\t-0.3\n-0.9\t</s>\n-0.8\ta\t-0.2\n\n"
    "\\2-grams:\n-0.4\t<s> a\n\n\\end\\\n";

template <class Use>
std::string ErrorOfCall(Use use) {
  try {
    use();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string ErrorOf(const std::string& path) {
  return ErrorOfCall([&] { LanguageModel::Load(path); });
}

std::string Replaced(std::string_view what, std::string_view by) {
  std::string text(kArpa);
  text.replace(text.find(what), what.size(), by);
  return text;
}

// KenLM reserved memory for what the header says; 2^64 - 1 made its sums overflow and the program crash.
TEST(ArpaCheck, MoreNGramsThanLinesAreAnError) {
  const TemporaryFolder folder;
  for (const char* count :
       {"100", "4000000000", "9223372036854775807", "18446744073709551615", "99999999999999999999"}) {
    const std::string first = folder.Write("lm.arpa", Replaced("ngram 1=4", std::string("ngram 1=") + count));
    EXPECT_TRUE(ErrorOf(first).starts_with(first + ":2: ")) << ErrorOf(first);
    const std::string second = folder.Write("lm.arpa", Replaced("ngram 2=1", std::string("ngram 2= ") + count));
    EXPECT_TRUE(ErrorOf(second).starts_with(second + ":3: ")) << ErrorOf(second);
  }
  EXPECT_EQ(ErrorOf(folder.Write("lm.arpa", std::string(kArpa))), "");
  EXPECT_NE(ErrorOf(folder.Write("lm.arpa", "")), "");
}

// KenLM skips what is before the header, and takes signs and tabs; -1 is 2^64 - 1 to it.
TEST(ArpaCheck, CountsAreFoundWhereverKenlmFindsThem) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& text) {
    std::string what = ErrorOf(folder.Write("lm.arpa", text));
    return what.substr(std::min(what.size(), folder.File("lm.arpa").size()));
  };
  for (const char* count : {"-1", "-2", "+18446744073709551615", "+1", "1x", "\v1", "", " ", "0x1"})
    EXPECT_TRUE(error(Replaced("ngram 2=1", std::string("ngram 2=") + count)).starts_with(":3: expected `ngram ORDER="))
        << count << error(Replaced("ngram 2=1", std::string("ngram 2=") + count));
  EXPECT_TRUE(error(Replaced("ngram 2=1", "ngram 2=\t18446744073709551615")).starts_with(":3: 1844"));
  EXPECT_TRUE(error(Replaced("ngram 2=1", "ngram +2=1")).starts_with(":3: "));
  EXPECT_TRUE(error(Replaced("ngram 2=1", "count 2=1")).starts_with(":3: "));
  for (const char* before : {" \n", "\n", "\t\r\n", "\v\f\n", "# made by hand\n"}) {
    EXPECT_TRUE(error(before + Replaced("ngram 1=4", "ngram 1=18446744073709551615")).starts_with(":3: 1844"))
        << before;
    EXPECT_EQ(error(std::string(before) + std::string(kArpa)), "");
  }
  EXPECT_TRUE(error(Replaced("\\data\\\nngram 1=4", "\\data\\\r\nngram 1=400")).starts_with(":2: 400"));
  EXPECT_EQ(error(Replaced("ngram 1=4\nngram 2=1", "ngram  1= 4\r\nngram  2=\t1 ")), "");
}

// What KenLM makes of any weight must be what the check of its binaries takes.
TEST(ArpaCheck, WeightsOutOfRangeAreErrorsOfTheFileInEitherForm) {
  const TemporaryFolder folder;
  const auto errors = [&](const std::string& text) {
    const std::string path = folder.Write("lm.arpa", text), binary = folder.File("lm.bin");
    std::filesystem::remove(binary);
    const std::string loaded = ErrorOf(path);
    const std::string written = ErrorOfCall([&] { LanguageModel::WriteBinary(path, binary); });
    EXPECT_EQ(loaded, written);
    EXPECT_EQ(std::filesystem::exists(binary), loaded.empty());
    EXPECT_EQ(loaded.empty() ? ErrorOf(binary) : "", "");
    return loaded.substr(std::min(loaded.size(), path.size()));
  };
  for (const char* weight : {"-inf", "-1e7", "-INF", "-1e999", "nan"})
    EXPECT_THAT(errors(Replaced("-0.9", weight)), testing::StartsWith(":8: the probability " + std::string(weight)));
  EXPECT_THAT(errors(Replaced("-0.4", "-inf")), testing::HasSubstr("write -99"));
  for (const char* weight : {"1e9", "-1e9", "inf", "-inf", "+1e6"})
    EXPECT_THAT(errors(Replaced("\t-0.2", "\t" + std::string(weight))),
                testing::StartsWith(":9: the back-off " + std::string(weight)));
  for (const char* weight : {"0", "0.5", "+0.5", "1e9", "-1e-400", "-.5", "-99999", "-1E+01"})
    EXPECT_EQ(errors(Replaced("-0.9", weight)), "") << weight;
  EXPECT_EQ(errors(Replaced("\t<s> a", " <s>\ta\t0\r")), "");
  std::string numbers = Replaced("-0.8\ta", "-0.8\t1e9");  // a word like others
  numbers.replace(numbers.find("<s> a") + 4, 1, "1e9");
  EXPECT_EQ(errors(numbers), "");
}

// KenLM reads a file of tokens, which may lie on other lines than those that were looked at.
TEST(ArpaCheck, AnNGramIsALine) {
  const TemporaryFolder folder;
  for (const std::string& text :
       {Replaced("<s> a", "<s>\na"), Replaced("-0.4\t", "-0.4\n"), Replaced("a\t-0.2", "a b\t-0.2"),
        Replaced("-0.8\t", "\t"), Replaced("-0.8", "-0.8x"), Replaced("a\t-0.2", "a\t-0.2 ")}) {
    const std::string error = ErrorOf(folder.Write("lm.arpa", text));
    EXPECT_THAT(error, testing::HasSubstr(": expected the logarithm of a probability")) << text;
  }
}

}  // namespace
}  // namespace graft::engine
