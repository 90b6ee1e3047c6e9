#include "corpus/source_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "graft/error.h"
#include "temporary_folder.h"

namespace graft::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A CoNLL-U line from `id form upos xpos head relation`, separated by spaces (`~` stands for a space in the form).
std::string Line(const std::string& short_line) {
  std::vector<std::string> f(1);
  for (char c : short_line) {
    if (c == ' ')
      f.emplace_back();
    else
      f.back() += c == '~' ? ' ' : c;
  }
  f.resize(6, "_");
  return f[0] + "\t" + f[1] + "\t_\t" + f[2] + "\t" + f[3] + "\t_\t" + f[4] + "\t" + f[5] + "\t_\t_\n";
}

std::string Block(const std::vector<std::string>& lines) {
  std::string block;
  for (const std::string& line : lines) block += line.starts_with("#") ? line + "\n" : Line(line);
  return block + "\n";
}

class SourceReaderTest : public testing::Test {
 protected:
  std::vector<Sentence> Read(const std::string& text, SourceOptions options = {},
                             SourceFormat format = SourceFormat::kConllu) {
    folder_.Write("source", text);
    SourceReader reader(path_, format, options, {});
    std::vector<Sentence> sentences;
    for (Sentence sentence; reader.Next(&sentence);) {
      sentences.push_back(sentence);
      lines_.push_back(reader.line_number());
    }
    return sentences;
  }

  // The message of the error, without the folder.
  std::string Failure(const std::string& text) {
    try {
      Read(text);
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with(path_ + ":")) << message;
      return message.substr(path_.size() + 1);
    }
    return "no error";
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.File("source");
  std::vector<uint64_t> lines_;
};

TEST_F(SourceReaderTest, ReadsSentences) {
  const auto sentences = Read(Block({"# text = Ein Hund", "1 Ein DET ART 2 det", "2 Hund NOUN NN 0 root"}) + "\n\n" +
                              Block({"1 Ja INTJ _ 0 root"}));
  ASSERT_EQ(sentences.size(), 2);
  EXPECT_THAT(sentences[0].tokens, ElementsAre("Ein", "Hund"));
  EXPECT_THAT(sentences[0].tags, ElementsAre("ART", "NN"));
  EXPECT_THAT(sentences[0].heads, ElementsAre(2, 0));
  EXPECT_THAT(sentences[0].relations, ElementsAre("det", "root"));
  EXPECT_THAT(sentences[1].tags, ElementsAre("INTJ")) << "XPOS is _";
  EXPECT_THAT(lines_, ElementsAre(1, 7));
}

TEST_F(SourceReaderTest, UposAndLowercase) {
  const auto sentences = Read(Block({"1 Äpfel~UND NOUN NN 0 root"}), {.upos = true, .lowercase = true});
  EXPECT_THAT(sentences[0].tokens, ElementsAre("äpfel und")) << "a form keeps its space";
  EXPECT_THAT(sentences[0].tags, ElementsAre("NOUN"));
}

TEST_F(SourceReaderTest, AnEmptyTagIsNoTag) {
  EXPECT_THAT(Read(Block({"1 Ja   0 root"}))[0].tags, ElementsAre("_"));
  EXPECT_THAT(Read(Block({"1 Ja  NN 0 root"}), {.upos = true})[0].tags, ElementsAre("_"));
}

TEST_F(SourceReaderTest, TheFinalBlankLineMayBeMissing) {
  EXPECT_EQ(Read(Line("1 Ja INTJ _ 0 root")).size(), 1);
  std::string without_line_end = Line("1 Ja INTJ _ 0 root");
  without_line_end.pop_back();
  EXPECT_EQ(Read(without_line_end).size(), 1);
}

TEST_F(SourceReaderTest, CommentsWithoutWordsAreAnEmptySentence) {
  const auto sentences = Read("# text = \n\n" + Block({"1 Ja INTJ _ 0 root"}) + "\n# text =\n");
  ASSERT_EQ(sentences.size(), 3);
  EXPECT_THAT(sentences[0].tokens, IsEmpty());
  EXPECT_THAT(sentences[0].heads, IsEmpty());
  EXPECT_TRUE(sentences[0].has_tree());
  EXPECT_EQ(sentences[1].size(), 1);
  EXPECT_EQ(sentences[2].size(), 0);
  EXPECT_THAT(Read(""), IsEmpty());
  EXPECT_THAT(Read("\n\n"), IsEmpty());
}

