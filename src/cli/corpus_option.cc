#include "cli/corpus_option.h"

#include <fmt/format.h>

#include "building/table_options.h"
#include "cli/option_flags.h"
#include "graft/error.h"

namespace graft::engine::cli {

void CorpusOption::AddTo(CLI::App* app) {
  constexpr const char* kGroup = "Corpus";
  app->add_option("--source", files_.source, "CoNLL-U (.conllu), or tokenised text for systems without trees")
      ->type_name("FILE")
      ->group(kGroup);
  app->add_option("--target", files_.target, "Tokenised text")->type_name("FILE")->group(kGroup);
  app->add_option("--align", files_.align, "Word alignment, i-j, 0-based")->type_name("FILE")->group(kGroup);
  AddFlags(app, CorpusRulesTable(), {.group = kGroup}, &rules_);
}

TrainingCorpus CorpusOption::Corpus(const SystemOption& system) const {
  int from_stdin = 0;
  for (const auto& [option, path] :
       {std::pair("--source", &files_.source), {"--target", &files_.target}, {"--align", &files_.align}}) {
    if (path->empty()) throw Error(fmt::format("{} is missing; a corpus is --source, --target and --align", option));
    if (*path == "-") ++from_stdin;
  }
  if (from_stdin > 1) throw Error("only one of --source, --target and --align can be stdin (-)");
  const SystemSpec spec = system.Spec();
  TrainingCorpus corpus;
  corpus.files = files_;
  corpus.format = ChooseFormat("", files_.source, spec.reads_tree());
  corpus.source = spec.reading.options(rules_.lowercase);
  corpus.max_pair_rules = rules_.max_pair_rules;
  return corpus;
}

void NoteBounded(const std::string& bounded) {
  if (!bounded.empty())
    Note(fmt::format("{} ({}); `graft check` names pairs that are hardly aligned", bounded, kMaxPairRulesFlag));
}

}  // namespace graft::engine::cli
