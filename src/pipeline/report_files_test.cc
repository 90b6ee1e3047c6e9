#include "pipeline/report_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <regex>

#include "graft/error.h"
#include "temporary_folder.h"

namespace graft::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class ReportFilesTest : public testing::Test {
 protected:
  // Whether the text, with `from` replaced, is refused with the name of the file.
  void ExpectRefused(const std::string& text, const std::string& from, const std::string& to,
                     const std::function<void(const std::string&)>& read) {
    const size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    const std::string path = folder_.Write("changed.json", std::string(text).replace(at, from.size(), to));
    try {
      read(path);
      ADD_FAILURE() << from << " as " << to << " is taken";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("changed.json: is not what was written there")) << from << " as " << to;
    }
  }

  TemporaryFolder folder_;
  const std::string examples_ =
      R"([{"sentence": 4, "source": ["a", "b", "c"], "heads": [2, 0, 2], "reference": "x y"}])";
  const std::string derivations_ =
      R"([{"sentence": 4, "target": ["x", "y"], "alignment": [[0, 1], [2, 0]],
           "steps": [{"source": [0, 2], "target": [1]}], "derivation": "1."}])";
};

TEST_F(ReportFilesTest, GiveWhatIsInThem) {
  const auto examples = ReadReportExamples(folder_.Write("examples.json", examples_));
  ASSERT_EQ(examples.size(), 1u);
  EXPECT_EQ(examples[0].sentence, 4u);
  EXPECT_THAT(examples[0].source, ElementsAre("a", "b", "c"));
  EXPECT_THAT(examples[0].heads, ElementsAre(2, 0, 2));
  EXPECT_EQ(examples[0].reference, "x y");
  const auto derivations = ReadDerivations(folder_.Write("explain.json", derivations_), examples);
  ASSERT_EQ(derivations.size(), 1u);
  EXPECT_THAT(derivations[0].target, ElementsAre("x", "y"));
  EXPECT_THAT(derivations[0].alignment, ElementsAre(Pair(0, 1), Pair(2, 0)));
  EXPECT_THAT(derivations[0].parts[0].source, ElementsAre(0, 2));
  EXPECT_THAT(derivations[0].parts[0].target, ElementsAre(1));
  EXPECT_THAT(ReadSpeed(folder_.Write("speed.tsv", "words\tmilliseconds\n12\t0.250\n3\t1.000\n")),
              ElementsAre(Pair(12, 0.25), Pair(3, 1.0)));
}

TEST_F(ReportFilesTest, ExamplesFitTheirSentences) {
  const auto read = [](const std::string& path) { ReadReportExamples(path); };
  ExpectRefused(examples_, "2, 0, 2", "2, 0, 4", read);
  ExpectRefused(examples_, "2, 0, 2", "-1, 0, 2", read);
  ExpectRefused(examples_, "2, 0, 2", "2, 0", read);
  ExpectRefused(examples_, "2, 0, 2", "2, 0, 1.5", read);
  ExpectRefused(examples_, "2, 0, 2", "2, 0, \"x\"", read);
  ExpectRefused(examples_, ": 4", ": -4", read);
  ExpectRefused(examples_, ": 4", ": 18446744073709551615", read);
  ExpectRefused(examples_, "\"source\"", "\"sauce\"", read);
  ExpectRefused(examples_, "\"x y\"", "7", read);
  ExpectRefused(examples_, "[{", "{", read);
  ExpectRefused(examples_, examples_, "{\"sentence\": 1}", read);
}

TEST_F(ReportFilesTest, DerivationsFitTheirExamples) {
  const auto examples = ReadReportExamples(folder_.Write("examples.json", examples_));
  const auto read = [&](const std::string& path) { ReadDerivations(path, examples); };
  ExpectRefused(derivations_, "\"source\": [0, 2]", "\"source\": [0, 3]", read);
  ExpectRefused(derivations_, "\"source\": [0, 2]", "\"source\": [-1]", read);
  ExpectRefused(derivations_, "\"target\": [1]", "\"target\": [2]", read);
  ExpectRefused(derivations_, "\"target\": [1]", "\"target\": [99999999999]", read);
  ExpectRefused(derivations_, "[2, 0]", "[3, 0]", read);
  ExpectRefused(derivations_, "[2, 0]", "[2, 2]", read);
  ExpectRefused(derivations_, "[2, 0]", "[2]", read);
  ExpectRefused(derivations_, "[2, 0]", "2", read);
  ExpectRefused(derivations_, "\"steps\"", "\"stops\"", read);
  ExpectRefused(derivations_, derivations_, "[]", read);
  ExpectRefused(derivations_, "}]", "}, {}]", read);
}

TEST_F(ReportFilesTest, TimesAreNumbers) {
  const std::string speed = "words\tmilliseconds\n12\t0.250\n";
  for (const char* line :
       {"-1\t0.250", "12\t-1", "12\tnan", "12\tinf", "12\t1e300", "12", "12\t1\t1", "99999999999\t1", "x\t1"})
    ExpectRefused(speed, "12\t0.250", line, [](const std::string& path) { ReadSpeed(path); });
}

}  // namespace
}  // namespace graft::engine
