// The layout, which KenLM declares in binary_format.hh, vocab.hh, search_hashed.hh, search_trie.hh and bhiksha.cc:
//   header      88 bytes that are the same in every file, FixedWidthParameters, u64 count[order]; padded to 8 bytes
//   probing     u32 version, u32 words, vocabulary table {u64 hash, u32 word}; unigrams; a table {u64 hash, weights}
//   for
//               each order from 2 on
//   trie        u64 words, u64 hash[], ascending; code books where quantised; unigrams with the index of their first
//               child; bit-packed entries (word, weights, index of the first child) for each order from 2 on, before
//               them the high bits of these indices where they are stored as an array
//   words       the words as text, which nobody here reads
#include "lm/binary_check.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <vector>

#include "graft/error.h"
#include "lm/binary_format.hh"
#include "lm/bit_packed_check.h"
#include "lm/model.hh"

namespace graft::engine {
namespace {

constexpr uint64_t kSanityBytes = 88;
constexpr uint64_t kFixedBytes = 20;
constexpr uint64_t kMaxCount = uint64_t{1} << 40;  // n-grams of one order; keeps sums of sizes far from overflow
constexpr float kMaxMultiplier = 1e4F;             // slots a hash table has for each n-gram

struct Header {
  int order = 0;
  float multiplier = 0;
  uint32_t type = 0;
  std::vector<uint64_t> counts;
};

class BinaryCheck {
 public:
  BinaryCheck(const std::string& path, std::span<const uint8_t> bytes) : path_(path), bytes_(bytes) {}

  void Run() {
    ReadHeader();
    switch (header_.type) {
      case lm::ngram::PROBING: return CheckProbing<lm::ngram::ProbingModel>(2);
      case lm::ngram::REST_PROBING: return CheckProbing<lm::ngram::RestProbingModel>(3);
      case lm::ngram::TRIE: return CheckTrie<lm::ngram::TrieModel>(false, false);
      case lm::ngram::QUANT_TRIE: return CheckTrie<lm::ngram::QuantTrieModel>(true, false);
      case lm::ngram::ARRAY_TRIE: return CheckTrie<lm::ngram::ArrayTrieModel>(false, true);
      default: return CheckTrie<lm::ngram::QuantArrayTrieModel>(true, true);
    }
  }

 private:
  [[noreturn]] void Damaged(std::string_view what) const {
    throw Error(path_ + ": not a usable language model: it is damaged: " + std::string(what) +
                "; copy it again, or build it again with `graft lm`");
  }

