#include "corpus/check_table.h"

#include "corpus/source_settings.h"

namespace graft::engine {

const OptionTable<graft::CheckOptions>& CheckOptionTable() {
  static const OptionTable<graft::CheckOptions> table = {
      .section = "check",
      .help = "How a corpus is read; links count the words that it gives.",
      .options = {FormatOption(&graft::CheckOptions::format),
                  WordsOption<graft::CheckOptions>(Member(&graft::CheckOptions::words))}};
  return table;
}

}  // namespace graft::engine
