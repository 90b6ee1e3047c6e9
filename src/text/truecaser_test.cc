#include "text/truecaser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graft/error.h"
#include "temporary_folder.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> Tokens(const std::string& line) {
  const auto tokens = SplitTokens(line);
  return {tokens.begin(), tokens.end()};
}

std::string Joined(const std::vector<std::string>& tokens) {
  std::string line;
  for (const std::string& token : tokens) line += (line.empty() ? "" : " ") + token;
  return line;
}

Truecaser Learned(const std::vector<std::string>& lines) {
  Truecaser truecaser;
  for (const std::string& line : lines) truecaser.Count(Tokens(line));
  truecaser.Finish();
  return truecaser;
}

std::string Applied(const Truecaser& truecaser, const std::string& line) {
  std::vector<std::string> tokens = Tokens(line);
  truecaser.Apply(&tokens);
  return Joined(tokens);
}

std::string Undone(const std::string& line) {
  std::vector<std::string> tokens = Tokens(line);
  Truecaser::Undo(&tokens);
  return Joined(tokens);
}

const Truecaser& German() {
  static const Truecaser truecaser = Learned({
      "Ich sehe das Haus und die Frau Müller .",
      "Wir sehen , dass das Haus der EU gehört , so ist es .",
      "Hier kauft die Übung das iPhone , und das war es .",
      "Und über allem : Hunde bellen .",
      "Der Mann sah Öl auf dem Weg .",
  });
  return truecaser;
}

TEST(TruecaserTest, StartsTakeTheUsualForm) {
  EXPECT_EQ(Applied(German(), "Das Haus ist groß ."), "das Haus ist groß .");
  EXPECT_EQ(Applied(German(), "Haus und Frau"), "Haus und Frau");
  EXPECT_EQ(Applied(German(), "Über allem . Das ist es ! Und so ?"), "über allem . das ist es ! und so ?");
  EXPECT_EQ(Applied(German(), "Öl ist teuer ."), "Öl ist teuer .");
  EXPECT_EQ(Applied(German(), "haus und hof"), "Haus und hof");
}

TEST(TruecaserTest, MarksBeforeAWordAreNoWords) {
  EXPECT_EQ(Applied(German(), "„ Das Haus “ , sagte er ."), "„ das Haus “ , sagte er .");
  EXPECT_EQ(Applied(German(), "- ( Das ) Haus"), "- ( das ) Haus");
  EXPECT_EQ(Applied(German(), "3 Das Haus"), "3 Das Haus");
}

TEST(TruecaserTest, WordsElsewhereUnknownWordsAndAcronymsStay) {
  EXPECT_EQ(Applied(German(), "Ja , Das Und So"), "Ja , Das Und So");
  EXPECT_EQ(Applied(German(), "Zebras bellen ."), "Zebras bellen .");
  EXPECT_EQ(Applied(German(), "EU und DAS"), "EU und DAS");
  EXPECT_EQ(Applied(German(), "DAS Haus ist es"), "DAS Haus ist es");
  EXPECT_EQ(Applied(German(), "iPhone und Haus"), "iPhone und Haus");
}

TEST(TruecaserTest, CapitalsAtStartsAndAfterMarksAreNotCounted) {
  const Truecaser truecaser = Learned({"Gut ist gut .", "Gut . Gut . Gut : Gut ( Gut ) , so gut ."});
  EXPECT_EQ(Applied(truecaser, "Gut so"), "gut so");
  const Truecaser lower = Learned({"oben steht es ."});
  EXPECT_EQ(Applied(lower, "Oben"), "oben");
}

TEST(TruecaserTest, TiesGoToTheBytewiseSmallestForm) {
  EXPECT_EQ(Applied(Learned({"x Arm x arm"}), "arm"), "Arm");
  EXPECT_EQ(Applied(Learned({"x Arm x arm x arm"}), "Arm"), "arm");
}

