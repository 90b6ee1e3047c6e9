// Preparing text, and results as text, as calls of the library.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "graft/graft.h"
#include "temporary_folder.h"

namespace graft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char* const kText = "Das Haus ist alt.\nWir sehen das Haus und die EU.\nHier ist das Haus.\n";

std::string ErrorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(TextTest, LinesBecomeTokensAndTextAgain) {
  const Tokeniser english({.language = "en"});
  EXPECT_THAT(english.Tokens("He doesn't know."), ElementsAre("He", "doesn", "'t", "know", "."));
  EXPECT_EQ(english.Text({"He", "doesn", "'t", "know", "."}), "He doesn't know.");
}

TEST(TextTest, CaseIsLearnedFromAFileAndUsed) {
  const engine::TemporaryFolder folder;
  const std::string text = folder.Write("text", kText), cases = folder.File("cases");
  for (const int threads : {1, 3}) {
    TokeniseFile({.input = text,
                  .output = folder.File("tokens"),
                  .tokeniser = {.language = "de"},
                  .truecase_output = cases,
                  .threads = threads});
    EXPECT_THAT(folder.Read("tokens"), HasSubstr("Das Haus ist alt .\nWir sehen das Haus und die EU .\n"));
    EXPECT_EQ(folder.Read("cases"), "graft truecase 1\nalt\ndas\ndie\nEU\nHaus\nist\nsehen\nund\n");
  }
  const Tokeniser cased({.language = "de", .truecase = cases});
  EXPECT_THAT(cased.Tokens("Das ist es."), ElementsAre("das", "ist", "es", "."));
  EXPECT_EQ(cased.Text({"das", "ist", "es", "."}), "Das ist es.");
  EXPECT_THAT(Tokeniser({.truecase = cases, .tokenised = true}).Tokens("Das ist's ."),
              ElementsAre("das", "ist's", "."));
  TokeniseFile(
      {.input = folder.File("tokens"), .output = folder.File("back"), .tokeniser = {.language = "de"}, .undo = true});
  EXPECT_EQ(folder.Read("back"), kText);
}

TEST(TextTest, WhatMeansNothingIsAnError) {
  const engine::TemporaryFolder folder;
  const std::string text = folder.Write("text", kText);
  EXPECT_THAT(ErrorOf([&] { TokeniseFile({.input = text, .undo = true, .truecase_output = folder.File("cases")}); }),
              HasSubstr("means nothing with --undo"));
  EXPECT_THAT(ErrorOf([&] { TokeniseFile({.input = text, .tokeniser = {.tokenised = true}}); }),
              HasSubstr("nothing to do"));
  EXPECT_THAT(ErrorOf([&] { Tokeniser({.truecase = text}); }), HasSubstr("text:1: not a truecase model"));
}

TEST(TextTest, ScoresAreLinesAndObjects) {
  const std::vector<Score> scores =
      EvaluateLines({"the cat sits on the mat"}, {{"the cat sits on the mat"}}, {.metrics = {"bleu", "ter"}});
  const std::string lines = ScoresText(scores, 1);
  EXPECT_THAT(lines, HasSubstr(" = 100.0 "));
  EXPECT_EQ(lines.find(" = "), lines.find(" = ", lines.find('\n')) - lines.find('\n') - 1) << "below each other";
  EXPECT_THAT(ScoresJson(scores), HasSubstr("\"name\": \"BLEU\",\n  \"score\": 100.0,"));
}

TEST(TextTest, AConsensusIsAnObject) {
  const CombinedSentence sentence{.text = "a \"b\"", .expected_bleu = 50, .probability = 0.5, .models = {0, 2}};
  EXPECT_EQ(JsonOf(sentence, {"x", "y", "z"}),
            R"({"text":"a \"b\"","expected_bleu":50.0,"probability":0.5,"models":["x","z"]})");
}

TEST(TextTest, ATableGoesWhereItCanBeMapped) {
  const engine::TemporaryFolder folder;
  const std::string text = folder.Write("text", "a\n"), links = folder.Write("links", "0-0\n");
  const auto error_of = [&](const std::string& output) {
    return ErrorOf([&] {
      BuildTable(
          {.system = {"name=pbmt"}, .source = text, .target = text, .align = links, .output = output, .memory = "64M"});
    });
  };
  EXPECT_THAT(error_of("-"), HasSubstr("cannot be written to stdout"));
  EXPECT_THAT(error_of(folder.File("rules.gz")), HasSubstr("cannot be compressed"));
  EXPECT_EQ(error_of(folder.File("rules.graft")), "no error");
}

TEST(TextTest, MessagesAreNotThoseOfTheCommandLine) {
  EXPECT_THAT(ErrorOf([] {
                Compare({.references = {"r"}, .systems = {{"a", {"x"}}, {"b", {}}}});
              }),
              HasSubstr("system b: no output; give one file for each run"));
  EXPECT_THAT(ErrorOf([] { Tune({.output = "-", .runs = 2}); }), HasSubstr("give the output a name"));
  EXPECT_THAT(ErrorOf([] { EstimateLanguageModel({.texts = {"t"}, .output = "o", .memory = "1K"}); }),
              HasSubstr("a memory limit of 1K (1024 bytes) is too small"));
  EXPECT_THAT(ErrorOf([] { Align({.source = "-", .target = "-"}); }), HasSubstr("stdin (-) can be only one"));
}

}  // namespace
}  // namespace graft
