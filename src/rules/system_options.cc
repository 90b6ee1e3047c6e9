#include "rules/system_options.h"

#include "corpus/source_settings.h"
#include "rules/source_side.h"

namespace graft::engine {
namespace {

// Non-terminals stand for pairs inside other pairs.
bool HasSubPairs(const SystemSpec& preset) { return preset.grammar.mgs > 0; }
bool HasBlocks(const SystemSpec& preset) { return preset.has_blocks(); }
bool HasGrammar(const SystemSpec& preset) { return preset.has_grammar(); }
bool HasGaps(const SystemSpec& preset) { return preset.has_gap_feature(); }
bool ReadsTree(const SystemSpec& preset) { return preset.reads_tree(); }

// Signatures bound the symbols of a source side.
OptionRange SymbolRange(const SystemSpec& spec) {
  if (!spec.edge_labels) return {1, kMaxSourceSymbols};
  return {1, kMaxLabelledSymbols, "1 to " + std::to_string(kMaxLabelledSymbols) + " with edge labels"};
}

OptionRange MaxLengthRange(const SystemSpec& spec, const SystemSpec&) {
  // Words are the symbols where there are no non-terminals.
  return spec.has_grammar() ? OptionRange{1, kMaxSourceSymbols} : SymbolRange(spec);
}

OptionRange MaxSymbolsRange(const SystemSpec& spec, const SystemSpec&) {
  return spec.has_blocks() ? OptionRange{1, kMaxNonTerminals} : SymbolRange(spec);
}

}  // namespace

const SystemTable& ReadingOptionTable() {
  static const SystemTable table = {
      .section = "system",
      .options = {{.key = "projectivise",
                   .field = Member(&SystemSpec::reading, &SystemSpec::Reading::projectivise),
                   .help = "Non-projective trees are made projective first",
                   .flag = "--no-projectivise",
                   .flag_help = "Keep non-projective trees as they are",
                   .applies = ReadsTree},
                  WordsOption<SystemSpec, SystemSpec>(Member(&SystemSpec::reading, &SystemSpec::Reading::words)),
                  {.key = "upos",
                   .field = Member(&SystemSpec::reading, &SystemSpec::Reading::upos),
                   .help = "CoNLL-U: tags from UPOS even where XPOS is given",
                   .flag = "--upos",
                   .applies = ReadsTree}}};
  return table;
}

// In the order in which tables and model.toml write them.
const SystemTable& SystemOptionTable() {
  static const SystemTable table = [] {
    SystemTable made = {.section = "system",
                        .help = "Which system it is, and its limits. Written into tables and models, which must agree.",
                        .options = {
                            {.key = "name",
                             .field = {Member(&SystemSpec::name), SystemNames()},
                             .help = Joined(SystemNames(), "or"),
                             .flag = "--system",
                             .default_text = ""},
                            {.key = "graph",
                             .field = {Member(&SystemSpec::graph), OptionNames<GraphKind>{{"tree", GraphKind::kTree},
                                                                                          {"dsg", GraphKind::kDsg},
                                                                                          {"dbg", GraphKind::kDbg}}},
                             .help = "Graph over the source words: tree, dsg or dbg",
                             .flag = "--graph",
                             .placeholder = "KIND",
                             .applies = [](const SystemSpec& preset) { return preset.takes.graph; }},
                            {.key = "edge_labels",
                             .field = Member(&SystemSpec::edge_labels),
                             .help = "Edges carry dep or seq",
                             .flag = "--edge-labels",
                             .applies = [](const SystemSpec& preset) { return preset.takes.edge_labels; }},
                            {.key = "max_length",
                             .field = Member(&SystemSpec::max_length),
                             .help = "Words of a unit, and of its target",
                             .flag = "--max-length",
                             .range_for = MaxLengthRange},
                            {.key = "max_symbols",
                             .field = Member(&SystemSpec::grammar, &SystemSpec::Grammar::max_symbols),
                             .help = "Words and non-terminals of a rule's source side",
                             .flag = "--max-symbols",
                             .applies = HasGrammar,
                             .range_for = MaxSymbolsRange},
                            {.key = "mgs",
                             .field = Member(&SystemSpec::grammar, &SystemSpec::Grammar::mgs),
                             .help = "Fewest source words under a non-terminal, in training",
                             .flag = "--mgs",
                             .range = {1, kMaxSourceSymbols},
                             .applies = HasSubPairs},
                            {.key = "adjacent_nt",
                             .field = Member(&SystemSpec::grammar, &SystemSpec::Grammar::adjacent_nt),
                             .help = "Non-terminals may follow each other in the source",
                             .flag = "--adjacent-nt",
                             .applies = HasSubPairs},
                            {.key = "pos",
                             .field = Member(&SystemSpec::grammar, &SystemSpec::Grammar::pos),
                             .help = "Non-terminals are labelled by parts of speech instead of X",
                             .flag = "--pos",
                             .applies = [](const SystemSpec& preset) { return preset.takes.pos; }},
                            {.key = "max_extract_span",
                             .field = Member(&SystemSpec::max_extract_span),
                             .help = "Words from the first to the last of a unit in training; 0: no limit",
                             .flag = "--max-span",
                             .range = {.least = 0, .text = "positive, or 0 for no limit"},
                             .applies = HasGaps},
                            {.key = "blocks",
                             .field = Member(&SystemSpec::blocks, &SystemSpec::Blocks::parts),
                             .help = "Rules also of parts of a head with its dependents, and phrases",
                             .flag = "--no-blocks",
                             .flag_help = "No rules of parts of a head with its dependents",
                             .applies = HasBlocks},
                            {.key = "floating",
                             .field = Member(&SystemSpec::blocks, &SystemSpec::Blocks::floating),
                             .help = "Rules of parts without the head as well",
                             .flag = "--floating",
                             .applies = HasBlocks},
                            {.key = "extend",
                             .field = Member(&SystemSpec::blocks, &SystemSpec::Blocks::extend),
                             .help = "Words of a rule may take unaligned target words beside them",
                             .flag = "--no-extend",
                             .flag_help = "Words of a rule take no unaligned target words",
                             .applies = HasBlocks},
                        }};
    const auto& reading = ReadingOptionTable().options;
    made.options.insert(made.options.end(), reading.begin(), reading.end());
    return made;
  }();
  return table;
}

}  // namespace graft::engine
