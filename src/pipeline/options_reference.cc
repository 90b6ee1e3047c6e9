#include "pipeline/options_reference.h"

#include <fmt/format.h>

#include "align/align_table.h"
#include "building/table_options.h"
#include "combine/combine_table.h"
#include "corpus/check_table.h"
#include "eval/metric_table.h"
#include "lm/lm_table.h"
#include "model/model_new_table.h"
#include "model/model_tables.h"
#include "pipeline/experiment_tables.h"
#include "pipeline/train_tables.h"
#include "rules/system_options.h"
#include "text/text_option_table.h"
#include "translation/translate_table.h"
#include "tune/tune_table.h"
#include "util/option_text.h"

namespace graft::engine {
namespace {

constexpr const char* kIntroduction =
    "# Settings\n\n"
    "Every setting of configuration files, models and verbs, with its flag where a verb has one. This page is what "
    "`graft options` prints.\n\n"
    "* A **model** (`model.toml`) has `[system]`, `[text]`, `[search]` and `[weights]`; a file of **weights** has the "
    "last three.\n"
    "* A **training** (`graft train CONFIG`) has `output`, `[system]`, `[corpus]`, `[align]`, `[lm]`, `[dev]`, "
    "`[test.NAME]`, `[tune]`, `[search]` and `[weights]`.\n"
    "* An **experiment** (`graft experiment CONFIG`) has all of that, with `[[row]]` for the systems, and `baselines`, "
    "`[[consensus]]` and `[report]`.\n"
    "* Sections that are called as a **verb** are of its command line and of the call of the library that does the "
    "same: the key is the member of its options in `include/graft`. What else a verb is given, names of files and "
    "forms of output, is in its `--help`.\n\n"
    "`--set section.key=value` changes a key for one run. The last column says which systems a setting means something "
    "for; it is empty where these are all. For any other system the setting is an error. Files are relative to the "
    "configuration that names them.\n";

std::string SystemsText() {
  std::string text =
      "## Systems\n\nWhat `system.name` and `--system` may be.\n\n| name | in the paper | graph |\n|---|---|---|\n";
  for (const SystemSpec& preset : SystemPresets())
    text += fmt::format(
        "| `{}` | {} | {} |\n", preset.name, preset.title,
        preset.takes.graph ? Joined(SystemOptionTable().Find("graph")->field.words(), "or") : GraphName(preset.graph));
  return text;
}

class Sections {
 public:
  template <class Struct, class Subject>
  void Add(const std::string& title, const OptionTable<Struct, Subject>& table,
           std::vector<OptionDescription> options) {
    Add(table.section, title, table.help, options);
  }

  template <class Struct>
  void Add(const std::string& title, const OptionTable<Struct>& table) {
    Add(table.section, title, table.help, Describe(table));
  }

  void Add(const std::string& name, const std::string& title, const std::string& help,
           const std::vector<OptionDescription>& options) {
    sections_.push_back({name, title, ReferenceSection(title, help, options)});
  }

  std::vector<OptionsSection> Take() { return std::move(sections_); }

 private:
  std::vector<OptionsSection> sections_;
};

std::vector<OptionDescription> DescribeLm() {
  std::vector<OptionDescription> all = Describe(LmOptionTable());
  for (const OptionDescription& option : Describe(LmFileOptionTable())) all.push_back(option);
  return all;
}

std::vector<OptionDescription> DescribeTranslation() {
  std::vector<OptionDescription> all = Describe(TranslateOptionTable());
  for (const OptionDescription& option : Describe(RescoreOptionTable())) all.push_back(option);
  return all;
}

std::vector<OptionDescription> DescribeMetrics() {
  std::vector<OptionDescription> all = Describe(MetricOptionTable());
  all.front().default_text =
      fmt::format("{}; `graft compare` {}", fmt::join(UsualMetrics(), ","), fmt::join(UsualComparedMetrics(), ","));
  return all;
}

}  // namespace

std::vector<OptionsSection> OptionsSections() {
  Sections sections;
  sections.Add("[system]", SystemOptionTable(), Describe(SystemOptionTable(), SystemCases()));
  sections.Add("[text]", TextOptionTable());
  sections.Add("[search]", SearchOptionTable(), Describe(SearchOptionTable(), SearchCases()));
  sections.Add("weights", "[weights]",
               "Weights of the features, by the names of n-best lists; tuning starts from them. The score of a "
               "translation is the sum of weight times value.",
               DescribeWeights());
  sections.Add("train", "Of a training", "Keys outside of sections.", Describe(TrainRootTable()));
  sections.Add("[corpus]", CorpusOptionTable());
  sections.Add("[align]", AlignOptionTable());
  sections.Add("[lm]", LmOptionTable(), DescribeLm());
  sections.Add("[dev] and [test.NAME]", TextPartOptionTable());
  sections.Add("[tune]", TuneOptionTable());
  sections.Add("experiment", "Of an experiment", "Keys outside of sections.", Describe(ExperimentRootTable()));
  sections.Add("[[row]]", RowOptionTable());
  sections.Add("[[consensus]]", ConsensusOptionTable());
  sections.Add("[report]", ReportOptionTable());
  sections.Add("graft check", CheckOptionTable());
  sections.Add("graft align", AlignVerbTable());
  sections.Add("graft lm", LmVerbTable());
  sections.Add("graft extract and graft table build", CorpusRulesTable());
  sections.Add("graft table build and graft table import", TableOptionTable());
  sections.Add("graft table prune", PruneOptionTable());
  sections.Add("graft model new", ModelNewTable());
  sections.Add("graft translate", TranslateOptionTable(), DescribeTranslation());
  sections.Add("graft combine", CombineOptionTable());
  sections.Add("graft eval and graft compare", MetricOptionTable(), DescribeMetrics());
  sections.Add("graft compare", CompareOptionTable());
  return sections.Take();
}

std::string OptionsReference() {
  std::string page = fmt::format("{}\n{}", kIntroduction, SystemsText());
  for (const OptionsSection& section : OptionsSections()) page += "\n" + section.text;
  return page;
}

}  // namespace graft::engine
