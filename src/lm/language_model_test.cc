#include "lm/language_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <vector>

#include "graft/error.h"
#include "lm/model.hh"
#include "support/paths.h"

namespace graft::engine {
namespace {

using Gram = std::vector<std::string>;

enum class Suffixes { kAll, kSome };  // kSome: as in models that other toolkits have pruned

// A random ARPA model in plain maps: log p(w|context) by the definition of back-off. Prefixes of every n-gram are
// there.
class ToyModel {
 public:
  ToyModel(int order, int words, unsigned seed, Suffixes suffixes = Suffixes::kSome) : order_(order) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> prob(-4, -0.1f), backoff(-1, 0.3f);
    std::uniform_int_distribution<int> coin(0, 3);
    std::vector<std::string> vocabulary;
    for (int i = 0; i < words; ++i) vocabulary.push_back("w" + std::to_string(i));
    std::vector<std::set<Gram>> grams(static_cast<size_t>(order));
    for (const std::string& word : vocabulary) grams[0].insert({word});
    for (const char* special : {"<unk>", "<s>", "</s>"}) grams[0].insert({special});
    for (size_t n = 1; n < grams.size(); ++n)
      for (const Gram& context : grams[n - 1]) {
        if (context.back() == "</s>" || context.back() == "<unk>") continue;
        for (const std::string& word : vocabulary)
          if (coin(random) == 0) grams[n].insert(Extended(context, word));
        if (coin(random) == 0) grams[n].insert(Extended(context, "</s>"));
      }
    if (suffixes == Suffixes::kAll)
      for (size_t n = grams.size() - 1; n > 0; --n)
        for (const Gram& gram : grams[n]) grams[n - 1].insert(Gram(gram.begin() + 1, gram.end()));
    for (size_t n = 0; n < grams.size(); ++n)
      for (const Gram& gram : grams[n]) {
        const auto is_context = [&] {
          if (n + 1 == grams.size()) return false;
          const auto next = grams[n + 1].lower_bound(gram);
          return next != grams[n + 1].end() && std::equal(gram.begin(), gram.end(), next->begin());
        };
        entries_[gram] = {gram.back() == "<s>" ? -99 : prob(random), is_context() ? backoff(random) : 0.0f};
      }
  }

  std::string Arpa() const {
    std::ostringstream out;
    out << "\\data\\\n";
    for (int n = 1; n <= order_; ++n) {
      long count = 0;
      for (const auto& [gram, entry] : entries_) count += static_cast<int>(gram.size()) == n;
      out << "ngram " << n << "=" << count << "\n";
    }
    for (int n = 1; n <= order_; ++n) {
      out << "\n\\" << n << "-grams:\n";
      for (const auto& [gram, entry] : entries_) {
        if (static_cast<int>(gram.size()) != n) continue;
        out << entry.first << "\t";
        for (size_t i = 0; i < gram.size(); ++i) out << (i ? " " : "") << gram[i];
        if (n < order_ && entry.second != 0) out << "\t" << entry.second;
        out << "\n";
      }
    }
    out << "\n\\end\\\n";
    return out.str();
  }

  double LogProb(Gram context, const std::string& word) const {
    while (static_cast<int>(context.size()) >= order_) context.erase(context.begin());
    double sum = 0;
    for (;; context.erase(context.begin())) {
      const auto found = entries_.find(Extended(context, entries_.contains({word}) ? word : "<unk>"));
      if (found != entries_.end()) return (sum + found->second.first) * std::log(10);
      const auto shorter = entries_.find(context);
      if (shorter != entries_.end()) sum += shorter->second.second;
    }
  }

 private:
  static Gram Extended(Gram gram, const std::string& word) {
    gram.push_back(word);
    return gram;
  }

  int order_;
  std::map<Gram, std::pair<float, float>> entries_;  // log10 probability, back-off
};

class LanguageModelTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("lm_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::string Write(const std::string& name, std::string_view bytes) const {
    std::filesystem::remove(Path(name));  // truncating instead makes some file systems write to disk at once
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }

