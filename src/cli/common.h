// What the verbs share: options that mean the same everywhere, and the console as a Reporter. One file per verb
// (verb_NAME.cc).
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graft/reporter.h"
#include "rules/system_options.h"

namespace graft::engine::cli {

// Warnings go to stderr as `graft: warning: …`; progress is a bar, drawn only when stderr is a terminal (colour unless
// NO_COLOR is set).
Reporter ConsoleReporter();

// A line for stderr that is always shown (summaries, counts).
void Note(std::string_view message);

// A line of a result for stdout, with the progress bar out of its way; lines that end themselves.
void Print(std::string_view line);
void PrintText(std::string_view text);

// --threads N (default: all cores).
struct ThreadOption {
  int threads = 0;
  void AddTo(CLI::App* app);
  int value() const;  // at least 1
};

// -S 80% | 4G | 64M.
struct MemoryOption {
  std::string text = "80%";
  void AddTo(CLI::App* app);
  uint64_t bytes() const;
};

// --system, --graph and the other options of a system. Those that mean nothing for the one chosen are errors
// (MakeSystemSpec). Must outlive the application it is added to.
class SystemOption {
 public:
  explicit SystemOption(const SystemTable& table = SystemOptionTable()) : table_(&table) {}
  void AddTo(CLI::App* app);
  bool given() const { return options_.contains("name"); }  // --system was
  SystemSpec Spec() const;
  std::vector<std::string> Settings() const;  // "name=…", as the library takes them

 private:
  const SystemTable* table_;
  SystemOptions options_;
};

// Every verb registers itself on the application; its callback does the work and throws graft::Error.
void AddAlign(CLI::App* app);
void AddCheck(CLI::App* app);
void AddCombine(CLI::App* app);
void AddCompare(CLI::App* app);
void AddEval(CLI::App* app);
void AddExperiment(CLI::App* app);
void AddExtract(CLI::App* app);
void AddTable(CLI::App* app);
void AddLm(CLI::App* app);
void AddModel(CLI::App* app);
void AddOptions(CLI::App* app);
void AddTokenise(CLI::App* app);
void AddTrain(CLI::App* app);
void AddTranslate(CLI::App* app);
void AddTune(CLI::App* app);

}  // namespace graft::engine::cli
