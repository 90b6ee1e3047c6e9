// graft translate: line in, line out, in order; n-best lists, JSON, derivations, forced decoding.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "cli/common.h"
#include "cli/option_flags.h"
#include "cli/translation_input.h"
#include "corpus/sentence.h"
#include "graft/error.h"
#include "graft/format.h"
#include "graft/translator.h"
#include "translation/translate_table.h"
#include "util/line_reader.h"
#include "util/output_file.h"

namespace graft::engine::cli {
namespace {

struct Options {
  std::string model, output = "-", rescore;
  TranslationInputOption input;
  std::vector<std::string> overrides;
  uint32_t nbest = 0;  // 0: plain lines
  bool distinct = false, explain = false, alignment = false, json = false, stats = false;
  graft::RescoreOptions rescoring;
  ThreadOption threads;
};

// What both ways of running share: a translator, its input and its output.
struct Session {
  explicit Session(const Options& options)
      : reporter(ConsoleReporter()),
        translator(graft::Model::Open(options.model, options.overrides, reporter),
                   {.threads = options.threads.value()}),
        input(options.input.file, options.input.format, {translator.model()}, reporter),
        output(options.output) {}
  // Runs the work; when it fails, what is already translated still reaches stdout (a file is complete or absent).
  template <class Work>
  void Guard(Work work) {
    try {
      work();
    } catch (...) {
      output.Flush();
      throw;
    }
    output.Close();
  }

  Reporter reporter;
  graft::Translator translator;
  InputReader input;
  OutputFile output;
};

std::string Formatted(const Options& options, const graft::Sentence& sentence, uint64_t id) {
  if (options.json) return JsonOf(sentence, options.explain) + "\n";
  if (options.explain) return ExplanationOf(sentence, id);
  if (options.nbest == 0) return (options.alignment ? AlignedLine(sentence.best) : sentence.best.text) + "\n";
  if (sentence.tokens.empty()) return "";
  std::string text = NBestLine(sentence.best, id) + (options.alignment ? " ||| " + AlignmentText(sentence.best) : "");
  for (const graft::Translation& other : sentence.alternatives)
    text += "\n" + NBestLine(other, id) + (options.alignment ? " ||| " + AlignmentText(other) : "");
  return text + "\n";
}

void PrintStatistics(const graft::Translator& translator, double seconds) {
  const auto counters = translator.Statistics();
  const auto sentences = static_cast<double>(counters.front().second);
  for (const auto& [name, value] : counters) {
    if (name == "sentences")
      Note(fmt::format("{:<16} {:>14}", name, value));
    else
      Note(fmt::format("{:<16} {:>14} {:>12.1f} a sentence", name, value,
                       sentences == 0 ? 0.0 : static_cast<double>(value) / sentences));
  }
  Note(fmt::format("{:<16} {:>14.3f} {:>12.1f} sentences/s (loading excluded)", "seconds", seconds,
                   seconds > 0 ? sentences / seconds : 0.0));
}

void Translate(const Options& options) {
  Session session(options);
  uint64_t done = 0;
  const auto started = std::chrono::steady_clock::now();
  session.Guard([&] {
    session.translator.TranslateStream(
        [&](Input* input) { return session.input.Next(input); },
        [&](Result&& result) {
          session.output.Write(Formatted(options, result.sentences.front(), done));
          if (options.input.file == "-") session.output.Flush();
          session.reporter.Progress("translate", ++done, 0);
        },
        {.alternatives = std::max(options.nbest, 1u) - 1, .distinct = options.distinct, .derivation = options.explain});
  });
  session.reporter.Progress("translate", done, done);
  if (!options.stats) return;
  PrintStatistics(session.translator,
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count());
}

// The lines of an n-best list, grouped by sentence, so that each sentence is matched once.
class NBestGroups {
 public:
  NBestGroups(const std::string& path, Session* session) : inputs_(All(session)), lines_(path, session->reporter) {
    Advance();
  }

  struct Group {
    uint64_t id = 0;
    RescoreItem item;
  };
  bool Next(Group* group) {
    if (!ahead_) return false;
    group->id = ahead_->id;
    group->item = {.input = inputs_[ahead_->id], .targets = {}};
    while (ahead_ && ahead_->id == group->id) {
      group->item.targets.push_back(std::move(ahead_->tokens));
      Advance();
    }
    return true;
  }

 private:
  static std::vector<Input> All(Session* session) {
    std::vector<Input> inputs;
    for (Input input; session->input.Next(&input);) inputs.push_back(std::move(input));
    return inputs;
  }
  void Advance() {
    ahead_.reset();
    if (!lines_.Next()) return;
    try {
      ahead_ = ParseNBestLine(lines_.line());
    } catch (const Error& error) {
      lines_.Fail(error.what());
    }
    if (ahead_->id >= inputs_.size())
      lines_.Fail(fmt::format("sentence {}, but the input has {}", ahead_->id, inputs_.size()));
  }

