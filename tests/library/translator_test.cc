#include "graft/translator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "graft/format.h"
#include "support/example_models.h"

namespace graft {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kText = "Der Lehrer ruft den Arzt an. Die Frau kauft das Buch.";

std::string Cut(const std::string& text, size_t begin, size_t end) { return text.substr(begin, end - begin); }

class LibraryTranslatorTest : public ::testing::Test {
 protected:
  std::shared_ptr<const Model> Raw() { return models_.Train("raw", {"name=pbmt"}, true); }
  std::shared_ptr<const Model> Graph() { return models_.Train("graph", {"name=seggbmt", "graph=dbg"}, false); }
  fixtures::ExampleModels models_;
};

TEST_F(LibraryTranslatorTest, TextKeepsItsWhiteSpaceAndParagraphs) {
  const Translator translator(Raw(), {.threads = 2});
  const Result together = translator.Translate("  " + kText + "\n\n\tDer Mann schläft.\n");
  ASSERT_EQ(together.sentences.size(), 3u);
  std::string expected = "  ";
  expected += translator.Translate("Der Lehrer ruft den Arzt an.").text + " ";
  expected += translator.Translate("Die Frau kauft das Buch.").text + "\n\n\t";
  expected += translator.Translate("Der Mann schläft.").text + "\n";
  EXPECT_EQ(together.text, expected);
  EXPECT_EQ(translator.Translate("").text, "");
  EXPECT_EQ(translator.Translate(" \n ").text, " \n ");
}

TEST_F(LibraryTranslatorTest, ByteRangesLeadBackToTheTexts) {
  const Translator translator(Raw(), {.threads = 1});
  const Result result = translator.Translate("»Dör Lehrer« kommt.\n" + kText, {.alternatives = 3});
  for (const Sentence& sentence : result.sentences) {
    EXPECT_EQ(Cut(result.source, sentence.begin, sentence.end), sentence.text);
    EXPECT_EQ(Cut(result.text, sentence.target_begin, sentence.target_end), sentence.best.text);
    for (const SourceToken& token : sentence.tokens) EXPECT_EQ(Cut(result.source, token.begin, token.end), token.text);
    for (const Token& token : sentence.best.tokens)
      EXPECT_EQ(Cut(sentence.best.text, token.begin, token.end), token.text);
    for (const auto& [s, t] : sentence.best.alignment) {
      EXPECT_LT(s, static_cast<int>(sentence.tokens.size()));
      EXPECT_LT(t, static_cast<int>(sentence.best.tokens.size()));
    }
  }
}

TEST_F(LibraryTranslatorTest, TreesAreTranslatedAndExplained) {
  const Translator translator(Graph(), {.threads = 1});
  const Input parsed = Input::Parsed({{"der", "ART", 2, "det"},
                                      {"Lehrer", "NN", 3, "nsubj"},
                                      {"ruft", "VVFIN", 0, "root"},
                                      {"den", "ART", 5, "det"},
                                      {"Arzt", "NN", 3, "obj"},
                                      {"an", "PTKVZ", 3, "compound:prt"}});
  const Result result = translator.Translate(parsed, {.derivation = true});
  ASSERT_EQ(result.sentences.size(), 1u);
  const Sentence& sentence = result.sentences[0];
  EXPECT_EQ(result.source, "der Lehrer ruft den Arzt an");
  EXPECT_EQ(sentence.tokens[4].head, 3);
  const auto edge = [&](int from, int to, bool dependency) {
    return std::any_of(sentence.graph.begin(), sentence.graph.end(),
                       [&](const GraphEdge& e) { return e.from == from && e.to == to && e.dependency == dependency; });
  };
  EXPECT_TRUE(edge(2, 5, true));   // ruft → an
  EXPECT_TRUE(edge(5, 4, false));  // an → Arzt, neighbours
  std::vector<int> covered;
  for (const Step& step : sentence.best.derivation)
    covered.insert(covered.end(), step.positions.begin(), step.positions.end());
  std::sort(covered.begin(), covered.end());
  EXPECT_THAT(covered, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(ExplanationOf(sentence, 0), HasSubstr("source  der Lehrer ruft den Arzt an"));

  const Result conllu =
      translator.Translate(Input::Conllu("1\tder\t_\t_\tART\t_\t2\tdet\t_\t_\n2\tLehrer\t_\t_\tNN\t_\t0\troot\t_\t_\n\n"
                                         "1\tArzt\t_\t_\tNN\t_\t0\troot\t_\t_\n"));
  EXPECT_EQ(conllu.sentences.size(), 2u);
  EXPECT_EQ(conllu.source, "der Lehrer\nArzt");
}

TEST_F(LibraryTranslatorTest, LongSentencesAreExplainedToo) {
  std::vector<Word> words;
  for (int i = 0; i < 600; ++i) words.push_back({i % 50 == 49 ? "." : "Arzt", "NN", i, "dep"});
  const Sentence sentence =
      Translator(Graph(), {.threads = 1}).Translate(Input::Parsed(words), {.derivation = true}).sentences[0];
  EXPECT_EQ(sentence.tokens.size(), 600u);
  EXPECT_TRUE(std::any_of(sentence.graph.begin(), sentence.graph.end(),
                          [](const GraphEdge& edge) { return edge.from == 598 && edge.to == 599; }));
  EXPECT_EQ(sentence.best.derivation.back().positions.back(), 599);
}

TEST_F(LibraryTranslatorTest, InputThatAModelDoesNotReadIsRefused) {
  const auto graph = Graph();
  const Translator translator(graph, {.threads = 1});
  EXPECT_THROW(translator.Translate("raw text"), Error);
  EXPECT_THROW(translator.Translate(Input::Tokens({"a"})), Error);
  EXPECT_THROW(translator.Translate(Input::Parsed({{"a", "N", 2, ""}})), Error);                     // no such head
  EXPECT_THROW(translator.Translate(Input::Parsed({{"a", "N", 2, ""}, {"b", "N", 1, ""}})), Error);  // a cycle
  EXPECT_THROW(translator.Translate(Input::Parsed({{"a", "N", 2, ""}, {"b", "N", 1 << 30, ""}})), Error);
  EXPECT_THROW(translator.Translate(Input::Parsed({{"", "N", 0, ""}})), Error);
  try {
    translator.Translate(Input::Conllu("1\ta\t_\t_\tN\t_\t7\tdep\t_\t_\n"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.line(), 1u);
    EXPECT_THAT(error.problem(), HasSubstr("head 7"));
  }
  EXPECT_EQ(translator.Translate(Input::Parsed({})).text, "");
}

TEST_F(LibraryTranslatorTest, InputsHaveALimit) {
  const Translator raw(Raw(), {.threads = 1});
  const std::string much(64'000'001, ' '), half(32'000'001, 'x');
  for (const Input& input : {Input::Text(much), Input::Line(much), Input::Tokens({half, half})}) {
    try {
      raw.Translate(input);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("more than 64 MB"));
    }
  }
  const Translator graph(Graph(), {.threads = 1});
  EXPECT_THROW(graph.Translate(Input::Conllu(much)), Error);
  EXPECT_THROW(graph.Translate(Input::Parsed({{half, "N", 0, "root"}, {half, "N", 1, "dep"}})), Error);
}

TEST_F(LibraryTranslatorTest, ManyComeInOrderFromAnyNumberOfThreads) {
  const auto model = Raw();
  std::vector<Input> inputs;
  for (int i = 0; i < 60; ++i) inputs.push_back(Input::Text(i % 3 == 0 ? kText : "Der Mann " + std::to_string(i)));
  std::vector<std::string> alone;
  const Translator one(model, {.threads = 1});
  for (const Input& input : inputs) alone.push_back(one.Translate(input).text);
  for (const int threads : {1, 3}) {
    const Translator translator(model, {.threads = threads, .queue = 4});
    std::vector<std::string> all, streamed;
    for (const Result& result : translator.TranslateAll(inputs)) all.push_back(result.text);
    EXPECT_EQ(all, alone);
    size_t next = 0;
    translator.TranslateStream(
        [&](Input* input) {
          if (next == inputs.size()) return false;
          *input = inputs[next++];
          return true;
        },
        [&](Result&& result) { streamed.push_back(result.text); });
    EXPECT_EQ(streamed, alone);
  }
}

TEST_F(LibraryTranslatorTest, CallsFromManyThreadsShareOneTranslator) {
  const Translator translator(Raw(), {.threads = 2});
  const std::string expected = translator.Translate(kText).text;
  std::vector<std::jthread> callers;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i)
    callers.emplace_back([&] {
      for (int k = 0; k < 5; ++k) right += translator.Translate(kText).text == expected ? 1 : 0;
    });
  callers.clear();
  EXPECT_EQ(right, 40);
}

TEST_F(LibraryTranslatorTest, AlternativesAreDistinctAndBestFirst) {
  const Translator translator(Raw(), {.threads = 1});
  const Sentence sentence =
      translator.Translate(Input::Line("Der Lehrer ruft den Arzt an."), {.alternatives = 9}).sentences[0];
  ASSERT_EQ(sentence.alternatives.size(), 9u);
  std::set<std::string> texts = {sentence.best.text};
  float last = sentence.best.score;
  for (const Translation& alternative : sentence.alternatives) {
    EXPECT_LE(alternative.score, last);
    last = alternative.score;
    EXPECT_TRUE(texts.insert(alternative.text).second) << alternative.text;
  }
}

TEST_F(LibraryTranslatorTest, SettingsBelongToTranslatorsAndCalls) {
  const auto model = Raw();
  const Translator usual(model, {.threads = 1});
  const Translator other(model, {.threads = 1, .settings = {"weights.LM=0", "search.beam=1"}});
  const float plain = usual.Translate(kText).sentences[0].best.score;
  const float changed = other.Translate(kText).sentences[0].best.score;
  EXPECT_NE(plain, changed);
  EXPECT_EQ(usual.Translate(kText, {.settings = {"weights.LM=0", "search.beam=1"}}).sentences[0].best.score, changed);
  EXPECT_EQ(usual.Translate(kText).sentences[0].best.score, plain);
  EXPECT_THROW(usual.Translate(kText, {.settings = {"search.beem=1"}}), Error);
  EXPECT_THROW(usual.Translate(kText, {.settings = {"system.name=hpbmt"}}), Error);
  EXPECT_THROW(Translator(model, {.settings = {"weights.Glue=1"}}), Error);
}

TEST_F(LibraryTranslatorTest, ALateCallReturnsWhatItHasAndSaysSo) {
  const Translator translator(Raw(), {.threads = 1});
  std::string text;
  for (int i = 0; i < 400; ++i) text += kText + " ";
  const auto started = std::chrono::steady_clock::now();
  const Result result = translator.Translate(text, {.time_limit = 20ms});
  EXPECT_LT(std::chrono::steady_clock::now() - started, 2s);
  ASSERT_EQ(result.sentences.size(), 800u);
  EXPECT_TRUE(result.cut_short);
  EXPECT_TRUE(result.sentences.back().cut_short);
  EXPECT_EQ(result.sentences.back().best.text, "Die Frau kauft das Buch.");
  EXPECT_EQ(Cut(result.text, result.sentences.back().target_begin, result.sentences.back().target_end),
            "Die Frau kauft das Buch.");
  const Result after = translator.Translate(kText);
  EXPECT_FALSE(after.cut_short);
  EXPECT_NE(after.text, kText);
}

TEST_F(LibraryTranslatorTest, AStoppedCallEndsAndLeavesTheTranslatorUsable) {
  const Translator translator(Raw(), {.threads = 2, .queue = 8});
  const std::string expected = translator.Translate(kText).text;
  std::string text;
  for (int i = 0; i < 2000; ++i) text += kText + " ";
  std::stop_source stop;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(30ms);
    stop.request_stop();
  });
  EXPECT_THROW(translator.Translate(text, {.stop = stop.get_token()}), Stopped);
  EXPECT_THROW(translator.Translate(kText, {.stop = stop.get_token()}), Stopped);
  EXPECT_EQ(translator.Translate(kText).text, expected);
}

