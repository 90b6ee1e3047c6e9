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
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "lm/state.hh"  // KenLM

namespace graft {

using LmWord = uint32_t;                 // KenLM's word index; 0 = <unk>
using LmState = lm::ngram::State;        // right context; compare with SameState
using LmPhrase = lm::ngram::ChartState;  // a phrase with open left side

inline bool SameState(const LmState& a, const LmState& b) { return a == b; }

class LanguageModel {
 public:
  virtual ~LanguageModel() = default;
  static std::unique_ptr<LanguageModel> Load(const std::string& path);  // throws Error

  // Writes the model at `path` as a KenLM binary: an ARPA file becomes a probing model, a binary is copied as it is.
  static void WriteBinary(const std::string& path, const std::string& output);

  virtual int order() const = 0;
  virtual LmWord Word(std::string_view word) const = 0;  // 0 for an unknown word
  virtual LmState BeginState() const = 0;                // after <s>
  virtual LmState NullState() const = 0;                 // no context

  // One word after a state; for checks and short loops.
  virtual float Score(const LmState& state, LmWord word, LmState* next) const = 0;
  virtual float ScoreEnd(const LmState& state) const = 0;  // </s>

  virtual float ScorePhrase(std::span<const LmWord> words, LmPhrase* phrase) const = 0;
  virtual float Append(const LmState& state, const LmPhrase& phrase, LmState* next) const = 0;
};

}  // namespace graft
