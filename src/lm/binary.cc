#include "lm/binary.h"

#include <filesystem>

#include "lm/binary_format.hh"
#include "lm/kenlm_error.h"
#include "lm/language_model.h"
#include "lm/model.hh"
#include "text/error.h"

namespace graft {

void WriteBinaryLanguageModel(const std::string& input, const std::string& output) {
  namespace fs = std::filesystem;
  if (!fs::exists(input)) throw Error("cannot open " + input + ": No such file or directory");
  try {
    lm::ngram::ModelType type{};
    // KenLM has no binary form of a model of order 1; such a model stays an ARPA file.
    if (lm::ngram::RecognizeBinary(input.c_str(), type) || LanguageModel::Load(input)->order() == 1) {
      fs::copy_file(input, output, fs::copy_options::overwrite_existing);
      return;
    }
    lm::ngram::Config config;
    config.messages = nullptr;
    config.show_progress = false;
    config.arpa_complain = lm::ngram::Config::NONE;
    config.unknown_missing = lm::SILENT;
    config.positive_log_probability = lm::SILENT;
    config.write_mmap = output.c_str();
    config.write_method = lm::ngram::Config::WRITE_AFTER;
    const lm::ngram::ProbingModel model(input.c_str(), config);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(input + ": " + KenlmMessage(error.what()));
  }
}

}  // namespace graft
