#include "align/align_table.h"

#include "align/align.h"
#include "corpus/source_settings.h"
#include "util/option_text.h"

namespace graft::engine {

const OptionTable<graft::AlignOptions>& AlignOptionTable() {
  static const OptionTable<graft::AlignOptions> table = {
      .section = "align",
      .help = "How words are aligned where `corpus.align` is not given; flags of `graft align`.",
      .options = {{.key = "method",
                   .field = {Member(&graft::AlignOptions::method), AlignMethods()},
                   .help = "hmm: IBM model 1, then HMMs of both directions that must agree; ibm1: IBM model 1 only",
                   .flag = "--method"},
                  {.key = "symmetrise",
                   .field = {Member(&graft::AlignOptions::symmetrise), SymmetrisationNames()},
                   .help = "How the two directions become one: " + Joined(SymmetrisationNames()),
                   .flag = "--symmetrise"},
                  {.key = "seed",
                   .field = Member(&graft::AlignOptions::seed),
                   .help = "Accepted for scripts; no method of this version draws random numbers",
                   .flag = "--seed",
                   .range = {.least = 0}}}};
  return table;
}

const OptionTable<graft::AlignOptions>& AlignVerbTable() {
  static const OptionTable<graft::AlignOptions> table = {
      .section = "align",
      .help = "Besides those of `[align]`.",
      .options = {FormatOption(&graft::AlignOptions::format),
                  {.key = "lowercase",
                   .field = Member(&graft::AlignOptions::lowercase),
                   .help = "Lower-case both sides first",
                   .flag = "--lowercase"},
                  WordsOption<graft::AlignOptions>(Member(&graft::AlignOptions::words))}};
  return table;
}

}  // namespace graft::engine
