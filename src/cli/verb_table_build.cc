// graft table build: a table from a corpus, from occurrences, or from a dump.
#include <fmt/format.h>

#include <memory>

#include "building/build.h"
#include "building/dump.h"
#include "building/table_options.h"
#include "cli/corpus_option.h"
#include "cli/option_flags.h"
#include "cli/verb_table.h"
#include "graft/error.h"
#include "graft/training_steps.h"

namespace graft::engine::cli {
namespace {

struct Build {
  SystemOption system;
  CorpusOption corpus;
  ThreadOption threads;
  MemoryOption memory;
  std::vector<std::string> occurrences, lexicons;
  std::string dump, output;
  graft::TableOptions stored;  // of these, what TableOptionTable has

  void Run(const CLI::App& verb) const {
    if ((corpus.given() ? 1 : 0) + (occurrences.empty() ? 0 : 1) + (dump.empty() ? 0 : 1) != 1)
      throw Error("give one of: a corpus (--source --target --align), files of occurrences, or --dump FILE");
    if (!dump.empty()) {
      std::vector<std::string> others = FlagsOf(SystemOptionTable());
      for (const auto& flags : {FlagsOf(TableOptionTable()), FlagsOf(CorpusRulesTable())})
        others.insert(others.end(), flags.begin(), flags.end());
      others.push_back("--lexicon");
      for (const std::string& option : others)
        if (verb.count(option) > 0) throw Error(fmt::format("{} means nothing with --dump, which says it all", option));
      Note(TotalsText(output, RestoreTable(dump, output, ConsoleReporter())));
      return;
    }
    if (!occurrences.empty() && verb.count("--lowercase") > 0)
      throw Error("--lowercase means nothing with occurrences, whose words are as they were extracted");
    if (!occurrences.empty() && verb.count(kMaxPairRulesFlag) > 0)
      throw Error(
          fmt::format("{} means nothing with occurrences, which are extracted already; give it to `graft "
                      "extract`",
                      kMaxPairRulesFlag));
    corpus.given() ? FromCorpus() : FromOccurrences();
  }

  void FromCorpus() const {
    if (!lexicons.empty())
      throw Error("--lexicon goes with files of occurrences; from a corpus the links are counted anew");
    const TrainingCorpus given = corpus.Corpus(system);
    const TableSummary built = graft::BuildTable({.system = system.Settings(),
                                                  .source = given.files.source,
                                                  .target = given.files.target,
                                                  .align = given.files.align,
                                                  .lowercase = given.source.lowercase,
                                                  .max_pair_rules = given.max_pair_rules,
                                                  .scores = stored.scores,
                                                  .counts = stored.counts,
                                                  .keep = stored.keep,
                                                  .output = output,
                                                  .threads = threads.value(),
                                                  .memory = memory.text},
                                                 ConsoleReporter());
    Note(built.corpus_text);
    NoteBounded(built.bounded_text);
    Note(built.text);
  }

  void FromOccurrences() const {
    CheckTableOutput(output);
    const BuildOptions options{
        .spec = system.Spec(), .scores = ParseScoreCoding(stored.scores), .counts = stored.counts, .keep = stored.keep};
    const WorkOptions work{.threads = threads.value(), .memory_bytes = memory.bytes(), .temp_folder = ""};
    const Reporter reporter = ConsoleReporter();
    Occurrences found = ReadOccurrences(occurrences, lexicons, options.spec, work, reporter);
    Note(TotalsText(output, BuildTable(std::move(found), options, work, output, reporter)));
  }
};

}  // namespace

void AddTableBuild(CLI::App* table) {
  CLI::App* verb = table->add_subcommand("build", "A table from a corpus, from occurrences, or from a dump");
  auto options = std::make_shared<Build>();
  verb->add_option("occurrences", options->occurrences, "What `graft extract` wrote, in any number of files")
      ->type_name("OCCURRENCES…");
  verb->add_option("--lexicon", options->lexicons, "Link counts from `graft extract --lexicon`, of every file")
      ->type_name("LEX…");
  verb->add_option("--dump", options->dump, "What `graft table dump` wrote: restores the table")->type_name("FILE");
  verb->add_option("-o,--output", options->output, "Rule table")->type_name("FILE")->required();
  options->system.AddTo(verb);
  options->corpus.AddTo(verb);
  AddFlags(verb, TableOptionTable(), {}, &options->stored);
  options->threads.AddTo(verb);
  options->memory.AddTo(verb);
  verb->footer(
      "\nExamples:\n"
      "  graft table build --system pbmt --source train.de --target train.en --align train.align -o rules.graft\n"
      "  graft table build --system seggbmt --graph dsg part1.occ part2.occ --lexicon part1.lex part2.lex -o "
      "rules.graft\n"
      "  graft table build --dump rules.txt.gz -o rules.graft\n"
      "\nAll three ways give the same bytes for the same rules.");
  verb->callback([options, verb] { options->Run(*verb); });
}

}  // namespace graft::engine::cli
