#include "lm/language_model.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include "graft/error.h"
#include "lm/arpa_check.h"
#include "lm/arpa_file.h"
#include "lm/binary_check.h"
#include "lm/binary_format.hh"
#include "lm/kenlm_error.h"
#include "lm/left.hh"
#include "lm/model.hh"
#include "util/exception.hh"
#include "util/file.hh"
#include "util/file_operations.h"
#include "util/mapped_file.h"
#include "util/probing_hash_table.hh"
#include "util/system_error.h"
#include "util/temporary_file.h"
#include "util/unfinished_file.h"

namespace graft::engine {
namespace {

constexpr float kLn10 = 2.302585092994045684f;  // KenLM keeps logs of base 10

template <class Model>
class KenlmModel final : public LanguageModel {
 public:
  KenlmModel(const std::string& path, const lm::ngram::Config& config) : model_(path.c_str(), config) {}

  int order() const override { return model_.Order(); }
  std::string_view form() const override { return lm::ngram::kModelNames[Model::kModelType]; }
  LmWord Word(std::string_view word) const override {
    return model_.GetVocabulary().Index(StringPiece(word.data(), word.size()));
  }
  LmState BeginState() const override { return model_.BeginSentenceState(); }
  LmState NullState() const override { return model_.NullContextState(); }

  float Score(const LmState& state, LmWord word, LmState* next) const override {
    LmState result;
    const float score = model_.FullScore(state, word, result).prob;
    *next = result;
    return kLn10 * score;
  }

  float ScoreEnd(const LmState& state) const override {
    LmState unused;
    return kLn10 * model_.FullScore(state, model_.GetVocabulary().EndSentence(), unused).prob;
  }

  float ScorePhrase(std::span<const LmWord> words, LmPhrase* phrase) const override {
    lm::ngram::RuleScore<Model> score(model_, *phrase);
    for (const LmWord word : words) score.Terminal(word);
    return kLn10 * score.Finish();
  }

  // RuleScore::NonTerminal for a left neighbour that is a right state only: everything to its left is settled, so left
  // pointers are read and never written, and the walk ends with the first n-gram that no longer reaches into `state`.
  float Append(const LmState& state, const LmPhrase& phrase, LmState* next) const override {
    const lm::ngram::Left& left = phrase.left;
    if (left.length == 0) {
      if (!left.full) {  // an empty phrase
        *next = state;
        return 0;
      }
      const float score = Sum(state.backoff, state.length);
      *next = phrase.right;
      return kLn10 * score;
    }
    unsigned char context = state.length;  // words of `state` the next n-gram may use
    if (context == 0) {
      *next = phrase.right;
      return kLn10 * model_.UnRest(left.pointers, left.pointers + left.length, 1);
    }
    std::array<std::array<float, KENLM_MAX_ORDER - 1>, 2> buffers;
    const float* backoff = state.backoff;
    float score = 0;
    for (unsigned char length = 1; length <= left.length; ++length) {
      float* const backoff_out = buffers[length & 1].data();
      score += model_
                   .ExtendLeft(state.words, state.words + context, backoff, left.pointers[length - 1], length,
                               backoff_out, context)
                   .prob;
      if (context == 0) {
        score += model_.UnRest(left.pointers + length, left.pointers + left.length, length + 1);
        *next = phrase.right;
        return kLn10 * score;
      }
      backoff = backoff_out;
    }
    const lm::ngram::State& right = phrase.right;
    if (left.full) {
      score += Sum(backoff, context);
      *next = right;
    } else if (right.length < left.length) {  // minimised: no longer n-gram ends in the phrase
      *next = right;
    } else {
      std::copy_backward(state.words, state.words + context, next->words + right.length + context);
      std::copy(right.words, right.words + right.length, next->words);
      std::copy(right.backoff, right.backoff + right.length, next->backoff);
      std::copy(backoff, backoff + context, next->backoff + right.length);
      next->length = static_cast<unsigned char>(right.length + context);
    }
    return kLn10 * score;
  }

  float Join(std::span<const LmPhrase* const> parts, LmPhrase* joined) const override {
    lm::ngram::RuleScore<Model> score(model_, *joined);
    score.BeginNonTerminal(*parts[0]);
    for (size_t i = 1; i < parts.size(); ++i) score.NonTerminal(*parts[i]);
    return kLn10 * score.Finish();
  }

 private:
  static float Sum(const float* values, unsigned char count) {
    float sum = 0;
    for (unsigned char i = 0; i < count; ++i) sum += values[i];
    return sum;
  }

