// graft train: from texts to a tuned model, resumable.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "cli/common.h"
#include "graft/error.h"
#include "pipeline/install.h"
#include "pipeline/quick.h"
#include "pipeline/train.h"
#include "util/output_file.h"

namespace graft::engine::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string config, output;
  std::vector<std::string> quick, overrides;
  bool dry_run = false, raw = false, tokenised = false;
  ThreadOption threads;
  MemoryOption memory;
};

QuickConfig MakeQuick(const Options& options, const Reporter& reporter) {
  QuickOptions quick{options.quick[0], options.quick[1], options.output, std::nullopt,
                     OverriddenSystem(options.overrides)};
  if (options.raw || options.tokenised) quick.tokenised = options.tokenised;
  return MakeQuickConfig(quick, reporter);
}

// The configuration of --quick goes into the work folder, where a curious user finds it. One that was edited is kept.
void WriteConfig(const std::string& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (fs::exists(path)) {
    std::ifstream in(path, std::ios::binary);
    const std::string before{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (before == text) return;
    const std::string kept = FreeName(path + ".old");
    fs::rename(path, kept, error);
    if (!error) Note(fmt::format("graft: warning: {} is replaced; the old one is {}", path, kept));
  }
  OutputFile file(path);
  file.Write(text);
  file.Close();
}

void Run(const Options& options) {
  const Reporter reporter = ConsoleReporter();
  TrainConfig config;
  if (options.quick.empty()) {
    config = ReadTrainConfig(options.config, options.overrides);
  } else {
    const QuickConfig quick = MakeQuick(options, reporter);
    const std::string path = options.output + ".work/train.toml";
    config = ParseTrainConfig(quick.toml, path, options.overrides);
    Note(ExplainSystem(quick, config.system));
    Note(quick.explanation);
    if (!options.dry_run) {
      CheckModelFolder(config.output);
      WriteConfig(path, WithOverrides(quick.toml, options.overrides));
      Note(path + " says so; change it and train with it for more.");
    }
  }
  const TrainResources resources{options.threads.value(), options.memory.bytes()};
  if (options.dry_run) {
    fmt::print("{}", FormatPlan(config, PlanTraining(config, resources, reporter)));
    return;
  }
  const TrainReport report = Train(
      config, resources, [](std::string_view line) { Note(line); }, reporter);
  Note("");
  fmt::print("{}", FormatReport(report));
}

}  // namespace

void AddTrain(CLI::App* app) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app->add_subcommand("train", "The whole way from texts to a tuned model; resumable");
  CLI::Option* config = verb->add_option("CONFIG", options->config, "Configuration (TOML)");
  CLI::Option* quick = verb->add_option("--quick", options->quick, "Two files instead of a configuration: SRC TGT")
                           ->expected(2)
                           ->type_name("SRC TGT")
                           ->excludes(config);
  verb->add_option("-o,--output", options->output, "With --quick: the model folder")->needs(quick);
  CLI::Option* raw = verb->add_flag("--raw", options->raw, "With --quick: the text is not tokenised")->needs(quick);
  verb->add_flag("--tokenised", options->tokenised, "With --quick: the text is tokenised")->needs(quick)->excludes(raw);
  verb->add_flag("--dry-run", options->dry_run, "Show the steps with rough memory and disk needs, and do nothing");
  verb->add_option("--set", options->overrides, "Override a key of the configuration: section.key=value")
      ->allow_extra_args(false);
  options->threads.AddTo(verb);
  options->memory.AddTo(verb);
  verb->footer(
      "Steps that are done are not done again: change the configuration, add a test set, or start again after an\n"
      "interruption, and only what is new is worked on. Intermediate files are in OUTPUT.work.\n\n"
      "Examples:\n"
      "  graft train --quick train.de train.en -o MODEL\n"
      "  graft train --quick train.de train.en -o MODEL --set system.name=hpbmt\n"
      "  graft train train.toml --dry-run\n"
      "  graft train train.toml --set tune.runs=3\n\n"
      "A configuration (paths are relative to it):\n"
      "  output = \"model\"\n"
      "  [system]\n"
      "  name = \"seggbmt\"\n"
      "  graph = \"dbg\"\n"
      "  [corpus]\n"
      "  source = \"train.de.conllu.xz\"\n"
      "  target = \"train.en.xz\"\n"
      "  lowercase = true\n"
      "  [dev]\n"
      "  source = \"dev.de.conllu\"\n"
      "  references = [\"dev.en\"]\n"
      "  [test.flickr2016]\n"
      "  source = \"test.de.conllu\"\n"
      "  references = [\"test.en\"]");
  verb->callback([options] {
    if (options->config.empty() && options->quick.empty())
      throw Error("give a configuration, or two files with --quick; --help shows both");
    if (!options->quick.empty() && options->output.empty()) throw Error("--quick needs -o MODEL, the folder to make");
    while (options->output.size() > 1 && options->output.back() == '/') options->output.pop_back();
    Run(*options);
  });
}

}  // namespace graft::engine::cli
