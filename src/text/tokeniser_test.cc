#include "text/tokeniser.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <stop_token>
#include <thread>

#include "graft/error.h"
#include "support/cpu_time.h"
#include "support/paths.h"
#include "util/line_reader.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

std::string Joined(const std::vector<std::string>& tokens) {
  std::string line;
  for (const std::string& token : tokens) line += (line.empty() ? "" : " ") + token;
  return line;
}

std::string Tokens(const std::string& language, const std::string& text) {
  return Joined(Tokeniser(language).Tokenise(text));
}

std::string Text(const std::string& language, const std::string& tokens) {
  const auto split = SplitTokens(tokens);
  return Tokeniser(language).Detokenise({split.begin(), split.end()});
}

std::string RoundTrip(const Tokeniser& tokeniser, const std::string& text) {
  return tokeniser.Detokenise(tokeniser.Tokenise(text));
}

TEST(TokeniserTest, Punctuation) {
  EXPECT_EQ(Tokens("en", "He knows (yes), \"really\": all; of [it]!"),
            "He knows ( yes ) , \" really \" : all ; of [ it ] !");
  EXPECT_EQ(Tokens("en", "Wait... what?! So…"), "Wait ... what ? ! So …");
  EXPECT_EQ(Tokens("en", "well-known re-use - and -- so"), "well-known re-use - and -- so");
  EXPECT_EQ(Tokens("en", "either/or word—word"), "either / or word — word");
  EXPECT_EQ(Tokens("es", "¿Qué? ¡No!"), "¿ Qué ? ¡ No !");
  EXPECT_EQ(Tokens("en", "file(s) (re)build f(x) see (this)"), "file(s) (re)build f(x) see ( this )");
  EXPECT_EQ(Tokens("en", "R&D, snake_case; C++ #tag @me"), "R&D , snake_case ; C++ #tag @me");
}

TEST(TokeniserTest, NumbersTimesAndMoney) {
  EXPECT_EQ(Tokens("en", "1,000.50, 3.14; 12:30"), "1,000.50 , 3.14 ; 12:30");
  EXPECT_EQ(Tokens("en", "$5.50 or 5% of US$7"), "$ 5.50 or 5 % of US$ 7");
  EXPECT_EQ(Tokens("de", "1.000,50€ (5%)"), "1.000,50 € ( 5 % )");
  EXPECT_EQ(Tokens("en", "1,two 3,4"), "1 , two 3,4");
  EXPECT_EQ(Tokens("en", "2020-02-29 1990–1995"), "2020-02-29 1990–1995");
}

TEST(TokeniserTest, ApostrophesByLanguage) {
  EXPECT_EQ(Tokens("en", "doesn't it's I'll 1990's boys' 'so'"), "doesn 't it 's I 'll 1990 's boys ' ' so '");
  EXPECT_EQ(Tokens("en", "doesn’t ‘so’"), "doesn ’t ‘ so ’");
  EXPECT_EQ(Tokens("fr", "l'eau qu'il aujourd'hui"), "l' eau qu' il aujourd' hui");
  EXPECT_EQ(Tokens("it", "un po' d’acqua"), "un po' d’ acqua");
  EXPECT_EQ(Tokens("nl", "'s avonds foto's"), "'s avonds foto's");
  EXPECT_EQ(Tokens("uk", "об'єкт"), "об'єкт");
}

TEST(TokeniserTest, FinalDots) {
  EXPECT_EQ(Tokens("en", "Mr. Smith came. Then e.g. J. Doe left."), "Mr. Smith came . Then e.g. J. Doe left .");
  EXPECT_EQ(Tokens("en", "No. 5 is it. No. Yes."), "No. 5 is it . No . Yes .");
  EXPECT_EQ(Tokens("en", "approx. five in the U.S. (etc.)"), "approx. five in the U.S. ( etc . )");
  EXPECT_EQ(Tokens("de", "Am 3. Mai, z. B. ca. 20. Er kam 1990. Dann"), "Am 3. Mai , z. B. ca. 20. Er kam 1990 . Dann");
  EXPECT_EQ(Tokens("en", "version 1.2. So he and I."), "version 1.2 . So he and I .");
  EXPECT_EQ(Tokens("en", ".5 .NET"), ".5 .NET");
}

