// FILE and --input of the verbs that translate.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace graft::engine::cli {

struct TranslationInputOption {
  std::string file = "-", format;
  void AddTo(CLI::App* app);
};

}  // namespace graft::engine::cli
