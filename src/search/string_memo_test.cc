#include "search/string_memo.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace graft::engine {
namespace {

TEST(StringKeyTest, AKeyOfPartsIsThatOfTheWholeAndNoOther) {
  std::mt19937 random(1);
  std::map<std::pair<uint64_t, uint64_t>, std::vector<LmWord>> strings;
  for (int round = 0; round < 20'000; ++round) {
    std::vector<LmWord> words(random() % 9);
    for (LmWord& word : words) word = random() % 4;  // 0 = an unknown word; few words, so that orders differ
    StringKey joined;
    for (size_t begin = 0; begin < words.size();) {
      const size_t size = random() % (words.size() - begin + 1);
      joined += StringKey::Of(std::span(words).subspan(begin, size));
      begin += size;
    }
    EXPECT_EQ(joined, StringKey::Of(words));
    const auto [known, fresh] = strings.emplace(std::pair(joined.a, joined.b), words);
    EXPECT_EQ(known->second, words);
  }
}

TEST(StringMemoTest, FindsWhatWasAddedUntilItIsCleared) {
  StringMemo memo;
  for (int stack = 0; stack < 3; ++stack) {
    for (const bool again : {false, true})
      for (LmWord word = 0; word < 5000; ++word) {
        bool fresh = false;
        const uint32_t string = memo.Find(StringKey::Of({&word, 1}), &fresh);
        EXPECT_EQ(fresh, !again);
        EXPECT_EQ(string, word);
      }
    memo.Clear();
  }
}

}  // namespace
}  // namespace graft::engine