TEST(TokeniserTest, AddressesStayWhole) {
  EXPECT_EQ(Tokens("en", "(see https://a.org/b_(c)?d=e,f#g)."), "( see https://a.org/b_(c)?d=e,f#g ) .");
  EXPECT_EQ(Tokens("en", "www.example.com, jane.d+x@mail.example.co.uk;"),
            "www.example.com , jane.d+x@mail.example.co.uk ;");
  EXPECT_EQ(Tokens("en", "example.org/a/b! ~/notes.txt /usr/bin"), "example.org/a/b ! ~/notes.txt /usr/bin");
  EXPECT_EQ(Tokens("de", "z.B./d.h."), "z.B. / d.h.");
  EXPECT_EQ(Tokens("zh", "访问https://a.org/b。谢谢"), "访问 https://a.org/b 。 谢谢");
}

TEST(TokeniserTest, ScriptsWithoutSpaces) {
  EXPECT_EQ(Tokens("zh", "我们去公园。"), "我们 去 公园 。");
  EXPECT_EQ(Tokens("ja", "「東京」はIT企業"), "「 東京 」 は IT 企業");
  EXPECT_GT(Tokeniser("th").Tokenise("ฉันชอบกินข้าวผัด").size(), 2U);
  EXPECT_EQ(Text("zh", "我们 去 公园 。"), "我们去公园。");
  EXPECT_EQ(Text("ja", "IT 企業 と 3 人"), "IT企業と3人");
  EXPECT_EQ(Text("zh", "使用 Python 编程 。"), "使用 Python 编程。");
}

TEST(TokeniserTest, SpacesAndInvisibleCharacters) {
  EXPECT_EQ(Tokens("en",
                   " \t a\u00A0b\u202Fc\u3000d\u200Be\x01"
                   "f \u2028 "),
            "a b c d e f");
  EXPECT_EQ(Tokens("en", "\uFEFFco\u00ADop\u2060erate\u200E!"), "cooperate !");
  EXPECT_EQ(Tokens("en", "\u200B\u00A0\u00AD"), "");
  EXPECT_EQ(Tokens("en", ""), "");
  EXPECT_EQ(Tokens("fa", "می\u200Cخواهم"), "می\u200Cخواهم");
  EXPECT_EQ(Tokens("en", "cafe\u0301, so"), "cafe\u0301 , so");
  EXPECT_EQ(Tokens("en", "ok👍🏽👨‍👩‍👧! 🇩🇪 1️⃣ ❤️"),
            "ok 👍🏽👨‍👩‍👧 ! 🇩🇪 1️⃣ ❤️");
}

TEST(DetokeniserTest, QuotesFaceTheirWords) {
  EXPECT_EQ(Text("en", "He said \" yes \" ( \" no \" ) ."), "He said \"yes\" (\"no\").");
  EXPECT_EQ(Text("de", "„ Ja “ , sagte er ."), "„Ja“, sagte er.");
  EXPECT_EQ(Text("en", "“ Yes ” , he said ."), "“Yes”, he said.");
  EXPECT_EQ(Text("fr", "« Oui » , dit-il ."), "« Oui », dit-il.");
  EXPECT_EQ(Text("it", "« Sì » , disse ."), "«Sì», disse.");
  EXPECT_EQ(Text("de", "» Ja « , sagte er ."), "»Ja«, sagte er.");
  EXPECT_EQ(Text("sv", "” Ja ” , sade han ."), "”Ja”, sade han.");
  EXPECT_EQ(Text("en", "the workers ' rights"), "the workers' rights");
  EXPECT_EQ(Text("en", "he says ' yes ' twice"), "he says 'yes' twice");
  EXPECT_EQ(Text("en", "the workers ' and the farmers ' rights"), "the workers' and the farmers' rights");
}