  template <class Model>
  std::string Binary(const std::string& arpa, const std::string& name) const {
    lm::ngram::Config config;
    config.messages = nullptr;
    config.probing_multiplier = 24;  // the toy models miss many suffixes
    config.positive_log_probability = lm::SILENT;
    const std::string path = Path(name);
    config.write_mmap = path.c_str();
    Model model(arpa.c_str(), config);
    return path;
  }

  std::filesystem::path folder_;
};

std::string ErrorOf(const std::string& path) {
  try {
    LanguageModel::Load(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// Random strings cut at random places: pre-scored phrases must give what word-by-word scoring gives, and the same
// states. Phrases may be empty, shorter and longer than the order.
void CheckPhrases(const LanguageModel& model, const std::vector<LmWord>& words, unsigned seed, int rounds) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<size_t> pick(0, words.size() - 1);
  std::uniform_int_distribution<int> length(0, 14), phrase_length(0, 2 * model.order()), coin(0, 1);
  for (int round = 0; round < rounds; ++round) {
    std::vector<LmWord> sentence(static_cast<size_t>(length(random)));
    for (LmWord& word : sentence) word = words[pick(random)];
    LmState by_word = coin(random) ? model.BeginState() : model.NullState();
    LmState by_phrase = by_word;
    double word_sum = 0, phrase_sum = 0;
    for (size_t begin = 0; begin < sentence.size();) {
      const size_t size = std::min(sentence.size() - begin, static_cast<size_t>(phrase_length(random)));
      for (size_t i = begin; i < begin + size; ++i) word_sum += model.Score(by_word, sentence[i], &by_word);
      LmPhrase phrase;
      phrase_sum += model.ScorePhrase(std::span(sentence).subspan(begin, size), &phrase);
      LmState next;
      const float delta = model.Append(by_phrase, phrase, &next);
      phrase_sum += delta;
      ASSERT_EQ(model.Append(by_phrase, phrase, &by_phrase), delta) << "the result may be written over the argument";
      ASSERT_TRUE(SameState(by_phrase, next));
      ASSERT_TRUE(SameState(by_phrase, by_word)) << "round " << round << " after word " << begin + size;
      for (int i = 0; i < by_word.length; ++i) ASSERT_FLOAT_EQ(by_phrase.backoff[i], by_word.backoff[i]);
      ASSERT_NEAR(phrase_sum, word_sum, 1e-3) << "round " << round << " after word " << begin + size;
      begin += size;
    }
    ASSERT_NEAR(model.ScoreEnd(by_phrase), model.ScoreEnd(by_word), 1e-4);
  }
}

// The same for phrases joined from parts, some of them joined before: with a context on their left they must give what
// their words give.
void CheckJoins(const LanguageModel& model, const std::vector<LmWord>& words, unsigned seed, int rounds) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<size_t> pick(0, words.size() - 1), length(0, 4), count(1, 5);
  std::vector<LmPhrase> made;
  std::vector<std::vector<LmWord>> strings;
  std::vector<double> inside;
  for (int round = 0; round < rounds; ++round) {
    std::vector<LmWord> string(length(random));
    for (LmWord& word : string) word = words[pick(random)];
    LmPhrase phrase;
    inside.push_back(model.ScorePhrase(string, &phrase));
    made.push_back(phrase);
    strings.push_back(string);
    std::vector<const LmPhrase*> parts;
    std::vector<LmWord> joined_string;
    double joined_inside = 0;
    for (size_t n = count(random); n > 0; --n) {
      const size_t part = random() % made.size();
      if (joined_string.size() + strings[part].size() > 20) break;
      parts.push_back(&made[part]);
      joined_string.insert(joined_string.end(), strings[part].begin(), strings[part].end());
      joined_inside += inside[part];
    }
    if (parts.empty()) continue;
    LmPhrase joined;
    joined_inside += model.Join(parts, &joined);
    for (const LmState& context : {model.NullState(), model.BeginState()}) {
      LmState state = context, by_word = context;
      if (!joined_string.empty()) {  // something to the left that is no border
        model.Score(LmState(state), joined_string.back(), &state);
        by_word = state;
      }
      double word_sum = 0;
      for (const LmWord word : joined_string) word_sum += model.Score(LmState(by_word), word, &by_word);
      const double delta = model.Append(LmState(state), joined, &state);
      ASSERT_NEAR(joined_inside + delta, word_sum, 1e-3) << "round " << round;
      ASSERT_TRUE(SameState(state, by_word)) << "round " << round;
    }
    made.push_back(joined);
    strings.push_back(joined_string);
    inside.push_back(joined_inside);
    ASSERT_TRUE(SamePhrase(joined, LmPhrase(joined)));
    ASSERT_EQ(HashPhrase(joined), HashPhrase(LmPhrase(joined)));
  }
}

TEST(LmPhraseTest, APhraseWithoutWordsDiffersFromOneWithASettledLeftSide) {
  LmPhrase empty{};
  LmPhrase settled{};
  settled.left.full = true;
  EXPECT_FALSE(SamePhrase(empty, settled));
}

std::vector<LmWord> ToyWords(const LanguageModel& model) {
  std::vector<LmWord> words = {0};
  for (const char* word : {"w0", "w1", "w2", "w3", "w4"}) words.push_back(model.Word(word));
  return words;
}

TEST_F(LanguageModelTest, ScoresFollowTheDefinitionOfBackoff) {
  for (int order = 2; order <= 6; ++order) {
    const ToyModel toy(order, 5, static_cast<unsigned>(order));
    const auto model = LanguageModel::Load(Write("toy.arpa", toy.Arpa()));
    EXPECT_EQ(model->order(), order);
    std::mt19937 random(7);
    std::uniform_int_distribution<int> pick(0, 5);  // w5 is unknown
    for (int round = 0; round < 200; ++round) {
      Gram context = {"<s>"};
      LmState state = model->BeginState();
      for (int i = 0; i < 10; ++i) {
        const std::string word = "w" + std::to_string(pick(random));
        ASSERT_NEAR(model->Score(state, model->Word(word), &state), toy.LogProb(context, word), 1e-3);
        context.push_back(word);
      }
      ASSERT_NEAR(model->ScoreEnd(state), toy.LogProb(context, "</s>"), 1e-3);
    }
  }
}

TEST_F(LanguageModelTest, PhrasesEqualWordsForEveryModelType) {
  for (int order = 2; order <= 6; ++order) {
    const ToyModel toy(order, 5, 40 + static_cast<unsigned>(order), Suffixes::kAll);
    const std::string arpa = Write("toy.arpa", toy.Arpa());
    for (const std::string& path :
         {arpa, Binary<lm::ngram::ProbingModel>(arpa, "probing"), Binary<lm::ngram::RestProbingModel>(arpa, "rest"),
          Binary<lm::ngram::TrieModel>(arpa, "trie"), Binary<lm::ngram::ArrayTrieModel>(arpa, "array_trie"),
          Binary<lm::ngram::QuantTrieModel>(arpa, "quant_trie"),
          Binary<lm::ngram::QuantArrayTrieModel>(arpa, "quant_array_trie")}) {
      SCOPED_TRACE(path + " of order " + std::to_string(order));
      const auto model = LanguageModel::Load(path);
      CheckPhrases(*model, ToyWords(*model), 11, 500);
      CheckJoins(*model, ToyWords(*model), 17, 500);
    }
  }
}

// KenLM's tries keep no exact states for such models; its hash tables do.
TEST_F(LanguageModelTest, PhrasesEqualWordsWhereSuffixesAreMissing) {
  for (int order = 2; order <= 6; ++order) {
    const auto model = LanguageModel::Load(Write("toy.arpa", ToyModel(order, 5, 9, Suffixes::kSome).Arpa()));
    CheckPhrases(*model, ToyWords(*model), 13, 500);
    CheckJoins(*model, ToyWords(*model), 19, 500);
  }
}

TEST_F(LanguageModelTest, PhrasesEqualWordsOnARealModel) {
  const std::string path = SharedData("reference/multi30k-pbmt/lm.5gram.arpa.xz");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  const auto model = LanguageModel::Load(path);
  std::vector<LmWord> words = {0};
  for (const char* word :
       {"a", "man", "in", "the", "a", "woman", "is", "on", "street", "with", "and", "of", "two", "."})
    words.push_back(model->Word(word));
  CheckPhrases(*model, words, 5, 20'000);
  CheckJoins(*model, words, 5, 20'000);
}

TEST_F(LanguageModelTest, AFullLeftSideGivesThePhrasesOwnState) {
  const auto model = LanguageModel::Load(Write("toy.arpa", ToyModel(3, 5, 3).Arpa()));
  const std::vector<LmWord> words = {model->Word("w0"), model->Word("w1"), model->Word("w2"), model->Word("w3")};
  LmPhrase phrase;
  model->ScorePhrase(words, &phrase);
  ASSERT_TRUE(phrase.left.full);
  LmState next;
  model->Append(model->BeginState(), phrase, &next);
  EXPECT_TRUE(SameState(next, phrase.right));
}

TEST_F(LanguageModelTest, CompressedArpaIsRecognisedByContent) {
  const std::string arpa = ToyModel(3, 5, 1).Arpa();
  std::vector<std::string> paths = {Write("plain", arpa)};

  paths.push_back(Path("gzip"));
  gzFile gzip = gzopen(paths.back().c_str(), "wb");
  gzwrite(gzip, arpa.data(), static_cast<unsigned>(arpa.size()));
  gzclose(gzip);

  std::string xz(lzma_stream_buffer_bound(arpa.size()), '\0');
  size_t used = 0;
  lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const uint8_t*>(arpa.data()), arpa.size(),
                          reinterpret_cast<uint8_t*>(xz.data()), &used, xz.size());
  paths.push_back(Write("xz", std::string_view(xz).substr(0, used)));

  std::string zstd(ZSTD_compressBound(arpa.size()), '\0');
  zstd.resize(ZSTD_compress(zstd.data(), zstd.size(), arpa.data(), arpa.size(), 3));
  paths.push_back(Write("zstd", zstd));

  LmState state;
  const auto plain = LanguageModel::Load(paths[0]);
  const float expected = plain->Score(plain->BeginState(), plain->Word("w1"), &state);
  for (const std::string& path : paths) {
    const auto model = LanguageModel::Load(path);
    EXPECT_EQ(model->Score(model->BeginState(), model->Word("w1"), &state), expected) << path;
  }

  const std::string cut = Write("cut.zst", std::string_view(zstd).substr(0, zstd.size() / 2));
  EXPECT_THAT(ErrorOf(cut), testing::HasSubstr("cut.zst"));
}

TEST_F(LanguageModelTest, AModelWithoutUnkLoads) {
  std::string arpa = ToyModel(2, 3, 1).Arpa();
  const size_t line = arpa.rfind('\n', arpa.find("<unk>")) + 1;
  arpa.erase(line, arpa.find('\n', line) + 1 - line);
  const size_t count = arpa.find("ngram 1=") + 8;
  arpa[count] = static_cast<char>(arpa[count] - 1);
  const auto model = LanguageModel::Load(Write("nounk.arpa", arpa));
  LmState state;
  EXPECT_NEAR(model->Score(model->NullState(), 0, &state), -100 * std::log(10), 1e-2);
}

// Everything that search asks of a model, with words it may not know. Whatever the numbers are, they are numbers.
void AskEverything(const LanguageModel& model, unsigned seed) {
  const std::vector<LmWord> words = ToyWords(model);
  std::mt19937 random(seed);
  std::vector<LmPhrase> made;
  for (int round = 0; round < 60; ++round) {
    std::vector<LmWord> string(random() % 9);
    for (LmWord& word : string) word = words[random() % words.size()];
    LmState state = round % 2 == 0 ? model.BeginState() : model.NullState();
    for (const LmWord word : string) ASSERT_TRUE(std::isfinite(model.Score(LmState(state), word, &state)));
    ASSERT_TRUE(std::isfinite(model.ScoreEnd(state)));
    LmPhrase phrase;
    ASSERT_TRUE(std::isfinite(model.ScorePhrase(string, &phrase)));
    ASSERT_TRUE(std::isfinite(model.Append(LmState(state), phrase, &state)));
    made.push_back(phrase);
    const LmPhrase* const parts[] = {&made[random() % made.size()], &made[random() % made.size()], &phrase};
    LmPhrase joined;
    ASSERT_TRUE(std::isfinite(model.Join(parts, &joined)));
    ASSERT_LT(joined.left.length, model.order());
    ASSERT_LT(joined.right.length, model.order());
    made.push_back(joined);
  }
}

TEST_F(LanguageModelTest, ADamagedBinaryOfAnyFormIsRefusedOrHarmless) {
  int refused = 0, accepted = 0;
  for (int order = 2; order <= 5; ++order) {
    const std::string arpa =
        Write("toy.arpa", ToyModel(order, 5, 60 + static_cast<unsigned>(order), Suffixes::kAll).Arpa());
    for (const std::string& path :
         {Binary<lm::ngram::ProbingModel>(arpa, "probing"), Binary<lm::ngram::RestProbingModel>(arpa, "rest"),
          Binary<lm::ngram::TrieModel>(arpa, "trie"), Binary<lm::ngram::ArrayTrieModel>(arpa, "array_trie"),
          Binary<lm::ngram::QuantTrieModel>(arpa, "quant_trie"),
          Binary<lm::ngram::QuantArrayTrieModel>(arpa, "quant_array_trie")}) {
      SCOPED_TRACE(path + " of order " + std::to_string(order));
      std::string whole(std::filesystem::file_size(path), '\0');
      std::ifstream(path, std::ios::binary).read(whole.data(), static_cast<std::streamsize>(whole.size()));
      // What KenLM reads, without its free slots: there a change does most.
      std::vector<size_t> filled;
      for (size_t i = 88; i < whole.size(); ++i)
        if (whole[i] != 0 || i < 200) filled.push_back(i);
      std::mt19937 random(static_cast<unsigned>(order));
      for (unsigned round = 0; round < 150; ++round) {
        std::string damaged = whole;
        const size_t at = filled[random() % filled.size()];
        switch (random() % 4) {
          case 0: damaged[at] = static_cast<char>(damaged[at] ^ 1 << random() % 8); break;
          case 1: damaged.resize(at); break;
          case 2:
            std::fill_n(damaged.begin() + static_cast<ptrdiff_t>(at), std::min<size_t>(64, whole.size() - at), '\xff');
            break;
          default: damaged.replace(at, 64, whole, filled[random() % filled.size()], 64);
        }
        const std::string file = Write("damaged", damaged);
        try {
          AskEverything(*LanguageModel::Load(file), round);
          ++accepted;
        } catch (const Error& error) {
          ASSERT_THAT(error.what(), testing::StartsWith(file + ": "));
          ++refused;
        }
      }
    }
  }
  EXPECT_GT(refused, 500);
  EXPECT_GT(accepted, 500) << "the queries were hardly tried";
}

TEST_F(LanguageModelTest, ErrorsNameTheFileAndTheReason) {
  EXPECT_THAT(ErrorOf("no/such/model.arpa"), testing::HasSubstr("no/such/model.arpa: cannot read"));
  EXPECT_THAT(ErrorOf(folder_.string()), testing::HasSubstr("a folder"));
  EXPECT_THAT(ErrorOf(Write("empty", "")), testing::HasSubstr("empty: not a usable language model"));
  EXPECT_THAT(ErrorOf(Write("text", "just some text\n")), testing::HasSubstr("not a usable language model"));
  EXPECT_THAT(ErrorOf(Write("seven", ToyModel(7, 2, 1).Arpa())), testing::HasSubstr("order at most 6"));
  const std::string arpa = ToyModel(3, 5, 1).Arpa();
  EXPECT_THAT(ErrorOf(Write("half", std::string_view(arpa).substr(0, arpa.size() / 2))), testing::HasSubstr("half"));
  const std::string binary = Binary<lm::ngram::ProbingModel>(Write("arpa", arpa), "whole");
  std::filesystem::resize_file(binary, std::filesystem::file_size(binary) / 2);
  EXPECT_THAT(ErrorOf(binary), testing::HasSubstr("not a usable language model"));
}

}  // namespace
}  // namespace graft::engine