TEST_F(LibraryTranslatorTest, SubmittedCallsComeAsFuturesUntilTheQueueIsFull) {
  const Translator translator(Raw(), {.threads = 1, .queue = 2});
  const std::string expected = translator.Translate(kText).text;
  EXPECT_EQ(translator.Submit(Input::Text(kText)).get().text, expected);
  EXPECT_EQ(translator.Submit(Input::Text("")).get().text, "");
  std::string much;
  for (int i = 0; i < 300; ++i) much += kText + " ";
  std::future<Result> busy = translator.Submit(Input::Text(much));
  EXPECT_THROW(translator.Submit(Input::Text(kText)), Busy);
  EXPECT_EQ(busy.get().sentences.size(), 600u);
  EXPECT_EQ(translator.Submit(Input::Text(kText)).get().text, expected);
}

TEST_F(LibraryTranslatorTest, FuturesOfATranslatorThatEndsAreKept) {
  std::future<Result> future;
  {
    const Translator translator(Raw(), {.threads = 1});
    std::string much;
    for (int i = 0; i < 3000; ++i) much += kText + " ";
    future = translator.Submit(Input::Text(much));
  }
  EXPECT_THROW(future.get(), Stopped);
}

TEST_F(LibraryTranslatorTest, RescoringFindsTheScoreAgain) {
  const Translator translator(Raw(), {.threads = 2});
  const Input input = Input::Line("Der Lehrer ruft den Arzt an.");
  const Sentence sentence = translator.Translate(input, {.alternatives = 4}).sentences[0];
  RescoreItem item{.input = input, .targets = {}};
  for (const Translation* translation : {&sentence.best, &sentence.alternatives[3]}) {
    std::vector<std::string> tokens;
    for (const Token& token : translation->tokens) tokens.push_back(token.text);
    item.targets.push_back(tokens);
  }
  item.targets.push_back({"underivable"});
  const std::vector<Rescored> rescored = translator.Rescore(item);
  ASSERT_EQ(rescored.size(), 3u);
  EXPECT_NEAR(rescored[0].best.score, sentence.best.score, 1e-3);
  EXPECT_GE(rescored[1].best.score, sentence.alternatives[3].score - 1e-3);
  EXPECT_EQ(rescored[2].outcome, Rescored::Outcome::kNotDerivable);
  EXPECT_EQ(translator.Rescore(item, {.max_edges = 1})[0].outcome, Rescored::Outcome::kTooLarge);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(translator.Rescore(item, {.stop = stop.get_token()}), Stopped);
}

TEST_F(LibraryTranslatorTest, CountersSayWhatWasDone) {
  const Translator translator(Raw(), {.threads = 2});
  translator.Translate(kText);
  const auto counters = translator.Statistics();
  ASSERT_FALSE(counters.empty());
  EXPECT_EQ(counters[0], (std::pair<std::string, uint64_t>("sentences", 2)));
}

TEST_F(LibraryTranslatorTest, SettingsOfCallsAreChecked) {
  const Translator translator(Raw(), {.threads = 1});
  const auto error = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& caught) {
      return caught.what();
    }
    return "no error";
  };
  EXPECT_EQ(error([&] { translator.Translate("Das", {.alternatives = UINT32_MAX}); }),
            "translate.alternatives is 4294967295; it must be 0 to 999999");
  EXPECT_EQ(error([&] { translator.Submit(Input::Text("Das"), {.alternatives = 1'000'000}); }),
            "translate.alternatives is 1000000; it must be 0 to 999999");
  EXPECT_EQ(error([&] { translator.Rescore({.input = Input::Line("Das"), .targets = {{"the"}}}, {.max_edges = 0}); }),
            "translate.max_edges (--max-edges) is 0; it must be 1 to 1099511627776");
}

}  // namespace
}  // namespace graft