TEST(DetokeniserTest, LanguagesDiffer) {
  EXPECT_EQ(Text("en", "5 % , $ 5"), "5%, $5");
  EXPECT_EQ(Text("de", "5 % , 5 $"), "5 %, 5 $");
  EXPECT_EQ(Text("fr", "Quoi ? Oui ! Non ; ça : l' eau"), "Quoi ? Oui ! Non ; ça : l'eau");
  EXPECT_EQ(Text("en", "word — word"), "word—word");
  EXPECT_EQ(Text("ru", "Москва — столица"), "Москва — столица");
  EXPECT_EQ(Text("pt-BR", "5 %"), "5%");
  EXPECT_EQ(Text("xx", "it 's so ."), "it 's so.");
}

// Sentences of many languages, written for this test.
TEST(TokeniserTest, RoundTripOfSentencesInManyLanguages) {
  LineReader lines(TestData("tokeniser/round_trip.tsv"), {});
  while (lines.Next()) {
    const auto fields = SplitFields(lines.line(), "\t");
    ASSERT_EQ(fields.size(), 2U) << lines.line_number();
    EXPECT_EQ(RoundTrip(Tokeniser(fields[0]), std::string(fields[1])), fields[1]);
  }
  EXPECT_GT(lines.line_number(), 150U);
}

// Puts random words between punctuation where writers put it.
class Writer {
 public:
  Writer(std::string_view language, std::string_view words, uint32_t seed) : language_(language), random_(seed) {
    for (const std::string_view word : SplitTokens(words)) words_.emplace_back(word);
  }
  std::string Sentence() {
    std::string text = Phrases(3);
    if (text.ends_with(".")) return text + Pick({"", "!", "?"});
    return text + Pick({".", "!", "?", language_ == "de" ? " ..." : "...", "?!"});
  }

 private:
  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }
  std::string Pick(std::vector<std::string> from) { return from[Below(from.size())]; }
  std::string Word() { return Below(8) == 0 ? Number() : words_[Below(words_.size())]; }
  std::string Number() {
    return Pick({"5", "1,000.50", "3.14", "12:30", "2020-02-29", "1990", "x1",
                 language_ == "en" || language_ == "it" ? "5%" : "5 %"});
  }
  std::string Words() {
    std::string text = Word();
    for (size_t more = Below(4); more > 0; --more) text += " " + Word();
    return text;
  }
  std::string Phrases(int depth) {
    std::string text = Phrase(depth);
    for (size_t more = Below(3); more > 0; --more) text += Pick({", ", " - ", ": ", "; ", " ", "/"}) + Phrase(depth);
    return text;
  }
  std::string Phrase(int depth) {
    if (depth == 0) return Words();
    switch (Below(6)) {
      case 0: return "(" + Words() + ")";
      case 1:
        if (quoted_) return Words();
        return Quoted(depth);
      case 2: return "[" + Phrase(depth - 1) + "]";
      default: return Words();
    }
  }
  std::string Quoted(int depth) {
    quoted_ = true;
    const std::string inside = Phrases(depth - 1);
    quoted_ = false;
    if (language_ == "de") return Pick({"„" + inside + "“", "\"" + inside + "\"", "»" + inside + "«"});
    return Pick({"“" + inside + "”", "\"" + inside + "\"", "«" + inside + "»"});
  }

  std::string language_;
  std::vector<std::string> words_;
  std::mt19937 random_;
  bool quoted_ = false;
};

