#include "cli/corpus_option.h"

#include <fmt/format.h>

#include "cli/option_flags.h"
#include "graft/error.h"
#include "pipeline/train_tables.h"

namespace graft::engine::cli {

void CorpusOption::AddTo(CLI::App* app) {
  constexpr const char* kGroup = "Corpus";
  app->add_option("--source", files_.source, "CoNLL-U (.conllu), or tokenised text for systems without trees")
      ->type_name("FILE")
      ->group(kGroup);
  app->add_option("--target", files_.target, "Tokenised text")->type_name("FILE")->group(kGroup);
  app->add_option("--align", files_.align, "Word alignment, i-j, 0-based")->type_name("FILE")->group(kGroup);
  app->add_flag("--lowercase", lowercase_, "Lower-case source and target")->group(kGroup);
  const Option<TrainConfig>& bound = *CorpusOptionTable().Find("max_pair_rules");
  AddFlag(app, Describe(bound, std::vector<OptionCase<TrainConfig>>{{.name = "", .subject = {}, .defaults = {}}}),
          {.group = kGroup}, [this](const std::string&, const OptionValue& value) {
            max_pair_rules_ = static_cast<uint64_t>(std::get<int64_t>(value));
          });
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
  corpus.source = spec.reading.options(lowercase_);
  corpus.max_pair_rules = max_pair_rules_;
  return corpus;
}

void NoteBounded(const std::string& bounded) {
  if (!bounded.empty())
    Note(fmt::format("{} ({}); `graft check` names pairs that are hardly aligned", bounded, kMaxPairRulesFlag));
}

}  // namespace graft::engine::cli