  Model model_;
};

// Nothing is printed while loading; a missing <unk> gets KenLM's default of 10^-100, as in its own programs.
lm::ngram::Config QuietConfig() {
  lm::ngram::Config config;
  config.messages = nullptr;
  config.show_progress = false;
  config.load_method = util::READ;  // into huge pages: a query is a few cache misses, and each would miss the TLB too
  config.arpa_complain = lm::ngram::Config::NONE;
  config.unknown_missing = lm::SILENT;
  config.positive_log_probability = lm::SILENT;
  return config;
}

// Models pruned by other toolkits may lack many suffixes of their n-grams; KenLM puts blanks for them into the free
// slots of its hash tables, which then need to be larger.
std::unique_ptr<LanguageModel> LoadProbing(const std::string& path, lm::ngram::Config config) {
  for (;; config.probing_multiplier *= 2) {
    try {
      return std::make_unique<KenlmModel<lm::ngram::ProbingModel>>(path, config);
    } catch (const util::ProbingSizeException&) {
      if (config.probing_multiplier > 20) throw;
    }
  }
}

// Whether the file is a KenLM binary, and of which type. Throws Error for one that KenLM would stumble over.
bool RecogniseBinary(const std::string& path, const std::string& name, lm::ngram::ModelType* type) {
  if (!lm::ngram::RecognizeBinary(path.c_str(), *type)) return false;
  const MappedFile file(path);
  CheckLmBinary(name, file.bytes());
  return true;
}

// `name`: what messages call it.
std::unique_ptr<LanguageModel> LoadPlain(const std::string& path, const std::string& name,
                                         const lm::ngram::Config& config) {
  lm::ngram::ModelType type = lm::ngram::PROBING;  // what an ARPA file becomes in memory
  RecogniseBinary(path, name, &type);
  const ForeignMapping reading(name);
  switch (type) {
    case lm::ngram::PROBING: return LoadProbing(path, config);
    case lm::ngram::REST_PROBING: return std::make_unique<KenlmModel<lm::ngram::RestProbingModel>>(path, config);
    case lm::ngram::TRIE: return std::make_unique<KenlmModel<lm::ngram::TrieModel>>(path, config);
    case lm::ngram::QUANT_TRIE: return std::make_unique<KenlmModel<lm::ngram::QuantTrieModel>>(path, config);
    case lm::ngram::ARRAY_TRIE: return std::make_unique<KenlmModel<lm::ngram::ArrayTrieModel>>(path, config);
    case lm::ngram::QUANT_ARRAY_TRIE: return std::make_unique<KenlmModel<lm::ngram::QuantArrayTrieModel>>(path, config);
  }
  throw Error(path + ": a KenLM binary of an unknown model type");
}

// Whether a failure can only be one of writing.
bool IsOfWriting(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG || error == EROFS; }

// Calls use(path) with a path that KenLM can read: that of `path` itself, or of an unpacked temporary copy. Its
// exceptions become Errors.
template <class Use>
auto WithReadable(const std::string& path, Use use) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) throw Error(path + ": cannot read the language model: " + SystemReason(errno));
  if (S_ISDIR(status.st_mode)) throw Error(path + ": a folder, expected a language model (ARPA or KenLM binary)");
  if (!S_ISREG(status.st_mode))
    throw Error(path + ": not a regular file; a language model is read more than once: write it to a file first");
  const auto checked = [&](const std::string& readable) {
    lm::ngram::ModelType type{};
    if (!lm::ngram::RecognizeBinary(readable.c_str(), type)) {
      const MappedFile file(readable);
      CheckArpa({reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()}, path);
    }
    return use(readable);
  };
  try {
    if (!IsPackedModel(path)) return checked(path);
    TemporaryFile plain(TemporaryFile::FolderOr("") + "/graft-lm-", TemporaryFile::Name::kKept);
    UnpackModel(path, &plain);
    if (IsPackedModel(plain.name())) throw Error(path + ": packed twice; unpack it once");
    return checked(plain.name());
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(path + ": cannot load the language model: " + MemoryReason());
  } catch (const util::ErrnoException& error) {  // of the system, not of the model
    throw Error(
        path + ": cannot load the language model: " +
        (error.Error() == ENOMEM ? MemoryReason(static_cast<uint64_t>(status.st_size)) : SystemReason(error.Error())));
  } catch (const std::exception& error) {
    throw Error(path + ": not a usable language model (ARPA or KenLM binary, order at most " +
                std::to_string(KENLM_MAX_ORDER) + "): " + KenlmMessage(error.what()));
  }
}

}  // namespace

std::unique_ptr<LanguageModel> LanguageModel::Load(const std::string& path) {
  return WithReadable(path, [&](const std::string& readable) { return LoadPlain(readable, path, QuietConfig()); });
}

void LanguageModel::WriteBinary(const std::string& path, const std::string& output, const StopCheck& stop) {
  stop.Poll();
  WithReadable(path, [&](const std::string& readable) {
    lm::ngram::ModelType type{};
    UnfinishedFile binary(output);
    if (RecogniseBinary(readable, path, &type)) {
      CopyFile(readable, binary.name(), stop);
    } else {
      lm::ngram::Config config = QuietConfig();  // KenLM writes the binary while it loads the ARPA file
      config.write_mmap = binary.name().c_str();
      try {
        LoadPlain(readable, path, config);
      } catch (const util::ErrnoException& error) {
        if (IsOfWriting(error.Error())) FailSystem("write", output, error.Error());
        throw;
      }
      const MappedFile written(binary.name());
      CheckLmBinary(path, written.bytes());  // whoever opens it will
    }
    binary.Publish();
  });
}

}  // namespace graft::engine
