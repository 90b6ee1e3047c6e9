#include "pipeline/train_tables.h"

#include <fmt/format.h>

#include "align/align.h"
#include "util/option_text.h"

namespace graft::engine {
namespace {

OptionRange PairRange(double least) { return {least, double(int64_t{1} << 48)}; }
OptionRange SeedRange() { return {0, double(int64_t{1} << 53), "0 or more"}; }

}  // namespace

const OptionTable<TrainConfig>& TrainRootTable() {
  static const OptionTable<TrainConfig> table = {
      .section = "",
      .options = {{.key = "output",
                   .field = Member(&TrainConfig::output),
                   .help = "Folder for the model; intermediate files go to a folder beside it, with `.work` added"}}};
  return table;
}

const OptionTable<TrainConfig>& CorpusOptionTable() {
  static const OptionTable<TrainConfig> table = {
      .section = "corpus",
      .help = "What is trained on.",
      .options = {{.key = "source",
                   .field = Member(&TrainConfig::corpus, &TextPart::source),
                   .help = "CoNLL-U (.conllu), or plain text for systems without trees",
                   .file = true},
                  {.key = "target",
                   .field = {OptionType::kText,
                             [](const TrainConfig& config) -> OptionValue {
                               return config.corpus.references.empty() ? std::string() : config.corpus.references[0];
                             },
                             [](TrainConfig* config, const OptionValue& file) {
                               config->corpus.references = {std::get<std::string>(file)};
                             }},
                   .help = "The target side, line for line",
                   .file = true},
                  {.key = "align",
                   .field = Member(&TrainConfig::align),
                   .help = "Word alignment, i-j, counted from 0; made where it is not given",
                   .file = true},
                  {.key = "limit",
                   .field = Member(&TrainConfig::corpus, &TextPart::limit),
                   .help = "Only the first pairs; beyond them the files may differ in length",
                   .range = PairRange(1),
                   .default_text = "all"},
                  {.key = "lowercase",
                   .field = Member(&TrainConfig::text, &TextOptions::lowercase),
                   .help = "Source and target are lower-cased; excludes truecase"},
                  {.key = "truecase",
                   .field = Member(&TrainConfig::text, &TextOptions::truecase),
                   .help = "Words at the start of a sentence take their usual case, which is learnt from the corpus"},
                  {.key = "tokenised",
                   .field = {OptionType::kSwitch,
                             [](const TrainConfig& config) -> OptionValue { return config.text.tokeniser == "none"; },
                             [](TrainConfig* config, const OptionValue& is) {
                               config->text.tokeniser = std::get<bool>(is) ? "none" : "icu";
                             }},
                   .help = "Text is tokenised already; otherwise it is tokenised here"},
                  {.key = "languages",
                   .field = Member(&TrainConfig::text, &TextOptions::languages),
                   .help = "Of source and target, `[\"de\", \"en\"]`; the tokeniser's rules follow them"},
                  {.key = "max_pair_rules",
                   .field = Member(&TrainConfig::max_pair_rules),
                   .help = "Rules of one pair; one that has more, being hardly aligned, keeps those of its small units",
                   .flag = "--max-pair-rules",
                   .range = {double(kLeastMaxPairRules), double(kMostMaxPairRules)},
                   .default_text = fmt::format("{}; {} where non-terminals replace sub-pairs", kMaxPairRules,
                                               kMaxPairRulesWithSubPairs)}}};
  return table;
}

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
                   .range = SeedRange()}}};
  return table;
}

const OptionTable<graft::LanguageModelOptions>& LmOptionTable() {
  static const OptionTable<graft::LanguageModelOptions> table = {
      .section = "lm",
      .help =
          "The language model: how it is estimated, of what, or a finished one. `order` and `prune` are flags of "
          "`graft lm`.",
      .options = {{.key = "order",
                   .field = Member(&graft::LanguageModelOptions::order),
                   .help = "Longest n-gram",
                   .flag = "--order",
                   .range = {1, 6}},
                  {.key = "prune",
                   .field = Member(&graft::LanguageModelOptions::prune),
                   .help = "Drop n-grams seen at most this often: a threshold for each order, the last one for all "
                           "longer ones; 0 0 1 drops trigrams and longer n-grams seen once",
                   .flag = "--prune",
                   .range = {0, 1'000'000'000}}}};
  return table;
}

const OptionTable<TrainConfig>& LmFileOptionTable() {
  static const OptionTable<TrainConfig> table = {
      .section = "lm",
      .options = {{.key = "text",
                   .field = Member(&TrainConfig::lm_text),
                   .help = "Texts that it is estimated from",
                   .file = true,
                   .default_text = "the target side of the corpus"},
                  {.key = "file",
                   .field = Member(&TrainConfig::lm_file),
                   .help = "A finished model instead: ARPA or KenLM's binary form",
                   .file = true}}};
  return table;
}

const OptionTable<TextPart>& TextPartOptionTable() {
  static const OptionTable<TextPart> table = {
      .section = "dev",
      .help =
          "Sentences with their translations: the set that weights are tuned on (without it they keep their "
          "defaults), and any number of test sets.",
      .options = {{.key = "source",
                   .field = Member(&TextPart::source),
                   .help = "CoNLL-U (.conllu), or plain text for systems without trees",
                   .file = true},
                  {.key = "references",
                   .field = Member(&TextPart::references),
                   .help = "Their translations, a line for each sentence; several files: several references",
                   .file = true},
                  {.key = "skip",
                   .field = Member(&TextPart::skip),
                   .help = "Sentences of the files that are left out first",
                   .range = PairRange(0)},
                  {.key = "limit",
                   .field = Member(&TextPart::limit),
                   .help = "Only so many sentences",
                   .range = PairRange(1),
                   .default_text = "all"}}};
  return table;
}

const OptionTable<graft::TuneOptions>& TuneOptionTable() {
  static const OptionTable<graft::TuneOptions> table = {
      .section = "tune",
      .help = "How weights are tuned; flags of `graft tune`.",
      .options = {
          {.key = "method",
           .field = {Member(&graft::TuneOptions::method), std::vector<std::string>{"mira", "paper"}},
           .help = "mira: batch MIRA made stable; paper: batch MIRA to the letter",
           .flag = "--method"},
          {.key = "runs",
           .field = Member(&graft::TuneOptions::runs),
           .help =
               "Tune this often, each time with another seed; the best run is written, and each beside it as it ends",
           .flag = "--runs",
           .range = {1, 1000}},
          {.key = "seed",
           .field = Member(&graft::TuneOptions::seed),
           .help = "Seed of the first run",
           .flag = "--seed",
           .range = SeedRange()},
          {.key = "iterations",
           .field = Member(&graft::TuneOptions::iterations),
           .help = "Decode the development set at most this often",
           .flag = "--iterations",
           .range = {1, 1000}}}};
  return table;
}

}  // namespace graft::engine
