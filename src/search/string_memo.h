// The strings of a stack and their language model states. Grammars make the same string in many ways: of the
// combinations that a stack of the chart scores more than half repeat a string, whose state and inside score need no
// second look at the language model.
#pragma once

#include <cstdint>
#include <vector>

#include "search/string_key.h"
#include "util/hash_index.h"

namespace graft::engine {

class StringMemo {
 public:
  struct String {
    LmPhrase phrase;
    float inside = 0;   // its language model score with the context at hand
    uint64_t hash = 0;  // of the phrase
    StringKey key;
  };

  void Clear() { index_.Clear(); }  // keeps memory

  // The index of a string. A fresh one has its key only: phrase and inside score are the caller's to set, then Seal.
  uint32_t Find(const StringKey& key, bool* fresh) {
    const auto [string, is_fresh] =
        index_.Insert(key.a ^ key.b >> 32, [&](uint32_t known) { return strings_[known].key == key; });
    *fresh = is_fresh;
    if (is_fresh) {
      if (string == strings_.size()) strings_.resize(2 * string + 256);
      strings_[string].key = key;
    }
    return string;
  }
  void Seal(uint32_t string) { strings_[string].hash = HashPhrase(strings_[string].phrase); }

  String& operator[](uint32_t string) { return strings_[string]; }
  const String& operator[](uint32_t string) const { return strings_[string]; }

 private:
  HashIndex index_;
  std::vector<String> strings_;  // as many as were ever needed
};

}  // namespace graft::engine
