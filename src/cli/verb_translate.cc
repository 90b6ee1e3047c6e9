// graft translate: line in, line out, in order; n-best lists, JSON, derivations, forced decoding.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>

#include "cli/common.h"
#include "cli/translation_input.h"
#include "graft/error.h"
#include "model/model.h"
#include "search/translation_text.h"
#include "search/translator.h"
#include "util/line_reader.h"
#include "util/output_file.h"
#include "util/parallel.h"

namespace graft::engine::cli {
namespace {

struct Options {
  std::string model, output = "-", rescore;
  TranslationInputOption input;
  std::vector<std::string> overrides;
  uint32_t nbest = 0;  // 0: plain lines
  bool distinct = false, explain = false, alignment = false, json = false, stats = false;
  uint64_t max_edges = 10'000'000;
  ThreadOption threads;
};

// What both ways of running share: an open model, its input and output, and a translator for each thread.
struct Session {
  explicit Session(const Options& options)
      : reporter(ConsoleReporter()),
        model(Model::Load(options.model, options.overrides)),
        input(options.input, {{options.model, model.get()}}, reporter),
        output(options.output),
        threads(options.threads.value()) {
    for (int i = 0; i < threads; ++i) translators.push_back(std::make_unique<Translator>(*model));
  }
  // Runs the work; when it fails, what is already translated still reaches stdout (a file is complete or absent).
  template <class Work>
  void Guard(Work work) {
    try {
      work();
    } catch (...) {
      output.Flush();
      throw;
    }
  }
  Translator& translator(int worker) { return *translators[static_cast<size_t>(worker)]; }

