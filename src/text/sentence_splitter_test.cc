#include "text/sentence_splitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace graft::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Split(const std::string& language, const std::string& text) {
  std::vector<std::string> sentences;
  for (const TextRange& range : SplitSentences(Tokeniser(language), text))
    sentences.push_back(text.substr(range.begin, range.end - range.begin));
  return sentences;
}

TEST(SentenceSplitterTest, SentencesEndAtTheirMarks) {
  EXPECT_THAT(Split("de", "Der Lehrer ruft den Arzt an. Er kommt! Wirklich?  Ja …  "),
              ElementsAre("Der Lehrer ruft den Arzt an.", "Er kommt!", "Wirklich?", "Ja …"));
  EXPECT_THAT(Split("en", "What?! No... Yes."), ElementsAre("What?!", "No...", "Yes."));
}

TEST(SentenceSplitterTest, DotsOfAbbreviationsInitialsAndOrdinalsDoNot) {
  EXPECT_THAT(Split("de", "Dr. Müller kam am 3. Mai, z. B. mit J. S. Bach. Er blieb."),
              ElementsAre("Dr. Müller kam am 3. Mai, z. B. mit J. S. Bach.", "Er blieb."));
  EXPECT_THAT(Split("en", "It costs 3.50 at www.example.com today. Buy it."),
              ElementsAre("It costs 3.50 at www.example.com today.", "Buy it."));
}

TEST(SentenceSplitterTest, QuotesAndBracketsCloseWithTheirSentence) {
  EXPECT_THAT(Split("en", "He said \"Come.\" She came. (She did.) Then he left."),
              ElementsAre("He said \"Come.\"", "She came.", "(She did.)", "Then he left."));
  EXPECT_THAT(Split("en", "\"Really?\" he asked. Yes."), ElementsAre("\"Really?\" he asked.", "Yes."));
}

TEST(SentenceSplitterTest, LineEndsEndSentences) {
  EXPECT_THAT(Split("en", "A headline\nSome text\r\n\n  goes on here\n"),
              ElementsAre("A headline", "Some text", "goes on here"));
  EXPECT_THAT(Split("en", ""), IsEmpty());
  EXPECT_THAT(Split("en", " \n\t\n"), IsEmpty());
}

TEST(SentenceSplitterTest, WideMarksNeedNoSpace) {
  EXPECT_THAT(Split("zh", "我喜欢音乐。他说：“好！”你呢？"), ElementsAre("我喜欢音乐。", "他说：“好！”", "你呢？"));
}

}  // namespace
}  // namespace graft::engine
