// An n-gram language model behind a small value-state interface (KenLM inside). ARPA files and every KenLM binary form
// load; the file is recognised by its content. Immutable after Load, shared by all threads. All scores are natural
// logs.
//
// Left-to-right search prices a phrase in two parts, as KenLM advises phrase-based decoders (lm/left.hh):
//   LmPhrase phrase;
//   float inside = model.ScorePhrase(words, &phrase);           // once per option: words with the context at hand
//   float delta = model.Append(state, phrase, &next_state);     // per hypothesis: what the left context changes
//   total += inside + delta;
// and inside + delta is the exact sum of log p(word | context), up to float rounding.
//
// Search with a grammar joins phrases with open left sides: the pre-scored words between a rule's non-terminals and the
// phrases that fill these, in target order. A word is never scored twice; the words at the left end stay estimates
// until their context arrives.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "lm/state.hh"  // KenLM
#include "util/stop_check.h"

namespace graft::engine {

using LmWord = uint32_t;                 // KenLM's word index; 0 = <unk>
using LmState = lm::ngram::State;        // right context; compare with SameState
using LmPhrase = lm::ngram::ChartState;  // a phrase with open left side; compare with SamePhrase

inline bool SameState(const LmState& a, const LmState& b) { return a == b; }
// Whether no context can tell the two apart: equal left sides (the pointer of the longest n-gram stands for its words)
// and equal right states. Unlike KenLM's own comparison it tells a phrase without words from one whose left side is
// settled.
inline bool SamePhrase(const LmPhrase& a, const LmPhrase& b) {
  const lm::ngram::Left &l = a.left, &m = b.left;
  return l.length == m.length && l.full == m.full &&
         (l.length == 0 || l.pointers[l.length - 1] == m.pointers[m.length - 1]) && a.right == b.right;
}
inline uint64_t HashPhrase(const LmPhrase& phrase) {
  constexpr uint64_t kMix = 0x9e3779b97f4a7c15ull;
  const lm::ngram::Left& left = phrase.left;
  uint64_t hash =
      static_cast<uint64_t>(left.length) << 16 | static_cast<uint64_t>(left.full) << 8 | phrase.right.length;
  if (left.length != 0) hash ^= left.pointers[left.length - 1];
  hash *= kMix;
  for (unsigned i = 0; i < phrase.right.length; ++i) hash = ((hash ^ hash >> 29) + phrase.right.words[i]) * kMix;
  return hash ^ hash >> 32;
}

class LanguageModel {
 public:
  virtual ~LanguageModel() = default;
  static std::unique_ptr<LanguageModel> Load(const std::string& path);  // throws Error

  // Writes the model at `path` as a KenLM binary: an ARPA file becomes a probing model, a binary is copied as it is.
  static void WriteBinary(const std::string& path, const std::string& output, const StopCheck& stop = {});

  virtual int order() const = 0;
  virtual std::string_view form() const = 0;             // KenLM's name of the data structure
  virtual LmWord Word(std::string_view word) const = 0;  // 0 for an unknown word
  virtual LmState BeginState() const = 0;                // after <s>
  virtual LmState NullState() const = 0;                 // no context

  // One word after a state; for checks and short loops.
  virtual float Score(const LmState& state, LmWord word, LmState* next) const = 0;
  virtual float ScoreEnd(const LmState& state) const = 0;  // </s>

  virtual float ScorePhrase(std::span<const LmWord> words, LmPhrase* phrase) const = 0;
  virtual float Append(const LmState& state, const LmPhrase& phrase, LmState* next) const = 0;

  // Joins phrases, at least one, left to right. Returns what their neighbours change: the inside score of `joined` is
  // the sum of theirs plus this. `joined` is none of the parts.
  virtual float Join(std::span<const LmPhrase* const> parts, LmPhrase* joined) const = 0;
};

}  // namespace graft::engine
