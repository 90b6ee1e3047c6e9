#include "util/toml_text.h"

#include <gtest/gtest.h>

#include "graft/error.h"
#include "util/toml_file.h"

namespace graft::engine {
namespace {

std::string ErrorOf(const std::string& text) {
  try {
    ParseTomlText(text, "t.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TomlText, LettersBeyondAsciiMayStandInStringsAndComments) {
  for (const char* text :
       {"a = \"größe\" # Größe\nb = 'größe'\n", "a = \"\"\"ein \"ü\" zwei\nü\"\"\"\nb = '''ü'ü''ü'''\n",
        "\xef\xbb\xbf"
        "a = 1\n",
        "a = \"\\\"ü\\\\\" # ü\n", "\"größe\" = 1\n", "a = \"\" # ü\n", "a = \"\"\"x\"\"\"\"\" # ü\n",
        "a = '\\' # ü\n"})
    EXPECT_EQ(ErrorOf(text), "") << text;
}

TEST(TomlText, LettersBeyondAsciiAreErrorsElsewhere) {
  for (const char* text : {"a = 1\n\ngröße = 2\n", "a = 1\n\n[größe]\n", "\n\na = ü\n", "a = \"x\"\n\nü",
                           "a = '''\n'''\nü = 1\n", "\n\na\xc2\xa0= 1\n", "a = \"open\n\n\xef\xb7\x82 = 1\n"})
    EXPECT_TRUE(ErrorOf(text).starts_with("t.toml:3: a character beyond ASCII")) << text << ErrorOf(text);
}

// Here too the parser looks for white space.
TEST(TomlText, LinesJoinedBeforeALetterBeyondAsciiAreErrors) {
  EXPECT_EQ(ErrorOf("a = \"\"\"eins \\\n  zwei\"\"\"\n"), "");
  EXPECT_TRUE(ErrorOf("a = \"\"\"eins \\\n  über\"\"\"\n").starts_with("t.toml:1: a line that a backslash joins"));
}

TEST(TomlText, ControlCharactersAreErrorsEverywhere) {
  EXPECT_EQ(ErrorOf("a = 1\n[\x01row]\n"), "t.toml:2: a control character (0x01); remove it");
  EXPECT_EQ(ErrorOf("a = \"\x7f\"\n"), "t.toml:1: a control character (0x7f); remove it");
  EXPECT_EQ(ErrorOf("a = 1 # \x1b\n"), "t.toml:1: a control character (0x1b); remove it");
  EXPECT_EQ(ErrorOf(std::string("a = 1\n\0", 7)), "t.toml:2: a control character (0x00); remove it");
  EXPECT_EQ(ErrorOf("a = 1\t# tab\r\nb = 2\r\n"), "");
}

TEST(TomlText, StringsStartAfterASeparator) {
  for (const char* text : {"a = 1'x'\n", "a = [03.5'!!'{'\xcb\xb0]\n", "a = 'x''y'\n", "a'b' = 1\n"})
    EXPECT_TRUE(ErrorOf(text).starts_with("t.toml:1: a string starts in the middle")) << text << ErrorOf(text);
  for (const char* text : {"'a' = 1\n", "\xef\xbb\xbf'a' = 1\n", "a.'b'.\"c\" = ['x','y', 'z']\n['d']\ne={'f'='g'}\n"})
    EXPECT_EQ(ErrorOf(text), "") << text;
}

TEST(TomlText, AHeaderWithoutANameIsAnError) {
  for (const char* text : {"[=]\n", "[[,]]\n", "[ ! ]\n", "[", "[[", "a.= 1\n"}) EXPECT_NE(ErrorOf(text), "") << text;
}

TEST(TomlText, KeysHaveABoundedNumberOfParts) {
  std::string parts = "a";
  for (int k = 0; k < 200; ++k) parts += ". a";
  for (const std::string& text : {"\n" + parts + " = 1\n", "\n[" + parts + "]\n", "\na = { " + parts + " = 1 }\n"})
    EXPECT_EQ(ErrorOf(text), "t.toml:2: a key of more than 100 parts") << text;
  std::string numbers = "a = [0.5";
  for (int k = 0; k < 200; ++k) numbers += ", 0.5";
  EXPECT_EQ(ErrorOf(numbers + "] # " + parts + "\nb = '" + parts + "'\n"), "");
}

}  // namespace
}  // namespace graft::engine