  Reporter reporter;
  std::unique_ptr<Model> model;
  TranslationInput input;
  OutputFile output;
  int threads;
  std::vector<std::unique_ptr<Translator>> translators;
};

std::string FormatResult(const Options& options, const Session& session, const TranslationItem& item,
                         const std::vector<Translation>& translations) {
  const SystemSpec& system = session.model->system();
  const uint64_t id = item.id;
  const Sentence& source = item.sentence;
  if (options.json) {
    auto present = [&](const std::vector<std::string>& tokens) { return session.input.Present(tokens); };
    return FormatJson(system, source, translations, {.explain = options.explain, .present = present}) + "\n";
  }
  std::string text;
  if (options.explain) {
    for (const Translation& translation : translations) text += FormatDerivation(system, id, source, translation);
    return text;
  }
  if (options.nbest == 0)
    return (options.alignment ? FormatAlignedLine(translations[0]) : session.input.Present(translations[0].tokens)) +
           "\n";
  if (source.size() == 0) return "";
  for (const Translation& translation : translations) {
    text += FormatNBestLine(system, id, translation);
    if (options.alignment) text += " ||| " + FormatAlignment(translation);
    text += "\n";
  }
  return text;
}

void PrintStatistics(const SearchStatistics& s, double seconds) {
  auto line = [&](std::string_view name, uint64_t value) {
    Note(fmt::format("{:<16} {:>14} {:>12.1f} a sentence", name, value,
                     s.sentences == 0 ? 0.0 : double(value) / double(s.sentences)));
  };
  Note(fmt::format("{:<16} {:>14}", "sentences", s.sentences));
  line("words", s.words);
  line("units", s.units);
  line("options", s.options);
  line("table steps", s.table_steps);
  line("edges", s.edges);
  line("pops", s.pops);
  line("LM evaluations", s.evaluations);
  line("LM calls", s.lm_calls);
  line("LM states", s.lm_states);
  line("new hypotheses", s.new_hypotheses);
  line("recombined", s.recombined);
  Note(fmt::format("{:<16} {:>14.3f} {:>12.1f} sentences/s (loading excluded)", "seconds", seconds,
                   seconds > 0 ? double(s.sentences) / seconds : 0.0));
}

void Translate(const Options& options) {
  Session session(options);
  uint64_t done = 0;
  const auto started = std::chrono::steady_clock::now();
  session.Guard([&] {
    RunOrdered<TranslationItem, std::string>(
        session.threads, [&](TranslationItem* item) { return session.input.Next(item); },
        [&](int worker, TranslationItem&& item) {
          session.input.Tokenise(&item);
          const auto translations = session.translator(worker).Translate(
              item.sentence, {.nbest = std::max(options.nbest, 1u), .distinct = options.distinct});
          return FormatResult(options, session, item, translations);
        },
        [&](std::string&& text) {
          session.output.Write(text);
          if (options.input.file == "-") session.output.Flush();
          session.reporter.Progress("translate", ++done, 0);
        });
  });
  session.output.Close();
  session.reporter.Progress("translate", done, done);
  if (!options.stats) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  SearchStatistics total;
  for (const auto& translator : session.translators) total.Add(translator->statistics());
  PrintStatistics(total, seconds);
}

// Lines of the n-best list are grouped by sentence, so that each sentence is matched once.
void Rescore(const Options& options) {
  Session session(options);
  std::vector<Sentence> sentences;
  for (TranslationItem item; session.input.Next(&item);) {
    session.input.Tokenise(&item);
    sentences.push_back(std::move(item.sentence));
  }
  LineReader lines(options.rescore, session.reporter);
  struct Group {
    uint64_t id = 0;
    std::vector<std::vector<std::string>> targets;
  };
  struct Result {
    std::string text;
    uint64_t underivable = 0, too_large = 0, too_long = 0, total = 0;
  };
  std::optional<NBestLine> ahead;
  auto read_line = [&] {
    ahead.reset();
    if (!lines.Next()) return;
    try {
      ahead = ParseNBestLine(lines.line());
    } catch (const Error& error) {
      lines.Fail(error.what());
    }
    if (ahead->id >= sentences.size())
      lines.Fail(fmt::format("sentence {}, but the input has {}", ahead->id, sentences.size()));
  };
  read_line();
  Result sum;
  session.Guard([&] {
    RunOrdered<Group, Result>(
        session.threads,
        [&](Group* item) {
          if (!ahead) return false;
          item->id = ahead->id;
          item->targets.clear();
          while (ahead && ahead->id == item->id) {
            item->targets.push_back(std::move(ahead->tokens));
            read_line();
          }
          return true;
        },
        [&](int worker, Group&& item) {
          const auto forced = session.translator(worker).Force(sentences[item.id], item.targets, options.max_edges);
          Result result;
          for (size_t i = 0; i < forced.size(); ++i) {
            ++result.total;
            if (forced[i].result == ForcedResult::kDerived) {
              result.text += FormatNBestLine(session.model->system(), item.id, forced[i].best) + "\n";
              continue;
            }
            ++(forced[i].result == ForcedResult::kTooLarge  ? result.too_large
               : forced[i].result == ForcedResult::kTooLong ? result.too_long
                                                            : result.underivable);
            result.text += FormatUnderivableLine(item.id, item.targets[i]) + "\n";
          }
          return result;
        },
        [&](Result&& result) {
          session.output.Write(result.text);
          sum.underivable += result.underivable;
          sum.too_large += result.too_large;
          sum.too_long += result.too_long;
          sum.total += result.total;
          session.reporter.Progress("rescore", sum.total, 0);
        });
  });
  session.output.Close();
  session.reporter.Progress("rescore", sum.total, sum.total);
  if (sum.underivable > 0) Note(fmt::format("{} of {} lines cannot be derived", sum.underivable, sum.total));
  if (sum.too_large > 0)
    Note(fmt::format("{} of {} lines are too large (--max-edges {})", sum.too_large, sum.total, options.max_edges));
  if (sum.too_long > 0)
    Note(fmt::format("{} of {} lines have a source of more than {} words, which is translated in pieces", sum.too_long,
                     sum.total, kMaxSentenceWords));
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
          ->check(CLI::Range(1u, 1'000'000u));
  verb->add_flag("--distinct", options->distinct, "Only the first derivation of each string")->needs(nbest);
  verb->add_flag("--explain", options->explain,
                 "Show the derivation: each unit with its words, edges, target words and scores");
  verb->add_flag("--alignment", options->alignment, "Add ` ||| i-j …`, the word alignment");
  verb->add_flag("--json", options->json, "One JSON object a sentence");
  verb->add_option("--set", options->overrides, "Override a key of model.toml for this run: section.key=value")
      ->allow_extra_args(false);
  verb->add_option("--rescore", options->rescore,
                   "Forced decoding of an n-best list: the best derivation of each of its strings");
  verb->add_option("--max-edges", options->max_edges, "With --rescore: largest search of one string")
      ->capture_default_str()
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
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
