#include "corpus/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "graft/error.h"
#include "temporary_folder.h"
#include "util/line_reader.h"
#include "util/output_file.h"

namespace graft::engine {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string Conllu(const std::string& form, const std::string& head) {
  return "1\t" + form + "\t_\tX\t_\t_\t" + head + "\troot\t_\t_\n\n";
}

class CheckTest : public testing::Test {
 protected:
  // Findings as `E…`, `W…`, `N…`, the folder left out of names.
  std::vector<std::string> Check(const CheckOptions& options) {
    std::vector<std::string> findings;
    summary_ = CheckCorpus(options,
                           [&](const Finding& finding) {
                             std::string message = finding.message;
                             for (size_t at; (at = message.find(folder_.path() + "/")) != std::string::npos;)
                               message.erase(at, folder_.path().size() + 1);
                             findings.push_back("EWN"[static_cast<int>(finding.severity)] + message);
                           },
                           {});
    return findings;
  }

  CheckOptions Files(const std::string& source, const std::string& target, const std::string& align) {
    CheckOptions options;
    options.source = folder_.Write("s", source);
    options.target = folder_.Write("t", target);
    options.align = folder_.Write("a", align);
    return options;
  }

  TemporaryFolder folder_;
  CheckSummary summary_;
};

TEST_F(CheckTest, AGoodCorpus) {
  EXPECT_THAT(Check(Files("ein Hund\nja\n", "a dog\nyes\n", "0-0 1-1\n\n")), IsEmpty());
  EXPECT_EQ(summary_.pairs, 2);
  EXPECT_EQ(summary_.bad_pairs, 0);
  EXPECT_FALSE(summary_.wrote_clean);
}

TEST_F(CheckTest, GoesOnAfterEachProblem) {
  const auto findings = Check(Files("a\nb\xFF\nc\n", "a\nb\n\xC3\n", "5-0 0-7 x\n0-0\n0-0\n"));
  EXPECT_THAT(findings, ElementsAre("Ea:1: link 5-0, but the source sentence has 1 word, counted from 0",
                                    "Ea:1: link 0-7, but the target sentence has 1 word, counted from 0",
                                    "Ea:1: `x` is not a link; links are written i-j, counted from 0",
                                    "Es:2: invalid UTF-8", "Et:3: invalid UTF-8"));
  EXPECT_EQ(summary_.errors, 5);
  EXPECT_EQ(summary_.bad_pairs, 3);
}

TEST_F(CheckTest, EveryProblemOfABlock) {
  CheckOptions options;
  options.format = SourceFormat::kConllu;
  options.source = folder_.Write("s", Conllu("gut", "0") + "1\ta\t_\tX\t_\t_\t9\tx\t_\t_\n" +
                                          "2\tb\t_\tX\t_\t_\tq\tx\t_\t_\n" + "3\tc\t_\tX\t_\n\n" + Conllu("o", "1"));
  EXPECT_THAT(Check(options), ElementsAre("Es:3: head 9 of word 1, but the sentence has 3 words (sentence 2)",
                                          "Es:4: head `q` of word 2 is not a number (sentence 2)",
                                          "Es:5: 5 columns, but CoNLL-U has 10, separated by tabs (sentence 2)",
                                          "Es:7: the heads form a cycle: 1 → 1 (sentence 3)"));
  EXPECT_EQ(summary_.bad_pairs, 2);
}

TEST_F(CheckTest, LinksCountTokensOrWords) {
  CheckOptions options;
  options.format = SourceFormat::kConllu;
  options.source = folder_.Write("s",
                                 "1-2\tim\t_\t_\t_\t_\t_\t_\t_\t_\n1\tin\t_\tX\t_\t_\t0\tx\t_\t_\n"
                                 "2\tdem\t_\tX\t_\t_\t1\tx\t_\t_\n");
  options.align = folder_.Write("a", "1-0\n");
  EXPECT_THAT(Check(options), ElementsAre(HasSubstr("the source sentence has 1 word")));
  options.words = true;
  EXPECT_THAT(Check(options), IsEmpty());
}

TEST_F(CheckTest, LinksOfABadSentenceAreNotMeasuredByIt) {
  CheckOptions options = Files("", "a b\n", "3-1 3-2\n");
  options.format = SourceFormat::kConllu;
  options.source = folder_.Write("s", Conllu("a", "7"));
  EXPECT_THAT(Check(options), ElementsAre(HasSubstr("s:1: head 7"), HasSubstr("a:1: link 3-2, but the target")));
}

TEST_F(CheckTest, DifferentLengths) {
  const auto findings = Check(Files("a\nb\nc\n", "a\n", "0-0\n0-0\n0-x\n"));
  EXPECT_THAT(findings, ElementsAre("Ea:3: `0-x` is not a link; links are written i-j, counted from 0",
                                    "Ethe files do not run in step: s has 3 lines, t has 1 line, a has 3 lines"));
  EXPECT_EQ(summary_.pairs, 3);
  EXPECT_EQ(summary_.bad_pairs, 2);
}

TEST_F(CheckTest, WhatIsAcceptedIsNotedOnly) {
  std::string tokens;
  for (int i = 0; i < 251; ++i) tokens += "x ";
  const auto findings =
      Check(Files("\xEF\xBB\xBF"
                  "a\r\n\r\n" +
                      tokens + "\r\n",
                  "a\nb\n \n", "\n\n\n"));
  EXPECT_THAT(findings, ElementsAre("Ws:1: the byte-order mark is removed",
                                    "Ws:1: the line ends in CR LF; the CR is removed, here and in later lines",
                                    "Ns:2: empty line; it gives no rules",
                                    "Ns:3: 251 tokens; pairs of more than 250 are skipped in training",
                                    "Nt:3: empty line; it gives no rules"));
  EXPECT_EQ(summary_.errors, 0);
  EXPECT_EQ(summary_.warnings, 2);
  EXPECT_EQ(summary_.notes, 3);
}

TEST_F(CheckTest, AnEmptyCorpusIsAnError) {
  EXPECT_THAT(Check(Files("", "", "")), Contains("Es: no lines; the corpus is empty"));
}

TEST_F(CheckTest, UnreadableFilesDoNotHideProblemsOfTheOthers) {
  CheckOptions options = Files("a\n", "\xFF\n", "0-0\n");
  options.source = folder_.File("missing");
  options.clean_folder = folder_.File("clean");
  EXPECT_THAT(Check(options), ElementsAre("Ecannot open missing: No such file or directory", "Et:1: invalid UTF-8"));
  EXPECT_FALSE(summary_.wrote_clean);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.File("clean"))) << "no half copies";
}