TEST(TokeniserTest, RoundTripOfRandomSentences) {
  const std::vector<std::pair<std::string, std::string>> languages = {
      {"en", "the house doesn't well-known it's U.S. O'Brien Mr. naïve we'll files C++ R&D"},
      {"de", "das Haus Straße z.B. Haupt- ist's groß Dr. Überfluß"},
      {"it", "l'acqua casa un'altra perché è dell'anno"},
      {"cs", "dům příliš žluťoučký kůň tzv. malý-velký"},
      {"ru", "дом слово кто-то большой ещё"},
  };
  for (const auto& [language, words] : languages) {
    const Tokeniser tokeniser(language);
    Writer writer(language, words, 17);
    for (int i = 0; i < 3000; ++i) {
      const std::string text = writer.Sentence();
      ASSERT_EQ(RoundTrip(tokeniser, text), text) << language << ": " << Joined(tokeniser.Tokenise(text));
    }
  }
}

std::string Utf8(char32_t c) {
  std::string text;
  if (c < 0x80) return std::string(1, static_cast<char>(c));
  if (c >= 0x10000) {
    text += static_cast<char>(0xF0 | c >> 18);
    text += static_cast<char>(0x80 | (c >> 12 & 0x3F));
  } else if (c >= 0x800) {
    text += static_cast<char>(0xE0 | c >> 12);
  }
  if (c >= 0x800)
    text += static_cast<char>(0x80 | (c >> 6 & 0x3F));
  else
    text += static_cast<char>(0xC0 | c >> 6);
  return text + static_cast<char>(0x80 | (c & 0x3F));
}

// Any characters in any order: every token is text without spaces, nothing visible is lost, and tokens are as stable as
// the text they came from.
TEST(TokeniserTest, AnyTextGivesTokens) {
  const std::u32string marks =
      U".,:;!?'\"()[]{}<>/\\-_%$€£#@&*+=~`^|…–—“”‘’„‚«»‹›¿¡·•§°©®™ab1 2 "
      U"\u00A0\u200B\u200D\uFE0F\u0301你ไ。「😀🇩🏽";
  std::mt19937 random(5);
  for (const char* language : {"", "en", "de", "fr", "zh", "nl", "he", "ko"}) {
    const Tokeniser tokeniser(language);
    for (int round = 0; round < 4000; ++round) {
      std::string text;
      for (size_t n = random() % 24; n > 0; --n) {
        char32_t c = random() % 0x110000;
        if (random() % 4 != 0) c = marks[random() % marks.size()];
        if (c >= 0xD800 && c < 0xE000) continue;
        text += Utf8(c);
      }
      ASSERT_TRUE(IsValidUtf8(text));
      const auto tokens = tokeniser.Tokenise(text);
      std::string kept, visible;
      for (const std::string& token : tokens) {
        ASSERT_FALSE(token.empty()) << text;
        ASSERT_TRUE(IsValidUtf8(token)) << text;
        for (const char* space : {" ", "\t", "\n", "\r", "\u00A0", "\u2028", "\u200B", "\u3000"})
          ASSERT_EQ(token.find(space), std::string::npos) << text;
        kept += token;
      }
      const std::string again = tokeniser.Detokenise(tokens);
      for (const char c : again)
        if (c != ' ') visible += c;
      ASSERT_EQ(visible, kept) << text;
      ASSERT_EQ(Joined(tokeniser.Tokenise(Joined(tokens) + " ")).empty(), tokens.empty());
    }
  }
}

// A token list may be anything, too: a decoder makes it.
TEST(DetokeniserTest, AnyTokensGiveText) {
  const Tokeniser tokeniser("en");
  EXPECT_EQ(tokeniser.Detokenise({}), "");
  EXPECT_EQ(tokeniser.Detokenise({"", "a", "", "."}), "a.");
  EXPECT_EQ(tokeniser.Detokenise({"'", "'", "'"}).size(), 5U - 2U);
  EXPECT_EQ(tokeniser.Detokenise({"New York", "."}), "New York.");
}