  template <class T>
  T Read(uint64_t offset) const {
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  // The next part of the file.
  std::span<const uint8_t> Take(uint64_t size) {
    if (size > bytes_.size() - at_) Damaged("its header asks for more bytes than the file has");
    const auto part = bytes_.subspan(at_, size);
    at_ += size;
    return part;
  }

  void ReadHeader() {
    if (bytes_.size() < kSanityBytes + kFixedBytes) Damaged("the file is cut short");
    header_.order = bytes_[kSanityBytes];
    header_.multiplier = Read<float>(kSanityBytes + 4);
    header_.type = Read<uint32_t>(kSanityBytes + 8);
    if (header_.order < 2 || header_.order > KENLM_MAX_ORDER)
      throw Error(path_ + ": not a usable language model: it has order " + std::to_string(header_.order) +
                  ", and orders from 2 to " + std::to_string(KENLM_MAX_ORDER) + " can be used");
    if (header_.type > lm::ngram::QUANT_ARRAY_TRIE) Damaged("a KenLM binary of an unknown model type");
    if (bytes_[kSanityBytes + 12] > 1) Damaged("the header is malformed");
    if (!(header_.multiplier >= 1 && header_.multiplier <= kMaxMultiplier)) Damaged("the size of hash tables is wrong");
    const uint64_t counts_at = kSanityBytes + kFixedBytes;
    at_ = (counts_at + 8 * static_cast<uint64_t>(header_.order) + 7) / 8 * 8;
    if (bytes_.size() < at_) Damaged("the file is cut short");
    for (int n = 0; n < header_.order; ++n) {
      const auto count = Read<uint64_t>(counts_at + 8 * static_cast<uint64_t>(n));
      // An n-gram takes more than a bit in every form.
      if (count > kMaxCount || count / 8 > bytes_.size()) Damaged("its header asks for more bytes than the file has");
      header_.counts.push_back(count);
    }
    if (header_.counts[0] == 0 || header_.counts[0] >= UINT32_MAX) Damaged("the number of words is wrong");
  }

  // KenLM's own idea of the size must be ours, or its structures are not where they were checked.
  template <class Model>
  void CheckSize(const lm::ngram::Config& config, uint64_t begin) const {
    if (Model::Size(header_.counts, config) != at_ - begin) Damaged("the sizes of its parts do not agree");
  }

  // --- hash tables

  uint64_t Slots(uint64_t entries) const {
    return std::max(entries + 1, static_cast<uint64_t>(header_.multiplier * static_cast<float>(entries)));
  }

  void CheckMagnitude(uint32_t largest) const {
    if (largest > kLargestWeight) Damaged("a probability is not a number, or out of range");
  }

  // Slots of a u64 key, 0 where the slot is free, and `floats` weights.
  template <uint64_t floats>
  void CheckTable(uint64_t entries) {
    constexpr uint64_t kSlot = 8 + 4 * floats;
    const auto table = Take(Slots(entries) * kSlot);
    bool free = false;
    uint32_t largest = 0;
    for (const uint8_t *slot = table.data(), *end = slot + table.size(); slot != end; slot += kSlot) {
      uint64_t key = 0;
      uint32_t weights[floats];
      std::memcpy(&key, slot, sizeof key);
      std::memcpy(weights, slot + 8, sizeof weights);
      free |= key == 0;
      for (const uint32_t weight : weights) largest = std::max(largest, weight & kMagnitude);
    }
    if (!free) Damaged("a hash table has no free slot");
    CheckMagnitude(largest);
  }

  void CheckProbingWords() {
    const auto head = Take(8);
    uint32_t version = 0, words = 0;
    std::memcpy(&version, head.data(), 4);
    std::memcpy(&words, head.data() + 4, 4);
    if (version != 0 || words == 0 || words > header_.counts[0] + 1) Damaged("the number of words is wrong");
    const auto table = Take(Slots(header_.counts[0]) * 12);
    bool free = false, known = true;
    for (const uint8_t *slot = table.data(), *end = slot + table.size(); slot != end; slot += 12) {
      uint64_t key = 0;
      uint32_t word = 0;
      std::memcpy(&key, slot, sizeof key);
      std::memcpy(&word, slot + 8, sizeof word);
      free |= key == 0;
      known &= word < words;  // 0 in a free slot
    }
    if (!free) Damaged("the vocabulary has no free slot");
    if (!known) Damaged("a word number is wrong");
  }

  template <class Model>
  void CheckProbing(uint64_t floats) {
    const uint64_t begin = at_;
    CheckProbingWords();
    CheckMagnitude(LargestWeight(Take((header_.counts[0] + 1) * 4 * floats)));
    for (size_t n = 1; n + 1 < header_.counts.size(); ++n)
      floats == 2 ? CheckTable<2>(header_.counts[n]) : CheckTable<3>(header_.counts[n]);
    CheckTable<1>(header_.counts.back());
    lm::ngram::Config config;
    config.probing_multiplier = header_.multiplier;
    CheckSize<Model>(config, begin);
  }

  // --- tries

  void CheckTrieWords() {
    const auto part = Take(8 + 8 * header_.counts[0]);
    uint64_t words = 0;
    std::memcpy(&words, part.data(), 8);
    // Unigrams have room for <unk>, so many words, and the end of the last one's children.
    if (words > header_.counts[0]) Damaged("the number of words is wrong");
    words_ = words;
    uint64_t before = 0;
    for (uint64_t i = 0; i < words; ++i) {
      uint64_t hash = 0;
      std::memcpy(&hash, part.data() + 8 + 8 * i, 8);
      if (i > 0 && hash <= before) Damaged("the vocabulary is not in order");
      before = hash;
    }
  }

  void CheckTrieUnigrams() {
    const auto part = Take((header_.counts[0] + 2) * 16);
    uint64_t before = 0;
    uint32_t largest = 0;
    for (uint64_t i = 0; i <= words_ + 1; ++i) {
      uint32_t weights[2];
      uint64_t next = 0;
      std::memcpy(weights, part.data() + 16 * i, 8);
      std::memcpy(&next, part.data() + 16 * i + 8, 8);
      if (next < before || next > header_.counts[1]) Damaged("the n-grams of a word lie outside");
      before = next;
      if (i <= words_) largest = std::max({largest, weights[0] & kMagnitude, weights[1] & kMagnitude});
    }
    CheckMagnitude(largest);
  }

  template <class Model>
  void CheckTrie(bool quantised, bool arrays) {
    const uint64_t begin = at_;
    lm::ngram::Config config;
    CheckTrieWords();
    TrieLevelForm form;
    form.words = header_.counts[0];
    std::span<const uint8_t> books;
    if (quantised) {
      if (bytes_.size() - at_ < 8) Damaged("the file is cut short");
      form.prob_bits = config.prob_bits = bytes_[at_ + 1];
      form.backoff_bits = config.backoff_bits = bytes_[at_ + 2];
      const auto in_range = [](int bits) { return bits >= 1 && bits <= 25; };
      if (bytes_[at_] != 2 || !in_range(form.prob_bits) || !in_range(form.backoff_bits))
        Damaged("its code books are malformed");
      const uint64_t prob_book = uint64_t{4} << form.prob_bits, backoff_book = uint64_t{4} << form.backoff_bits;
      books = Take(8 + static_cast<uint64_t>(header_.order - 2) * (prob_book + backoff_book) + prob_book).subspan(8);
    }
    CheckTrieUnigrams();
    if (arrays && header_.order > 2) {
      if (bytes_.size() - at_ < 2) Damaged("the file is cut short");
      if (bytes_[at_] != 0) Damaged("its pointers are of an unknown version");
      config.pointer_bhiksha_bits = bytes_[at_ + 1];
      form.array_bits = bytes_[at_ + 1];
    }
    form.arrays = arrays;
    for (size_t n = 1; n < header_.counts.size(); ++n) {
      form.longest = n + 1 == header_.counts.size();
      form.entries = header_.counts[n];
      form.children = form.longest ? 0 : header_.counts[n + 1];
      if (quantised) {
        form.prob_book = books.first(uint64_t{4} << form.prob_bits);
        books = books.subspan(form.prob_book.size());
        if (!form.longest) {
          form.backoff_book = books.first(uint64_t{4} << form.backoff_bits);
          books = books.subspan(form.backoff_book.size());
        }
      }
      const uint64_t offset = at_;
      const auto part = Take(TrieLevelBytes(form));
      if (const char* problem = CheckTrieLevel(form, offset, part); problem != nullptr) Damaged(problem);
    }
    CheckSize<Model>(config, begin);
  }

  const std::string& path_;
  std::span<const uint8_t> bytes_;
  Header header_;
  uint64_t at_ = 0;     // what is before has been checked
  uint64_t words_ = 0;  // of a trie, without <unk>
};

}  // namespace

void CheckLmBinary(const std::string& path, std::span<const uint8_t> bytes) { BinaryCheck(path, bytes).Run(); }

}  // namespace graft::engine