TEST_F(CheckTest, CleanCopiesKeepGoodPairsAsTheyAre) {
  CheckOptions options;
  options.format = SourceFormat::kConllu;
  const std::string first = "\xEF\xBB\xBF# text = a\r\n1\ta b\tlemma\tX\t_\tF=1\t0\troot\t_\tSpaceAfter=No\r\n\r\n";
  const std::string first_clean = "# text = a\n1\ta b\tlemma\tX\t_\tF=1\t0\troot\t_\tSpaceAfter=No\n\n";
  options.source =
      folder_.Write("s.conllu", first + "\n\n" + Conllu("b", "9") + "# leer\n\n" + Conllu("d", "0") + Conllu("e", "0"));
  options.target = folder_.File("t.gz");
  {
    OutputFile target(options.target);
    target.Write("A  B\t\nbad\n\nd\xFF\ne");
    target.Close();
  }
  options.align = folder_.Write("a", "0-1  0-0\n0-0\n\n0-0\n0-0\n");
  options.clean_folder = folder_.File("new/clean");
  EXPECT_EQ(Check(options).size(), 6) << "two errors; byte-order mark, CR LF; two empty sides";
  EXPECT_TRUE(summary_.wrote_clean);
  EXPECT_EQ(summary_.bad_pairs, 2);
  EXPECT_EQ(folder_.Read("new/clean/s.conllu"), first_clean + "# leer\n\n" + Conllu("e", "0"));
  EXPECT_EQ(folder_.Read("new/clean/a"), "0-1  0-0\n\n0-0\n");
  LineReader target(folder_.File("new/clean/t.gz"), {});
  std::vector<std::string> lines;
  while (target.Next()) lines.emplace_back(target.line());
  EXPECT_THAT(lines, ElementsAre("A  B\t", "", "e"));

  CheckOptions again = options;
  again.source = folder_.File("new/clean/s.conllu");
  again.target = folder_.File("new/clean/t.gz");
  again.align = folder_.File("new/clean/a");
  again.clean_folder = "";
  Check(again);
  EXPECT_EQ(summary_.errors, 0);
}

TEST_F(CheckTest, CleanCopiesDropWhatHasNoPartner) {
  CheckOptions options = Files("a\nb\nc\n", "a\nb\n", "\n\n\n\n");
  options.clean_folder = folder_.File("clean");
  Check(options);
  EXPECT_EQ(folder_.Read("clean/s"), "a\nb\n");
  EXPECT_EQ(folder_.Read("clean/t"), "a\nb\n");
  EXPECT_EQ(folder_.Read("clean/a"), "\n\n");
}

TEST_F(CheckTest, OptionsThatMakeNoSense) {
  EXPECT_THROW(Check({}), Error);
  CheckOptions options = Files("a\n", "a\n", "0-0\n");
  options.clean_folder = folder_.path();
  EXPECT_THROW(Check(options), Error) << "would overwrite the input";
  EXPECT_EQ(folder_.Read("s"), "a\n");
  options = {};
  options.source = options.target = "-";
  EXPECT_THROW(Check(options), Error);
}

}  // namespace
}  // namespace graft::engine
