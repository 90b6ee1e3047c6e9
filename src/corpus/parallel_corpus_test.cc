#include "corpus/parallel_corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graft/error.h"
#include "temporary_folder.h"

namespace graft::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ParallelCorpusTest : public testing::Test {
 protected:
  std::vector<SentencePair> Read(const std::string& source, const std::string& target, const std::string& align,
                                 uint64_t limit = 0, bool lowercase = false) {
    const CorpusFiles files{folder_.Write("s", source), folder_.Write("t", target), folder_.Write("a", align), limit};
    ParallelCorpus corpus(files, SourceFormat::kText, {.lowercase = lowercase}, {});
    std::vector<SentencePair> pairs;
    for (SentencePair pair; corpus.Next(&pair);) pairs.push_back(pair);
    EXPECT_EQ(corpus.pairs(), pairs.size());
    return pairs;
  }

  std::string Failure(const std::string& source, const std::string& target, const std::string& align) {
    try {
      Read(source, target, align);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  TemporaryFolder folder_;
};

TEST_F(ParallelCorpusTest, ReadsPairsInStep) {
  const auto pairs = Read("Ein Hund\n\nJa\n", "A dog\nnothing\nYes .\n", "1-1 0-0 1-1\n\n0-0\n", 0, true);
  ASSERT_EQ(pairs.size(), 3);
  EXPECT_THAT(pairs[0].source.tokens, ElementsAre("ein", "hund"));
  EXPECT_THAT(pairs[0].target, ElementsAre("a", "dog"));
  EXPECT_THAT(pairs[0].links, ElementsAre(WordLink{0, 0}, WordLink{1, 1})) << "sorted, each once";
  EXPECT_THAT(pairs[1].source.tokens, IsEmpty());
  EXPECT_THAT(pairs[1].links, IsEmpty());
}

TEST_F(ParallelCorpusTest, DifferentLengthsNameTheFilesAndTheirLines) {
  const std::string message = Failure("a\nb\nc\n", "a\nb\nc\nd\ne\n", "0-0\n0-0\n0-0\n");
  EXPECT_THAT(message, HasSubstr(folder_.File("s") + " has 3 lines"));
  EXPECT_THAT(message, HasSubstr(folder_.File("t") + " has 5 lines"));
  EXPECT_THAT(message, HasSubstr(folder_.File("a") + " has 3 lines"));
  EXPECT_THAT(Failure("a\nb\n", "a\nb\n", "0-0\n"), HasSubstr("a has 1 lines"));
}

TEST_F(ParallelCorpusTest, WithALimitTheRestMayDiffer) {
  EXPECT_EQ(Read("a\nb\n", "a\n", "0-0\n9-9\n", 1).size(), 1);
  EXPECT_EQ(Read("a\nb\n", "a\nb\n", "0-0\n0-0\n", 5).size(), 2);
  EXPECT_THROW(Read("a\nb\n", "a\n", "0-0\n", 2), Error);
}

TEST_F(ParallelCorpusTest, LinksOutOfRangeNameFileAndLine) {
  const std::string message = Failure("a\na b\n", "a\nc\n", "0-0\n0-0 2-0\n");
  EXPECT_EQ(message, folder_.File("a") +
                         ":2: link 2-0, but the source sentence has 2 words, counted from 0. Fix the line, or drop "
                         "pair 2 with `graft check --write-clean`.");
  EXPECT_THAT(Failure("a\n", "\n", "0-0\n"), HasSubstr("the target sentence is empty"));
}

TEST_F(ParallelCorpusTest, OnlyOneFileIsStdin) {
  EXPECT_THROW(ParallelCorpus({"-", "-", folder_.Write("a", "")}, SourceFormat::kText, {}, {}), Error);
}

TEST(ParseLinksTest, RejectsEverythingThatIsNoLink) {
  for (const char* text : {"0", "0-", "-0", "0-0-0", "a-b", "0:0", "0-0,1-1", "+0-0", "0-0.5", "99999999999-0"})
    EXPECT_THROW(ParseLinks(text, 3, 3), Error) << text;
  EXPECT_THROW(ParseLinks("3-0", 3, 3), Error);
  EXPECT_THROW(ParseLinks("0-3", 3, 3), Error);
  EXPECT_THROW(ParseLinks("70000-0", 80000, 3), Error);
  EXPECT_THAT(ParseLinks("  2-1\t0-2 ", 3, 3), ElementsAre(WordLink{0, 2}, WordLink{2, 1}));
}

}  // namespace
}  // namespace graft::engine