TEST(TruecaserTest, Headlines) {
  const Truecaser truecaser =
      Learned({"so ist DAS HAUS da ja", "DAS HAUS IST WEG", "wir sehen das Haus und das ist es"});
  EXPECT_EQ(Applied(truecaser, "DAS HAUS IST BLAU !"), "das HAUS ist BLAU !");
  EXPECT_EQ(Applied(truecaser, "DAS HAUS"), "DAS HAUS");
}

TEST(TruecaserTest, UndoCapitalisesSentenceStarts) {
  EXPECT_EQ(Undone("the house is big . it is old ! is it ?"), "The house is big . It is old ! Is it ?");
  EXPECT_EQ(Undone("\" the house \" , he said ."), "\" The house \" , he said .");
  EXPECT_EQ(Undone("\" really ? \" he asked . \" yes . \" then he left ."),
            "\" Really ? \" he asked . \" Yes . \" Then he left .");
  EXPECT_EQ(Undone("3 dogs ran . 5 % is little"), "3 dogs ran . 5 % is little");
  EXPECT_EQ(Undone("iPhone sales rose"), "iPhone sales rose");
  EXPECT_EQ(Undone("www.a.org is down . jane@a.org too"), "www.a.org is down . jane@a.org too");
  EXPECT_EQ(Undone("- ( über uns )"), "- ( Über uns )");
  EXPECT_EQ(Undone("wait ... what"), "Wait ... what");
  EXPECT_EQ(Undone("ǆep ist da"), "ǅep ist da");
  EXPECT_EQ(Undone("ßig"), "Ssig");
  EXPECT_EQ(Undone("мир . дом"), "Мир . Дом");
  EXPECT_EQ(Undone("你好 。 abc"), "你好 。 Abc");
  EXPECT_EQ(Undone(""), "");
}

TEST(TruecaserTest, UndoRestoresWhatApplyChanged) {
  for (const char* line : {"Das Haus ist groß . Und es ist alt .", "„ Das ist es ! “", "Haus und Frau", "- Das Haus"}) {
    std::vector<std::string> tokens = Tokens(line);
    German().Apply(&tokens);
    const std::string once = Joined(tokens);
    German().Apply(&tokens);
    EXPECT_EQ(Joined(tokens), once);
    Truecaser::Undo(&tokens);
    EXPECT_EQ(Joined(tokens), line);
  }
}

class TruecaserFileTest : public ::testing::Test {
 protected:
  std::string ErrorOf(const std::string& text) {
    try {
      Truecaser::Read(folder_.Write("model", text), {});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  TemporaryFolder folder_;
};

TEST_F(TruecaserFileTest, IsSortedTextThatReadsBackTheSame) {
  const Truecaser truecaser = Learned({"x b x A x c x Ä", "x a|b x 'S"});
  truecaser.Write(folder_.File("a"));
  EXPECT_EQ(folder_.Read("a"), "graft truecase 1\n'S\nA\na|b\nb\nc\nx\nÄ\n");
  const Truecaser again = Truecaser::Read(folder_.File("a"), {});
  again.Write(folder_.File("b"));
  EXPECT_EQ(folder_.Read("a"), folder_.Read("b"));
  EXPECT_EQ(Applied(again, "a"), "A");
}

TEST_F(TruecaserFileTest, ErrorsNameFileAndLine) {
  EXPECT_THAT(ErrorOf("das\nHaus\n"), HasSubstr("model:1: not a truecase model"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("model:1: not a truecase model"));
  EXPECT_THAT(ErrorOf("graft truecase 1\ndas\n\n"), HasSubstr("model:3: must be one word"));
  EXPECT_THAT(ErrorOf("graft truecase 1\ndas Haus\n"), HasSubstr("model:2: must be one word"));
  EXPECT_THAT(ErrorOf("graft truecase 1\ndas\nHaus\nDas\n"), HasSubstr("model:4: the usual form of `das`"));
  EXPECT_THAT(ErrorOf("graft truecase 1\nd\xFFs\n"), HasSubstr("model:2: "));
  EXPECT_THROW(Truecaser::Read(folder_.File("none"), {}), Error);
}

}  // namespace
}  // namespace graft::engine
