// Settings of everything that reads a source side, declared once for the tables of all that have them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "util/options.h"

namespace graft::engine {

// Of SourceFormat, as people write them.
inline std::vector<std::string> SourceFormatNames() { return {"conllu", "text"}; }

// Of what is translated, which may also be text that the model tokenises.
inline std::vector<std::string> InputFormNames() { return {"conllu", "text", "raw"}; }

template <class Struct>
Option<Struct> FormatOption(std::string Struct::*format) {
  return {.key = "format",
          .field = {Member(format), SourceFormatNames()},
          .help = "Format of the source (default: by its name; stdin is text)",
          .flag = "--input",
          .placeholder = "FORMAT",
          .default_text = ""};
}

template <class Struct, class Subject = Anything>
Option<Struct, Subject> WordsOption(OptionField<Struct> field) {
  return {.key = "words",
          .field = std::move(field),
          .help = "CoNLL-U: syntactic words instead of surface tokens",
          .flag = "--words"};
}

}  // namespace graft::engine
