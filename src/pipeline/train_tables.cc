#include "pipeline/train_tables.h"

#include "building/table_options.h"

namespace graft::engine {
namespace {

OptionRange PairRange(double least) { return {least, double(int64_t{1} << 48)}; }

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
                  MaxPairRulesOption<TrainConfig>(Member(&TrainConfig::max_pair_rules))}};
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

}  // namespace graft::engine
