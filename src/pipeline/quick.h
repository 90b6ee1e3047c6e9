// `graft train --quick`: a configuration from two files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graft/reporter.h"
#include "rules/system_spec.h"

namespace graft::engine {

struct QuickOptions {
  std::string source;
  std::string target;
  std::string output;             // the model folder
  std::optional<bool> tokenised;  // unset: judged by the texts
  std::string system;             // empty: pbmt for text, seggbmt for CoNLL-U
};

struct QuickConfig {
  std::string toml;         // a complete configuration, with absolute paths
  bool parsed = false;      // the source is CoNLL-U
  std::string explanation;  // what was decided besides the system, for people
};

// A system that needs a graph gets the bigram graph. Of N pairs the last min(1000, 5 %) are kept for testing and
// as many before them for tuning (none if that is fewer than 10). Raw text is tokenised and truecased; tokenised text
// stays as it is. Languages are taken from names like train.de.
QuickConfig MakeQuickConfig(const QuickOptions& options, const Reporter& reporter);

// What was decided about the system, which --set may have changed.
std::string ExplainSystem(const QuickConfig& quick, const SystemSpec& system);

// The system that --set names, or nothing.
std::string OverriddenSystem(const std::vector<std::string>& overrides);

// The configuration with all `section.key=value` of --set written into it.
std::string WithOverrides(const std::string& toml, const std::vector<std::string>& overrides);

// Whether punctuation still sticks to the words (`an end.` instead of `an end .`), or Chinese or Japanese has no
// spaces.
bool LooksRaw(const std::string& path, const Reporter& reporter);

}  // namespace graft::engine
