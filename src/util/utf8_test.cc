#include "util/utf8.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace graft::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string Encode(uint32_t code) {
  const auto byte = [](uint32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | code >> 6), byte(0x80 | (code & 0x3F))};
  if (code < 0x10000) return {byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F))};
  return {byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 0x3F)), byte(0x80 | (code >> 6 & 0x3F)),
          byte(0x80 | (code & 0x3F))};
}

TEST(Utf8Test, EveryCodePointButSurrogatesIsValid) {
  for (uint32_t code = 0; code <= 0x110100; ++code) {
    const bool valid = code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
    ASSERT_EQ(IsValidUtf8(Encode(code)), valid) << code;
  }
}

TEST(Utf8Test, IllFormedSequences) {
  for (const char* text : {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xF0\x80\x80\x80",
                           "\xF0\x8F\xBF\xBF", "\xF5\x80\x80\x80", "\xFF", "\xFE", "\xC3", "\xC3(", "\xE2\x82",
                           "\xE2\x82(", "\xF0\x9F\x98", "\xF8\x88\x80\x80\x80", "\xED\xA0\x80"}) {
    EXPECT_FALSE(IsValidUtf8(text));
    for (size_t before = 0; before < 20; ++before)
      EXPECT_FALSE(IsValidUtf8(std::string(before, 'a') + text + "bcdefghijkl")) << before;
  }
  EXPECT_TRUE(IsValidUtf8("plain ASCII that is longer than a block, straße, 世界杯, 😀"));
  EXPECT_TRUE(IsValidUtf8(""));
}

TEST(Utf8Test, Lowercase) {
  EXPECT_EQ(Lowercase("ABCxyz[`@Z{ 019"), "abcxyz[`@z{ 019");
  EXPECT_EQ(Lowercase("ÄÖÜẞ ÉCOLE"), "äöüß école");
  EXPECT_EQ(Lowercase("ΟΔΥΣΣΕΥΣ ΣΑΣ"), "οδυσσευς σας");
  EXPECT_EQ(Lowercase("DİYAR I"), "di̇yar i") << "root locale, not Turkish";
  EXPECT_EQ(Lowercase("世界杯"), "世界杯");
  EXPECT_EQ(Lowercase(""), "");
}

TEST(Utf8Test, JoinTokens) {
  EXPECT_EQ(JoinTokens({}), "");
  EXPECT_EQ(JoinTokens({"a"}), "a");
  EXPECT_EQ(JoinTokens({"a", "b", "c"}), "a b c");
}

TEST(Utf8Test, SplitTokens) {
  EXPECT_THAT(SplitTokens("  a \t b\tc "), ElementsAre("a", "b", "c"));
  EXPECT_THAT(SplitTokens("a\xC2\xA0"
                          "b\xE3\x80\x80"
                          "c"),
              ElementsAre("a\xC2\xA0"
                          "b\xE3\x80\x80"
                          "c"));
  EXPECT_THAT(SplitTokens(" \t "), IsEmpty());
  EXPECT_THAT(SplitTokens(""), IsEmpty());
}

TEST(Utf8Test, SplitFields) {
  EXPECT_THAT(SplitFields("a ||| b |||  ||| ", " ||| "), ElementsAre("a", "b", "", ""));
  EXPECT_THAT(SplitFields("", "\t"), ElementsAre(""));
  EXPECT_THAT(SplitFields("a\t\tb", "\t"), ElementsAre("a", "", "b"));
}

}  // namespace
}  // namespace graft::engine