const std::vector<std::string> kRange = {"1 Er PRON _ 2 nsubj", "2 wohnt VERB _ 0 root", "3-4 im _ _ _ _",
                                         "3 in ADP _ 5 case",   "4 dem DET _ 5 det",     "5 Haus NOUN _ 2 obl",
                                         "5.1 leer NOUN _ _ _", "6 . PUNCT _ 2 punct"};

TEST_F(SourceReaderTest, RangesAreOneTokenAndHeadsAreRenumbered) {
  const auto sentence = Read(Block(kRange)).at(0);
  EXPECT_THAT(sentence.tokens, ElementsAre("Er", "wohnt", "im", "Haus", "."));
  EXPECT_THAT(sentence.tags, ElementsAre("PRON", "VERB", "ADP", "NOUN", "PUNCT")) << "equal depth: the first word";
  EXPECT_THAT(sentence.heads, ElementsAre(2, 0, 4, 2, 2));
  EXPECT_THAT(sentence.relations, ElementsAre("nsubj", "root", "case", "obl", "punct"));
}

TEST_F(SourceReaderTest, WordsInsteadOfTokens) {
  const auto sentence = Read(Block(kRange), {.words = true}).at(0);
  EXPECT_THAT(sentence.tokens, ElementsAre("Er", "wohnt", "in", "dem", "Haus", "."));
  EXPECT_THAT(sentence.heads, ElementsAre(2, 0, 5, 5, 2, 2));
}

TEST_F(SourceReaderTest, ARangeTakesItsWordNearestToTheRoot) {
  // vámonos = vamos + nos; the second range's words hang on both sides of it.
  const auto sentence = Read(Block({"1-2 vámonos _ _ _ _", "1 nos PRON _ 2 obj", "2 vamos VERB _ 0 root",
                                    "3-5 almar _ _ _ _", "3 el DET _ 5 det", "4 a ADP _ 1 case", "5 mar NOUN _ 2 obl"}),
                             {.projectivise = false})
                            .at(0);
  EXPECT_THAT(sentence.tokens, ElementsAre("vámonos", "almar"));
  EXPECT_THAT(sentence.tags, ElementsAre("VERB", "NOUN"));
  EXPECT_THAT(sentence.heads, ElementsAre(0, 1));
  EXPECT_THAT(sentence.relations, ElementsAre("root", "obl"));
}

TEST_F(SourceReaderTest, FoldedRangesThatHangOnEachOtherStayATree) {
  // 1→4 and 3→2: folded by the wrong word the two tokens would be each other's head.
  const auto sentence =
      Read(Block({"1-2 ab _ _ _ _", "1 a X _ 4 x", "2 b X _ 0 root", "3-4 cd _ _ _ _", "3 c X _ 2 x", "4 d X _ 3 x"}))
          .at(0);
  EXPECT_THAT(sentence.heads, ElementsAre(0, 1));
}

TEST_F(SourceReaderTest, SeveralRoots) {
  EXPECT_THAT(Read(Block({"1 Ja INTJ _ 0 root", "2 nein INTJ _ 0 root"})).at(0).heads, ElementsAre(0, 0));
}

TEST_F(SourceReaderTest, NonProjectiveTreesAreProjectivised) {
  const std::string text = Block({"1 a X _ 3 x", "2 b X _ 4 x", "3 c X _ 4 x", "4 d X _ 0 x"});
  EXPECT_THAT(Read(text).at(0).heads, ElementsAre(4, 4, 4, 0));
  EXPECT_THAT(Read(text, {.projectivise = false}).at(0).heads, ElementsAre(3, 4, 4, 0));
}

TEST_F(SourceReaderTest, PlainText) {
  const auto sentences = Read("Ein  Hund\t!\n\nÜber\xC2\xA0uns \n", {.lowercase = true}, SourceFormat::kText);
  ASSERT_EQ(sentences.size(), 3);
  EXPECT_THAT(sentences[0].tokens, ElementsAre("ein", "hund", "!"));
  EXPECT_THAT(sentences[1].tokens, IsEmpty());
  EXPECT_THAT(sentences[2].tokens, ElementsAre("über\xC2\xA0uns")) << "a no-break space separates nothing";
  EXPECT_FALSE(sentences[0].has_tree());
  EXPECT_THAT(lines_, ElementsAre(1, 2, 3));
}

TEST_F(SourceReaderTest, ErrorsNameLineAndSentence) {
  const std::string good = Block({"1 Ja INTJ _ 0 root"});
  EXPECT_EQ(Failure(good + Block({"1 a X _ 2 x", "2 b X _ 17 x", "3 c X _ 0 root"})),
            "4: head 17 of word 2, but the sentence has 3 words. Fix the line, or drop sentence 2 with `graft check "
            "--write-clean`.");
}

