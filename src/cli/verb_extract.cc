// graft extract: rule occurrences of one system as text.
#include <fmt/format.h>

#include <memory>

#include "cli/corpus_option.h"
#include "graft/error.h"

namespace graft::engine::cli {
namespace {

struct Extract {
  SystemOption system;
  CorpusOption corpus;
  ThreadOption threads;
  MemoryOption memory;
  std::string output = "-";
  std::string lexicon;

  void Run() const {
    const SystemSpec spec = system.Spec();
    const TrainingCorpus files = corpus.Corpus(system);
    if (output == "-" && lexicon == "-") throw Error("only one of -o and --lexicon can be stdout (-)");
    if (output == lexicon) throw Error("-o and --lexicon name the same file, " + output);
    CheckWritable(output);
    if (!lexicon.empty()) CheckWritable(lexicon);
    const WorkOptions work{.threads = threads.value(), .memory_bytes = memory.bytes(), .temp_folder = ""};
    Occurrences found = CountOccurrences(files, spec, work, ConsoleReporter());
    const OccurrenceTotals totals = found.totals;
    if (totals.pairs == 0) Note("graft: warning: " + files.files.source + ": the corpus is empty");
    const uint64_t lines = WriteOccurrences(std::move(found), work, output, lexicon);
    Note(fmt::format("{}, {} distinct", TotalsText(totals), lines));
    NoteBounded(BoundedText(totals));
  }
};

}  // namespace

void AddExtract(CLI::App* app) {
  CLI::App* verb = app->add_subcommand("extract", "Rule occurrences of one system as text");
  auto options = std::make_shared<Extract>();
  options->system.AddTo(verb);
  options->corpus.AddTo(verb);
  verb->add_option("-o,--output", options->output, "Occurrences, one line per distinct rule and alignment")
      ->type_name("FILE")
      ->capture_default_str();
  verb->add_option("--lexicon", options->lexicon, "Also write the link counts, which `graft table build` needs")
      ->type_name("FILE");
  options->threads.AddTo(verb);
  options->memory.AddTo(verb);
  verb->footer(
      "\nExample:\n"
      "  graft extract --system seggbmt --graph dsg --source train.conllu --target train.en --align train.align \\\n"
      "      --lexicon train.lex -o train.occurrences\n"
      "\nLines are `LHS ||| source ||| edges ||| target ||| count ||| links`, sorted; files of several shards merge "
      "in\n"
      "`graft table build OCCURRENCES… --lexicon LEX…`.");
  verb->callback([options] { options->Run(); });
}

}  // namespace graft::engine::cli
