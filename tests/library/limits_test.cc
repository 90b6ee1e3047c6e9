// Time limits and stops of calls: kept within milliseconds, whatever else the threads do and whatever the input is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <thread>

#include "graft/graft.h"
#include "support/cpu_time.h"
#include "support/example_models.h"

namespace graft {
namespace {

using namespace std::chrono_literals;
using ::testing::Each;
using ::testing::Field;
using Clock = std::chrono::steady_clock;

constexpr auto kLimit = 50ms;
constexpr auto kMost = engine::kSlowness * 50ms;  // what a call may take longer

// How much later than kLimit `call` ends, at best: a machine with other work to do is late now and then, one that
// waits for something else always.
template <class Call>
Clock::duration Overrun(Call call) {
  Clock::duration least = Clock::duration::max();
  for (int k = 0; k < 5 && least > 20ms; ++k) {
    const Clock::time_point started = Clock::now();
    call();
    least = std::min(least, Clock::now() - started - kLimit);
  }
  return least;
}

// A stop that is asked for after kLimit.
class LaterStop {
 public:
  std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::jthread thread_{[stop = stop_]() mutable {
    std::this_thread::sleep_for(kLimit);
    stop.request_stop();
  }};
};

// Keeps the only thread of a translator or combiner at work until the end of the test: a line that takes longer than
// any of them.
class Occupied {
 public:
  template <class Stream>
  explicit Occupied(Stream stream) {
    auto queued = std::make_shared<std::promise<void>>();
    std::future<void> ready = queued->get_future();
    thread_ = std::jthread([stream, queued, stop = stop_.get_token()] {
      const auto read = [queued, calls = 0](Input* input) mutable {
        if (calls++ > 0) {  // the line is in the queue
          queued->set_value();
          return false;
        }
        std::string line;
        for (int i = 0; i < 50'000; ++i) line += "Der Lehrer ruft den Arzt an . ";
        *input = Input::Line(line);
        return true;
      };
      EXPECT_THROW(stream(read, stop), Stopped) << "what was to take long is done";
    });
    ready.wait();
  }
  ~Occupied() { stop_.request_stop(); }

 private:
  std::stop_source stop_;
  std::jthread thread_;
};

// As soon as a thread has taken up what occupies it.
std::future<Result> SubmitBehind(const Occupied&, const Translator& translator, const TranslateOptions& options = {}) {
  for (;;) {
    try {
      return translator.Submit(Input::Text("Der Lehrer ruft den Arzt an. Die Frau kauft das Buch."), options);
    } catch (const Busy&) {
      std::this_thread::sleep_for(1ms);
    }
  }
}

class CallLimitsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    models_ = new fixtures::ExampleModels;
    raw_ = new std::shared_ptr(models_->Train("raw", {"name=pbmt"}, true));
    graph_ = new std::shared_ptr(models_->Train("graph", {"name=seggbmt", "graph=dbg"}, false));
  }
  static void TearDownTestSuite() {
    delete raw_;
    delete graph_;
    delete models_;
  }
  static const std::shared_ptr<const Model>& Raw() { return *raw_; }
  static const std::shared_ptr<const Model>& Graph() { return *graph_; }

