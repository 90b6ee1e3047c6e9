// Language models: ARPA text (plain and packed, which KenLM unpacks itself) and binaries.
#include "lm/language_model.h"

#include <array>
#include <cmath>

#include "fuzz/fuzz_target.h"

namespace graft::engine::fuzz {
namespace {

// Everything that a search asks of a model, with known and unknown words.
void UseModel(const LanguageModel& lm) {
  std::vector<LmWord> words;
  for (const char* word : {"a", "b", "c", "<s>", "</s>", "<unk>", "nowhere"}) words.push_back(lm.Word(word));
  LmState state = lm.BeginState(), next;
  for (const LmWord word : words) {
    Require(!std::isnan(lm.Score(state, word, &next)), "a score that is no number");
    state = next;
  }
  lm.ScoreEnd(state);
  LmPhrase first, second, joined;
  const std::array<LmWord, 3> left = {words[0], words[1], words[0]}, right = {words[1], words[2], words[6]};
  lm.ScorePhrase(left, &first);
  lm.ScorePhrase(right, &second);
  lm.Append(lm.BeginState(), first, &next);
  lm.Append(next, second, &next);
  const std::array<const LmPhrase*, 2> parts = {&first, &second};
  lm.Join(parts, &joined);
}

void RunArpa(std::string_view bytes) {
  const std::string path = WriteScratch("any.arpa", bytes), binary = ScratchPath("any.bin");
  if (!Accepts([&] { UseModel(*LanguageModel::Load(path)); })) return;
  LanguageModel::WriteBinary(path, binary);
  UseModel(*LanguageModel::Load(binary));
}

void RunBinary(std::string_view bytes) {
  const std::string path = WriteScratch("any.lm", bytes);
  Accepts([&] { UseModel(*LanguageModel::Load(path)); });
}

const bool registered =
    Register({"lm_arpa", "language models as ARPA, plain and packed, and the binary made of them", RunArpa}) &&
    Register({"lm_binary", "language models as KenLM's binaries", RunBinary, 65536});

}  // namespace
}  // namespace graft::engine::fuzz