TEST_F(SourceReaderTest, StructuralErrors) {
  EXPECT_THAT(Failure(Block({"1 a X _ x x"})), HasSubstr("1: head `x` of word 1 is not a number"));
  EXPECT_THAT(Failure(Block({"1 a X _ -1 x"})), HasSubstr("1: head `-1` of word 1 is not a number"));
  EXPECT_THAT(Failure(Block({"1 a X _ _ x"})), HasSubstr("1: head `_` of word 1 is not a number"));
  EXPECT_THAT(Failure(Block({"1 a X _ 99999999999 x"})), HasSubstr("is not a number"));
  EXPECT_THAT(Failure(Block({"1 a X _ 0 x", "3 b X _ 1 x"})), HasSubstr("2: word 3 where word 2 comes next"));
  EXPECT_THAT(Failure(Block({"0 a X _ 0 x"})), HasSubstr("1: word 0 where word 1 comes next"));
  EXPECT_THAT(Failure(Block({"1 a X _ 0 x", "1 b X _ 0 x"})), HasSubstr("2: word 1 after word 1; is the blank line"));
  EXPECT_THAT(Failure(Block({"1 a X _ 1 x"})), HasSubstr("1: the heads form a cycle: 1 → 1"));
  EXPECT_THAT(Failure(Block({"1 a X _ 0 x", "2 b X _ 4 x", "3 c X _ 2 x", "4 d X _ 3 x"})),
              HasSubstr("2: the heads form a cycle: 2 → 4 → 3 → 2"));
  EXPECT_THAT(Failure(Block({"x a X _ 0 x"})), HasSubstr("1: id `x` is neither"));
  EXPECT_THAT(Failure("1 a X _ 0 x\n"), HasSubstr("1: 1 column, but CoNLL-U has 10, separated by tabs"));
  EXPECT_THAT(Failure("1\ta\t_\tX\n"), HasSubstr("1: 4 columns, but CoNLL-U has 10"));
  EXPECT_THAT(Failure(" \n"), HasSubstr("1: 1 column, but"));
  EXPECT_THAT(Failure(Block({"1  X _ 0 x"})), HasSubstr("1: word 1 has an empty form"));
  EXPECT_THAT(Failure(Block({"1 a X _ 0 x", "7.1 b X _ _ x"})), HasSubstr("2: empty node 7.1 after word 1"));
}

TEST_F(SourceReaderTest, BadRanges) {
  EXPECT_THAT(Failure(Block({"2-1 ab _ _ _ _", "1 a X _ 0 x", "2 b X _ 1 x"})), HasSubstr("1: range 2-1 ends before"));
  EXPECT_THAT(Failure(Block({"1-3 ab _ _ _ _", "1 a X _ 0 x", "2 b X _ 1 x"})),
              HasSubstr("1: range 1-3, but the sentence has 2 words"));
  EXPECT_THAT(Failure(Block({"1-2 ab _ _ _ _", "1 a X _ 0 x", "2-3 bc _ _ _ _", "2 b X _ 1 x", "3 c X _ 1 x"})),
              HasSubstr("3: range 2-3 overlaps range 1-2"));
  EXPECT_THAT(Failure(Block({"1 a X _ 0 x", "1-2 ab _ _ _ _", "2 b X _ 1 x"})),
              HasSubstr("2: range 1-2 where word 2 comes next"));
}

// Damaged files give an Error or a sentence that holds together, never anything else.
TEST_F(SourceReaderTest, DamagedFilesAreErrorsOrTrees) {
  const std::string good = Block(kRange) + Block({"1 Ein DET ART 2 det", "2 Hund NOUN NN 0 root"});
  std::mt19937 random(1);
  const std::string likely = "0123456789-._\t\n# x";
  int read = 0;
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    for (int change = 0; change < 1 + round % 3; ++change) {
      char& place = text[random() % text.size()];
      place = random() % 8 == 0 ? static_cast<char>(random()) : likely[random() % likely.size()];
    }
    try {
      for (const Sentence& sentence : Read(text, {.words = round % 2 == 0})) {
        const auto size = static_cast<size_t>(sentence.size());
        ASSERT_EQ(sentence.heads.size(), size);
        ASSERT_EQ(sentence.tags.size(), size);
        ASSERT_EQ(sentence.relations.size(), size);
        for (int start : sentence.heads) {
          int at = start;
          for (int steps = 0; at != 0; ++steps, at = sentence.heads[at - 1]) {
            ASSERT_LE(at, sentence.size());
            ASSERT_LE(steps, sentence.size()) << text;
          }
        }
      }
      ++read;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(read, 300);
  EXPECT_GT(refused, 300);
}

TEST_F(SourceReaderTest, ConlluReadAsTextIsWarnedOfOnce) {
  folder_.Write("source", Block({"1 Ja INTJ _ 0 root"}) + Block({"1 Ja INTJ _ 0 root"}));
  std::vector<std::string> warnings;
  Reporter reporter;
  reporter.warn = [&](std::string_view message) { warnings.emplace_back(message); };
  SourceReader reader(path_, SourceFormat::kText, {}, reporter);
  for (Sentence sentence; reader.Next(&sentence);) EXPECT_LE(sentence.size(), 10);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr(":1: read as text, but the line looks like CoNLL-U"));
}