 private:
  static fixtures::ExampleModels* models_;
  static std::shared_ptr<const Model>*raw_, *graph_;
};
fixtures::ExampleModels* CallLimitsTest::models_ = nullptr;
std::shared_ptr<const Model>* CallLimitsTest::raw_ = nullptr;
std::shared_ptr<const Model>* CallLimitsTest::graph_ = nullptr;

const std::string kText = "Der Lehrer ruft den Arzt an. Die Frau kauft das Buch.";

auto OccupyingStream(const Translator& translator) {
  return [&translator](const auto& read, const std::stop_token& stop) {
    translator.TranslateStream(read, [](Result&&) {}, {.stop = stop});
  };
}

TEST_F(CallLimitsTest, FuturesAreReadyAtTheTimeLimitThoughAllThreadsAreAtWork) {
  const Translator translator(Raw(), {.threads = 1});
  const Occupied occupied(OccupyingStream(translator));
  EXPECT_LT(Overrun([&] {
              const Result result = translator.Submit(Input::Text(kText), {.time_limit = kLimit}).get();
              EXPECT_TRUE(result.cut_short);
              EXPECT_EQ(result.text, kText);
              EXPECT_EQ(result.sentences.size(), 2u);
            }),
            kMost);
}

TEST_F(CallLimitsTest, FuturesAreReadyAtTheStopThoughAllThreadsAreAtWork) {
  const Translator translator(Raw(), {.threads = 1});
  const Occupied occupied(OccupyingStream(translator));
  EXPECT_LT(Overrun([&] {
              const LaterStop stop;
              EXPECT_THROW(translator.Submit(Input::Text(kText), {.stop = stop.token()}).get(), Stopped);
            }),
            kMost);
  std::stop_source before;
  before.request_stop();
  EXPECT_THROW(translator.Submit(Input::Text(kText), {.stop = before.get_token()}).get(), Stopped);
}

TEST_F(CallLimitsTest, SubmittedCallsThatEndedEarlyLeaveTheTranslatorUsable) {
  const Translator translator(Raw(), {.threads = 1, .queue = 4});
  const std::string expected = translator.Translate(kText).text;
  {
    const Occupied occupied(OccupyingStream(translator));
    std::stop_source stop;
    std::vector<std::future<Result>> stopped;
    for (int i = 0; i < 2; ++i) stopped.push_back(SubmitBehind(occupied, translator, {.stop = stop.get_token()}));
    EXPECT_THROW(translator.Submit(Input::Text(kText)), Busy);
    stop.request_stop();
    for (std::future<Result>& future : stopped) EXPECT_THROW(future.get(), Stopped);
    EXPECT_TRUE(translator.Submit(Input::Text(kText), {.time_limit = 1ms}).get().cut_short) << "the queue has room";
  }
  EXPECT_EQ(translator.Submit(Input::Text(kText), {.time_limit = 1h}).get().text, expected);
  EXPECT_EQ(translator.Submit(Input::Text(kText), {.time_limit = std::chrono::milliseconds::max()}).get().text,
            expected);
}

TEST_F(CallLimitsTest, WaitingCallsEndBehindAFullQueue) {
  const Translator translator(Raw(), {.threads = 1, .queue = 1});
  const Occupied occupied(OccupyingStream(translator));
  const std::future<Result> waiting = SubmitBehind(occupied, translator);
  EXPECT_LT(Overrun([&] { EXPECT_TRUE(translator.Translate(kText, {.time_limit = kLimit}).cut_short); }), kMost);
  const std::vector<Input> inputs(3, Input::Text(kText));
  EXPECT_LT(Overrun([&] {
              EXPECT_THAT(translator.TranslateAll(inputs, {.time_limit = kLimit}),
                          Each(Field(&Result::cut_short, true)));
            }),
            kMost);
  EXPECT_LT(Overrun([&] {
              const LaterStop stop;
              EXPECT_THROW(translator.TranslateAll(inputs, {.stop = stop.token()}), Stopped);
            }),
            kMost);
}

TEST_F(CallLimitsTest, StreamsEndBehindAFullQueue) {
  const Translator translator(Raw(), {.threads = 1, .queue = 1});
  const Occupied occupied(OccupyingStream(translator));
  const std::future<Result> waiting = SubmitBehind(occupied, translator);
  const auto three = [] {
    return [left = 3](Input* input) mutable {
      *input = Input::Text(kText);
      return left-- > 0;
    };
  };
  EXPECT_LT(Overrun([&] {
              int written = 0;
              translator.TranslateStream(three(),
                                         [&](Result&& result) {
                                           ++written;
                                           EXPECT_TRUE(result.cut_short);
                                           EXPECT_EQ(result.text, kText);
                                         },
                                         {.time_limit = kLimit / 3});  // of each; the queue takes none of them
              EXPECT_EQ(written, 3);
            }),
            kMost);
  EXPECT_LT(Overrun([&] {
              const LaterStop stop;
              EXPECT_THROW(translator.TranslateStream(three(), [](Result&&) {}, {.stop = stop.token()}), Stopped);
            }),
            kMost);
}

TEST_F(CallLimitsTest, RescoringEndsBehindAFullQueueAndInTheMiddle) {
  const Translator translator(Raw(), {.threads = 1, .queue = 1});
  const RescoreItem item{.input = Input::Line("Er kommt."), .targets = {{"He", "comes", "."}, {"no"}}};
  EXPECT_EQ(translator.Rescore(item, {.time_limit = 1h})[1].outcome, Rescored::Outcome::kNotDerivable);
  const Occupied occupied(OccupyingStream(translator));
  EXPECT_LT(Overrun([&] {
              const std::vector<Rescored> rescored = translator.Rescore(item, {.time_limit = kLimit});
              ASSERT_EQ(rescored.size(), 2u);
              EXPECT_THAT(rescored, Each(Field(&Rescored::outcome, Rescored::Outcome::kCutShort)));
            }),
            kMost);
  EXPECT_LT(Overrun([&] {
              const LaterStop stop;
              EXPECT_THROW(translator.Rescore(item, {.stop = stop.token()}), Stopped);
            }),
            kMost);
}

TEST_F(CallLimitsTest, RescoredTranslationsThatWereFoundInTimeAreKept) {
  const Translator translator(Raw(), {.threads = 1});
  const Sentence sentence = translator.Translate("Der Lehrer ruft den Arzt an.").sentences[0];
  std::vector<std::string> tokens;
  for (const Token& token : sentence.best.tokens) tokens.push_back(token.text);
  const RescoreItem item{.input = Input::Line("Der Lehrer ruft den Arzt an."),
                         .targets = std::vector<std::vector<std::string>>(100'000, tokens)};
  const std::vector<Rescored> rescored = translator.Rescore(item, {.time_limit = 500ms});
  EXPECT_EQ(rescored.front().outcome, Rescored::Outcome::kDerived);
  EXPECT_EQ(rescored.back().outcome, Rescored::Outcome::kCutShort);
}

TEST_F(CallLimitsTest, CombiningEndsWhateverItsThreadsDo) {
  const Combiner combiner({Raw()}, {.nbest = 10, .threads = 1});
  const CombinedResult whole = combiner.Combine(Input::Text(kText), {.time_limit = 1h});
  EXPECT_FALSE(whole.cut_short);
  EXPECT_EQ(whole.source, kText);
  ASSERT_EQ(whole.sentences.size(), 2u);
  EXPECT_EQ(whole.sentences[1].source, "Die Frau kauft das Buch.");
  EXPECT_EQ(whole.source.substr(whole.sentences[1].begin, whole.sentences[1].end - whole.sentences[1].begin),
            whole.sentences[1].source);
  ASSERT_EQ(whole.sentences[1].source_tokens.size(), 6u);
  EXPECT_EQ(whole.sentences[1].source_tokens[1].text, "Frau");
  const Occupied occupied([&](const auto& read, const std::stop_token& stop) {
    combiner.CombineStream(read, [](CombinedResult&&) {}, {.stop = stop});
  });
  EXPECT_LT(Overrun([&] {
              const CombinedResult result = combiner.Combine(Input::Text(kText), {.time_limit = kLimit});
              EXPECT_TRUE(result.cut_short);
              EXPECT_TRUE(result.sentences[0].cut_short);
              EXPECT_EQ(result.text, kText);
            }),
            kMost);
  EXPECT_LT(Overrun([&] {
              const LaterStop stop;
              EXPECT_THROW(combiner.Combine(Input::Text(kText), {.stop = stop.token()}), Stopped);
            }),
            kMost);
}

// Making the late result of a large call is no business of others.
TEST_F(CallLimitsTest, AnotherCallsLateResultDelaysNobody) {
  const Translator translator(Raw(), {.threads = 1, .queue = 4000});
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += kText + " ";
  for (const bool submitted : {false, true}) {
    const auto large = [&] { return Input::Text(submitted ? text.substr(0, 900 * (kText.size() + 1)) : text); };
    std::jthread other([&] {
      for (int i = 0; i < 3; ++i) {
        const TranslateOptions options{.time_limit = submitted ? 20ms : 2000ms};
        const Result result =
            submitted ? translator.Submit(large(), options).get() : translator.Translate(large(), options);
        EXPECT_FALSE(result.sentences.empty());
      }
    });
    for (int i = 0; i < 20; ++i)
      EXPECT_LT(Overrun([&] { translator.Translate(kText, {.time_limit = kLimit}); }), kMost);
  }
}

TEST_F(CallLimitsTest, WhoeverWritesMayTranslate) {
  const Translator translator(Raw(), {.threads = 1, .queue = 1});
  const std::string expected = translator.Translate(kText).text;
  int left = 3, written = 0;
  translator.TranslateStream(
      [&](Input* input) {
        *input = Input::Text(kText);
        return left-- > 0;
      },
      [&](Result&& result) {
        ++written;
        EXPECT_EQ(result.text, expected);
        EXPECT_EQ(translator.Translate(result.source).text, expected);
      });
  EXPECT_EQ(written, 3);
}

TEST_F(CallLimitsTest, SearchEndsLongBeforeItIsDone) {
  const Translator translator(Raw(), {.threads = 1, .settings = {"search.beam=2000", "search.threshold=0"}});
  std::string line;
  for (Clock::duration needed{}; needed < 10 * kLimit;) {
    for (int i = 0; i < 20; ++i) line += "Der Lehrer ruft den Arzt an und die Frau kauft das Buch ";
    const Clock::time_point started = Clock::now();
    EXPECT_FALSE(translator.Translate(Input::Line(line)).cut_short);
    needed = Clock::now() - started;
  }
  EXPECT_LT(Overrun([&] { EXPECT_TRUE(translator.Translate(Input::Line(line), {.time_limit = kLimit}).cut_short); }),
            kMost);
  EXPECT_LT(Overrun([&] {
              const LaterStop stop;
              EXPECT_THROW(translator.Translate(Input::Line(line), {.stop = stop.token()}), Stopped);
            }),
            kMost);
}

TEST_F(CallLimitsTest, TextsThatTakeLongToSplitAreCutRoughly) {
  const Translator translator(Raw(), {.threads = 1});
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += kText + (i % 3 == 0 ? "\n" : " ");  // 3 MB
  EXPECT_LT(Overrun([&] {
              const Result result = translator.Translate(text, {.time_limit = kLimit});
              EXPECT_TRUE(result.cut_short);
              EXPECT_EQ(result.text, text);
              EXPECT_EQ(result.sentences.size(), 100'000u);
            }),
            engine::kSlowness * 1s);  // making 100,000 sentences takes its time
  EXPECT_LT(Overrun([&] {
              const LaterStop stop;
              EXPECT_THROW(translator.Translate(text, {.stop = stop.token()}), Stopped);
            }),
            kMost);
  const Result line = translator.Translate(Input::Line(text.substr(0, 1'000'000)), {.time_limit = 1ms});
  ASSERT_EQ(line.sentences.size(), 1u);
  EXPECT_TRUE(line.cut_short);
  EXPECT_EQ(line.text, text.substr(0, 1'000'000));
}

// A chain that goes to and fro between the halves of a sentence takes seconds to make projective.
TEST_F(CallLimitsTest, TreesThatTakeLongToLiftStayAsTheyAre) {
  constexpr int kWords = 20'000;
  const Translator translator(Graph(), {.threads = 1});
  std::vector<Word> words;
  std::string conllu;
  for (int i = 1; i <= kWords; ++i) {
    const int head = i == 1 ? 0 : i <= kWords / 2 ? kWords / 2 + i - 1 : i - kWords / 2;
    words.push_back({"Arzt", "NN", head, "dep"});
    conllu += std::to_string(i) + "\tArzt\t_\t_\tNN\t_\t" + std::to_string(head) + "\tdep\t_\t_\n";
  }
  for (const Input& input : {Input::Parsed(words), Input::Conllu(conllu)}) {
    EXPECT_LT(Overrun([&] {
                const Result result = translator.Translate(input, {.time_limit = kLimit});
                EXPECT_TRUE(result.cut_short);
                ASSERT_EQ(result.sentences[0].tokens.size(), size_t{kWords});
                EXPECT_EQ(result.sentences[0].tokens.back().head, words.back().head);
              }),
              4 * kMost);
    EXPECT_LT(Overrun([&] {
                const LaterStop stop;
                EXPECT_THROW(translator.Submit(input, {.stop = stop.token()}).get(), Stopped);
              }),
              4 * kMost);
  }
}

TEST_F(CallLimitsTest, WhatIsNotUtf8IsRefused) {
  const Translator raw(Raw(), {.threads = 1});
  const std::string broken = "Er k\xF6mmt.";
  EXPECT_THROW(raw.Translate(Input::Line(broken)), Error);
  EXPECT_THROW(raw.Translate(Input::Tokens({"Er", broken})), Error);
  const Translator graph(Graph(), {.threads = 1});
  EXPECT_THROW(graph.Translate(Input::Parsed({{broken, "NN", 0, "root"}})), Error);
  EXPECT_THROW(graph.Translate(Input::Parsed({{"Er", broken, 0, "root"}})), Error);
  EXPECT_THROW(graph.Translate(Input::Parsed({{"Er", "NN", 0, broken}})), Error);
}

}  // namespace
}  // namespace graft
