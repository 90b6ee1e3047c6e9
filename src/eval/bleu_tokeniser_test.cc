#include "eval/bleu_tokeniser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graft/error.h"

namespace graft::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Tokens(std::string_view name, std::string_view line) {
  return TokeniseForBleu(BleuTokeniserByName(name), line);
}

TEST(BleuTokeniserTest, Western) {
  EXPECT_THAT(Tokens("13a", "He said: \"No!\" (twice)"),
              ElementsAre("He", "said", ":", "\"", "No", "!", "\"", "(", "twice", ")"));
  EXPECT_THAT(Tokens("13a", "It's a so-called don't-know"), ElementsAre("It's", "a", "so-called", "don't-know"));
}

TEST(BleuTokeniserTest, PeriodsAndCommasInsideNumbersStay) {
  EXPECT_THAT(Tokens("13a", "1,000.5 km, i.e. 3."), ElementsAre("1,000.5", "km", ",", "i", ".", "e", ".", "3", "."));
  EXPECT_THAT(Tokens("13a", ".5 and 5-6"), ElementsAre(".", "5", "and", "5", "-", "6"));
  // Of two pairs that overlap only the first is seen.
  EXPECT_THAT(Tokens("13a", "wait..."), ElementsAre("wait", ".", ".", "."));
}

TEST(BleuTokeniserTest, EntitiesAreUnescapedOneAfterTheOther) {
  EXPECT_THAT(Tokens("13a", "a &lt;b&gt; &amp;quot; &amp;lt; x<skipped>y"),
              ElementsAre("a", "<", "b", ">", "&", "quot", ";", "<", "xy"));
  EXPECT_THAT(Tokens("zh", "&lt;"), ElementsAre("&", "lt", ";"));
}

TEST(BleuTokeniserTest, ChineseCharactersAreTokens) {
  EXPECT_THAT(Tokens("zh", " 第3章，see p.5 "), ElementsAre("第", "3", "章", "，", "see", "p", ".", "5"));
  EXPECT_THAT(Tokens("zh", "end 5."), ElementsAre("end", "5."));  // nothing follows the period
  EXPECT_THAT(Tokens("zh", "a—b…"), ElementsAre("a", "—", "b", "…"));
  EXPECT_THAT(Tokens("zh", "\U00020000\U00020001"), ElementsAre("\U00020000\U00020001"));
  EXPECT_THAT(Tokens("13a", "第3章，"), ElementsAre("第3章，"));
}

TEST(BleuTokeniserTest, InternationalKnowsUnicodePunctuationAndSymbols) {
  EXPECT_THAT(Tokens("intl", "«Où?» 3,5€ ¡Hola!"), ElementsAre("«", "Où", "?", "»", "3,5", "€", "¡", "Hola", "!"));
  EXPECT_THAT(Tokens("intl", "in 1990."), ElementsAre("in", "1990."));  // as mteval-v14 does
  EXPECT_THAT(Tokens("intl", "٣،٤ x²"), ElementsAre("٣،٤", "x²"));      // digits of any script
}

TEST(BleuTokeniserTest, CharactersAndNone) {
  EXPECT_THAT(Tokens("char", "a é 你\t🙂"), ElementsAre("a", "é", "你", "🙂"));
  EXPECT_THAT(Tokens("char", "e\u0301"), ElementsAre("e", "\u0301"));
  EXPECT_THAT(Tokens("none", " a.\tb\u00a0c\u3000d\u200be "), ElementsAre("a.", "b", "c", "d\u200be"));
}

TEST(BleuTokeniserTest, EmptyLines) {
  for (const std::string name : {"13a", "zh", "none", "intl", "char"}) {
    EXPECT_THAT(Tokens(name, ""), IsEmpty()) << name;
    EXPECT_THAT(Tokens(name, " \t\u00a0"), IsEmpty()) << name;
    EXPECT_EQ(NameOf(BleuTokeniserByName(name)), name);
  }
}

TEST(BleuTokeniserTest, UnknownName) { EXPECT_THROW(BleuTokeniserByName("13b"), Error); }

}  // namespace
}  // namespace graft::engine
