#include "text/text_processor.h"

#include <gtest/gtest.h>

#include "graft/error.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

using Strings = std::vector<std::string>;

Truecaser Learned(const Strings& tokens) {
  Truecaser truecaser;
  truecaser.Count(tokens);
  truecaser.Finish();
  return truecaser;
}

TEST(TextProcessorTest, TokenisedTextStaysAsItIs) {
  const TextProcessor text(TextOptions{});
  Strings tokens = text.Split(Side::kSource, "Das\u00A0ist  es.\t! ");
  EXPECT_EQ(tokens, (Strings{"Das\u00A0ist", "es.", "!"}));
  text.Normalise(Side::kSource, &tokens);
  EXPECT_EQ(tokens[0], "Das\u00A0ist");
  EXPECT_EQ(text.Join(text.WrittenTokens({"das", "ist", "es", "."})), "das ist es .");
}

TEST(TextProcessorTest, SidesHaveTheirOwnLanguage) {
  const TextProcessor text({.tokeniser = "icu", .languages = {"fr", "en"}});
  EXPECT_EQ(text.Split(Side::kSource, "l'eau."), (Strings{"l'", "eau", "."}));
  EXPECT_EQ(text.Split(Side::kTarget, "it's."), (Strings{"it", "'s", "."}));
  EXPECT_EQ(text.Join(text.WrittenTokens({"it", "'s", "5", "%", "."})), "it's 5%.");
  EXPECT_EQ(JoinTokens(text.WrittenTokens({"it", "'s", "."})), "it 's .");
}

TEST(TextProcessorTest, Casing) {
  Strings tokens = {"Das", "HAUS", "."};
  const TextProcessor lower({.lowercase = true});
  lower.Normalise(Side::kSource, &tokens);
  EXPECT_EQ(tokens, (Strings{"das", "haus", "."}));
  EXPECT_EQ(lower.Join(lower.WrittenTokens({"the", "house"})), "the house");

  const TextProcessor truecase({.truecase = true}, Learned({"ja", "das", "ist"}), Learned({"see", "The", "Hague"}));
  tokens = {"Das", "HAUS", "."};
  truecase.Normalise(Side::kSource, &tokens);
  EXPECT_EQ(tokens, (Strings{"das", "HAUS", "."}));
  tokens = {"the", "HAGUE"};
  truecase.Normalise(Side::kTarget, &tokens);
  EXPECT_EQ(tokens, (Strings{"The", "HAGUE"}));
  EXPECT_EQ(truecase.Join(truecase.WrittenTokens({"the", "house", ".", "yes"})), "The house . Yes");
}

TEST(TextProcessorTest, OptionsThatCannotBe) {
  EXPECT_THROW(TextProcessor({.lowercase = true, .truecase = true}), Error);
  EXPECT_THROW(TextProcessor({.tokeniser = "moses"}), Error);
  EXPECT_THROW(TextProcessor({.languages = {"a", "b", "c"}}), Error);
}

}  // namespace
}  // namespace graft::engine