// Chunks of a megabyte without a space, of what looks like the beginning of something again and again.
TEST(TokeniserTest, TimeGrowsWithTheText) {
  const std::string parts[] = {"/",  "A.%",  "1'", "a@a/", "a-",   "http:/", "w.",
                               "(a", "a.b/", "'a", "@",    "x://", "A.",     "«»"};
  for (const char* language : {"en", "de", "nl", "fr"}) {
    const Tokeniser tokeniser(language);
    for (const std::string& part : parts) {
      std::string text;
      while (text.size() < 300'000) text += part;
      const double start = CpuSeconds();
      const std::vector<std::string> tokens = tokeniser.Tokenise("x/" + text);
      tokeniser.Detokenise(tokens);
      EXPECT_LT(CpuSeconds() - start, 2 * kSlowness) << language << " " << part;
    }
    for (const char* mark : {"»", "«", "'", "\"", "’"}) {
      std::vector<std::string> tokens;
      for (int i = 0; i < 100'000; ++i) tokens.insert(tokens.end(), {"a", mark});
      const double start = CpuSeconds();
      tokeniser.Detokenise(tokens);
      EXPECT_LT(CpuSeconds() - start, 2 * kSlowness) << language << " " << mark;
    }
  }
}

TEST(TokeniserTest, AStopEndsAnyLine) {
  for (const char* part : {"a,", "word ", "w "}) {
    std::string text;
    while (text.size() < 4'000'000) text += part;
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(Tokeniser("en").Tokenise(text, StopCheck(stop.get_token())), Stopped) << part;
    EXPECT_THROW(Tokeniser("en").Tokenise(text, StopCheck({}, StopCheck::Clock::now() + std::chrono::milliseconds(1))),
                 Stopped)
        << part;
  }
}

TEST(TokeniserTest, CallsFromManyThreadsAgree) {
  const Tokeniser tokeniser("zh");
  const std::string text = "今天天气很好，我们去公园吧。 Hello, ฉันชอบกินข้าวผัด!";
  const auto expected = tokeniser.Tokenise(text);
  std::vector<std::jthread> threads;
  std::vector<int> wrong(4, 0);
  for (int& count : wrong)
    threads.emplace_back([&] {
      for (int i = 0; i < 300; ++i) count += tokeniser.Tokenise(text) == expected ? 0 : 1;
    });
  threads.clear();
  for (const int count : wrong) EXPECT_EQ(count, 0);
}

// Text of another tokeniser, which we join and split again. The real corpora need not be there.
TEST(TokeniserTest, RoundTripOfRealTokens) {
  struct File {
    std::string path;
    const char* language;
  };
  bool any = false;
  for (const File& file : {File{"multi30k-deen/train.en.xz", "en"}, File{"multi30k-deen/train.de.xz", "de"},
                           File{"europarl-deen/train.en.xz", "en"}, File{"europarl-deen/train.de.xz", "de"},
                           File{"techdocs-zhen/train.en.xz", "en"}}) {
    const std::string path = SharedData("data/") + file.path;
    if (!std::filesystem::exists(path)) continue;
    any = true;
    const Tokeniser tokeniser(file.language);
    LineReader lines(path, {});
    int total = 0, same = 0, same_text = 0;
    while (total < 20000 && lines.Next()) {
      const auto split = SplitTokens(lines.line());
      const std::vector<std::string> tokens(split.begin(), split.end());
      const std::string text = tokeniser.Detokenise(tokens);
      const auto again = tokeniser.Tokenise(text);
      ++total;
      same += again == tokens ? 1 : 0;
      same_text += tokeniser.Detokenise(again) == text ? 1 : 0;
    }
    EXPECT_GT(same, total * 0.99) << path;
    EXPECT_GT(same_text, total * 0.998) << path;
    RecordProperty(file.path, std::to_string(100.0 * same / total));
  }
  if (!any) GTEST_SKIP() << "no real corpora in " << SharedData("data");
}

}  // namespace
}  // namespace graft::engine