TEST_F(SourceReaderTest, FormatFollowsTheName) {
  EXPECT_EQ(SourceFormatOf("a/train.de.conllu.xz"), SourceFormat::kConllu);
  EXPECT_EQ(SourceFormatOf("train.conll"), SourceFormat::kConllu);
  EXPECT_EQ(SourceFormatOf("train.de.gz"), SourceFormat::kText);
  EXPECT_EQ(SourceFormatOf("-"), SourceFormat::kText);
}

TEST_F(SourceReaderTest, FormatFollowsTheContentOfOtherNames) {
  const auto format_of = [&](const std::string& text) {
    folder_.Write("plain.de", text);
    return SourceFormatOf(folder_.File("plain.de"));
  };
  const std::string block = Block({"1 Ja INTJ _ 0 root"});
  for (const std::string before : {"", "# newdoc\n", "\xEF\xBB\xBF", "# text = \n\n", "# a\r\n"})
    EXPECT_EQ(format_of(before + block), SourceFormat::kConllu) << before;
  EXPECT_EQ(format_of(Line("1-2 zum _ _ _ _") + block), SourceFormat::kConllu);
  for (const std::string text : {"", "\n", "# all\n# comments\n", "1\tJa\n", "1 Ja _ _ _ _ _ _ _ _\n", "Ja .\n"})
    EXPECT_EQ(format_of(text), SourceFormat::kText) << text;
  EXPECT_EQ(format_of("Ja .\n" + block), SourceFormat::kText);
}

TEST_F(SourceReaderTest, WhatPeopleSayComesFirstAndStdinGoesBySystem) {
  const std::string parsed = folder_.Write("parsed.de", Block({"1 Ja INTJ _ 0 root"}));
  for (const bool reads_tree : {false, true}) {
    EXPECT_EQ(ChooseFormat("", parsed, reads_tree), SourceFormat::kConllu);
    EXPECT_EQ(ChooseFormat("text", parsed, reads_tree), SourceFormat::kText);
    EXPECT_EQ(ChooseFormat("text", "-", reads_tree), SourceFormat::kText);
    EXPECT_EQ(ChooseFormat("conllu", "-", reads_tree), SourceFormat::kConllu);
    EXPECT_EQ(ChooseFormat("", folder_.Write("plain.de", "Ja .\n"), reads_tree), SourceFormat::kText);
    EXPECT_THROW(ChooseFormat("pdf", parsed, reads_tree), Error);
  }
  EXPECT_EQ(ChooseFormat("", "-", true), SourceFormat::kConllu);
  EXPECT_EQ(ChooseFormat("", "-"), SourceFormat::kText);
  LineReader opened(parsed, {});
  EXPECT_EQ(ChooseFormat("", "-", false, &opened), SourceFormat::kConllu) << "a stream is asked for its content";
}

TEST_F(SourceReaderTest, BlocksHaveALimit) {
  std::string text = Block({"1 a X X 0 root"}), comment = "# " + std::string(1'000'000, 'x') + "\n";
  const std::string start = text;
  for (int i = 0; i < 65; ++i) text += comment;
  EXPECT_THAT(Failure(text + Line("1 a X X 0 root")), HasSubstr("3: more than 64 MB without a blank line"));
  EXPECT_EQ(Read(start + comment + Line("1 a X X 0 root")).size(), 2u);
}

TEST_F(SourceReaderTest, LongCommentsAreNotLookedThroughForever) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "# " + std::string(100'000, 'x') + "\n";
  folder_.Write("source", text + Line("1 a X X 0 root"));
  LineReader lines(path_, {});
  EXPECT_EQ(ChooseFormat("", "-", false, &lines), SourceFormat::kText);
}

}  // namespace
}  // namespace graft::engine
