// Every target with its kept files, and with a few hundred variations of them: what fuzzing found once stays mended,
// and what is new and easy to find is found here. The long runs are `./run fuzz`.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>

#include "fuzz/fuzz_target.h"
#include "support/paths.h"

namespace graft::engine::fuzz {
namespace {

struct NamedInput {
  std::string name, bytes;
};

std::vector<NamedInput> Corpus(const std::string& target) {
  std::vector<NamedInput> inputs;
  for (const auto& file : std::filesystem::directory_iterator(TestData("../fuzz/corpus/" + target)))
    inputs.push_back({file.path().filename().string(), ReadWhole(file.path().string())});
  std::sort(inputs.begin(), inputs.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return inputs;
}

// One to four small changes: bits, bytes, pieces left out, doubled, moved here from another input, cut off.
std::string Mutated(std::string bytes, const std::vector<NamedInput>& corpus, std::mt19937* random) {
  const auto below = [&](size_t end) { return end == 0 ? 0 : (*random)() % end; };
  for (size_t changes = 1 + below(4); changes > 0; --changes) {
    const size_t at = below(bytes.size() + 1);
    const size_t length = below(std::min<size_t>(bytes.size() - at, 16) + 1);
    switch (below(8)) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8));
        break;
      case 1:
        if (at < bytes.size()) bytes[at] = static_cast<char>(below(256));
        break;
      case 2: bytes.erase(at, length); break;
      case 3: bytes.insert(below(bytes.size() + 1), bytes.substr(at, length)); break;
      case 4: {
        const std::string& other = corpus[below(corpus.size())].bytes;
        bytes.insert(at, other.substr(below(other.size() + 1), below(64)));
        break;
      }
      case 5: bytes.resize(at); break;
      case 6: bytes.insert(at, below(4), "0\n \xff"[below(4)]); break;
      default:
        if (at < bytes.size() && bytes[at] >= '0' && bytes[at] <= '9')
          bytes.replace(at, 1, std::string(1 + below(12), static_cast<char>('0' + below(10))));
    }
  }
  return bytes;
}

class FuzzReplay : public testing::TestWithParam<FuzzTarget> {
 protected:
  // The message of what is wrong with an input; empty if nothing is.
  static std::string Problem(const FuzzTarget& target, const std::string& bytes) {
    try {
      target.run(bytes);
      return "";
    } catch (const std::exception& error) {
      return *error.what() == '\0' ? "an exception without a message" : error.what();
    }
  }
};

TEST_P(FuzzReplay, KeptInputsAndVariations) {
  const FuzzTarget& target = GetParam();
  const std::vector<NamedInput> corpus = Corpus(target.name);
  ASSERT_FALSE(corpus.empty()) << "no seeds in tests/fuzz/corpus/" << target.name;
  ASSERT_EQ(Problem(target, ""), "") << "nothing at all";
  for (const NamedInput& input : corpus) ASSERT_EQ(Problem(target, input.bytes), "") << input.name;

  std::mt19937 random(20161108);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(700);
  for (int i = 0; i < 2000 && std::chrono::steady_clock::now() < end; ++i) {
    std::string bytes = Mutated(corpus[random() % corpus.size()].bytes, corpus, &random);
    if (bytes.size() > target.max_bytes) bytes.resize(target.max_bytes);
    const std::string kept = WriteScratch("last-input", bytes);  // for whoever looks at a crash
    ASSERT_EQ(Problem(target, bytes), "") << "variation " << i << ":\n" << testing::PrintToString(bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzReplay, testing::ValuesIn(AllTargets()),
                         [](const auto& param_info) { return param_info.param.name; });

}  // namespace
}  // namespace graft::engine::fuzz