  std::vector<Input> inputs_;
  LineReader lines_;
  std::optional<ParsedNBestLine> ahead_;
};

// How many lines had which outcome.
struct RescoreCounts {
  uint64_t total = 0, underivable = 0, too_large = 0, too_long = 0;

  void Add(Rescored::Outcome outcome) {
    ++total;
    if (outcome == Rescored::Outcome::kNotDerivable) ++underivable;
    if (outcome == Rescored::Outcome::kTooLarge) ++too_large;
    if (outcome == Rescored::Outcome::kTooLong) ++too_long;
  }
  void Print(uint64_t max_edges) const {
    if (underivable > 0) Note(fmt::format("{} of {} lines cannot be derived", underivable, total));
    if (too_large > 0) Note(fmt::format("{} of {} lines are too large (--max-edges {})", too_large, total, max_edges));
    if (too_long > 0)
      Note(fmt::format("{} of {} lines have a source of more than {} words, which is translated in pieces", too_long,
                       total, kMaxSentenceWords));
  }
};

void Rescore(const Options& options) {
  Session session(options);
  NBestGroups groups(options.rescore, &session);
  std::mutex mutex;
  std::deque<NBestGroups::Group> under_way;  // read, not written yet
  RescoreCounts counts;
  session.Guard([&] {
    session.translator.RescoreStream(
        [&](RescoreItem* item) {
          NBestGroups::Group group;
          if (!groups.Next(&group)) return false;
          *item = group.item;
          const std::lock_guard lock(mutex);
          under_way.push_back(std::move(group));
          return true;
        },
        [&](std::vector<Rescored>&& rescored) {
          std::unique_lock lock(mutex);
          const NBestGroups::Group group = std::move(under_way.front());
          under_way.pop_front();
          lock.unlock();
          for (size_t i = 0; i < rescored.size(); ++i) {
            counts.Add(rescored[i].outcome);
            session.output.Write((rescored[i].outcome == Rescored::Outcome::kDerived
                                      ? NBestLine(rescored[i].best, group.id)
                                      : UnderivableLine(group.item.targets[i], group.id)) +
                                 "\n");
          }
          session.reporter.Progress("rescore", counts.total, 0);
        },
        options.rescoring);
  });
  session.reporter.Progress("rescore", counts.total, counts.total);
  counts.Print(options.rescoring.max_edges);
}

}  // namespace

void AddTranslate(CLI::App* app) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app->add_subcommand("translate", "Translate sentences with a model");
  verb->add_option("-m,--model", options->model, "Model folder")->required();
  options->input.AddTo(verb);
  verb->add_option("-o,--output", options->output, "Output file; - is stdout")->capture_default_str();
  CLI::Option* nbest =
      verb->add_option("--nbest", options->nbest, "Write the N best derivations instead of the best translation")
          ->check(CLI::Range(1, 1 + static_cast<int>(TranslateOptionTable().Find("alternatives")->range.most)));
  verb->add_flag("--distinct", options->distinct, "Only the first derivation of each string")->needs(nbest);
  AddFlag(verb, Describe(*TranslateOptionTable().Find("derivation")), {},
          [options](const std::string&, const OptionValue&) { options->explain = true; });
  verb->add_flag("--alignment", options->alignment, "Add ` ||| i-j …`, the word alignment");
  verb->add_flag("--json", options->json, "One JSON object a sentence");
  verb->add_option("--set", options->overrides, "Override a key of model.toml for this run: section.key=value")
      ->allow_extra_args(false);
  verb->add_option("--rescore", options->rescore,
                   "Forced decoding of an n-best list: the best derivation of each of its strings");
  AddFlags(verb, RescoreOptionTable(), {}, &options->rescoring);
  verb->add_flag("--stats", options->stats, "Print what search did: pops, language model calls, table steps, …");
  options->threads.AddTo(verb);
  verb->footer(
      "Examples:\n"
      "  graft translate -m MODEL test.de.conllu > test.out\n"
      "  echo 'Das ist alles.' | graft translate -m MODEL --input raw\n"
      "  graft translate -m MODEL --nbest 10 --set search.beam=500 test.de.conllu\n"
      "  graft translate -m MODEL --explain test.de.conllu\n"
      "  graft translate -m MODEL --rescore test.nbest test.de.conllu");
  verb->callback([options, verb] {
    if (options->rescore.empty()) {
      if (verb->count("--max-edges") > 0) throw Error("--max-edges means nothing without --rescore");
      if (options->explain && options->alignment && !options->json)
        throw Error("--alignment means nothing with --explain, which shows it unit by unit; --json has both");
      Translate(*options);
      return;
    }
    for (const char* option : {"--nbest", "--distinct", "--explain", "--alignment", "--json", "--stats"})
      if (verb->count(option) > 0) throw Error(std::string(option) + " means nothing with --rescore");
    if (options->rescore == "-" && options->input.file == "-")
      throw Error("sentences and n-best list cannot both come from stdin");
    Rescore(*options);
  });
}

}  // namespace graft::engine::cli
