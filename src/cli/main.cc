// graft: one binary with verbs. Results go to stdout or -o, everything else to stderr; any failure exits non-zero with
// one clear message.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common.h"
#include "graft/error.h"
#include "graft/model.h"
#include "graft/version.h"
#include "util/mapped_file.h"
#include "util/suggest.h"
#include "util/system_error.h"

namespace {

void FlushStdout() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    graft::engine::FailSystem("write", "<stdout>", errno == 0 ? EIO : errno);
}

int Fail(const std::string& message) {
  std::fprintf(stderr, "graft: error: %s\n", message.c_str());
  try {
    if (std::ferror(stdout) == 0) FlushStdout();  // what was found before
  } catch (const graft::Error& error) {
    std::fprintf(stderr, "graft: error: %s\n", error.what());
  }
  return 1;
}

// --help and --version are results like others.
int Help(const CLI::App& app, const CLI::ParseError& asked) {
  const int status = app.exit(asked);
  std::cout.flush();
  try {
    if (!std::cout) graft::engine::FailSystem("write", "<stdout>", errno == 0 ? EIO : errno);
    FlushStdout();
  } catch (const graft::Error& error) {
    return Fail(error.what());
  }
  return status;
}

// A fault in a mapping that is not one of our files, which KenLM reads ARPA text through.
void EndAfterBusError(int) {
  const auto say = [](std::string_view text) { static_cast<void>(!write(STDERR_FILENO, text.data(), text.size())); };
  const char* const path = graft::engine::ForeignMapping::Path();
  say("graft: error: ");
  say(path != nullptr ? path : "a file that is being read");
  say(": was cut short while it was read (copied over?), or the disk fails; put the whole file there and start "
      "again\n");
  _exit(1);
}

std::terminate_handler terminate_before = nullptr;

// Whether memory is what the process ends for. Where there is too little even for an exception, there is none.
bool LacksMemory() {
  constexpr size_t kOfAnException = size_t{1} << 16;
  const std::exception_ptr thrown = std::current_exception();
  if (!thrown) {
    void* const room = std::malloc(kOfAnException);
    std::free(room);
    return room == nullptr;
  }
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

// A message that needs no memory; for any other reason what there was before.
void EndWithoutMemory() {
  if (!LacksMemory()) terminate_before();
  constexpr std::string_view kMessage =
      "graft: error: not enough memory to begin or to end with a message; allow more (ulimit -v) or stop other "
      "programs\n";
  static_cast<void>(!write(STDERR_FILENO, kMessage.data(), kMessage.size()));
  _exit(1);
}

void AddVerbs(CLI::App* app) {
  using namespace graft::engine::cli;  // NOLINT(google-build-using-namespace): a list of one namespace's functions
  for (const auto add : {AddTrain, AddTranslate, AddCombine, AddCheck, AddTokenise, AddAlign, AddExtract, AddTable,
                         AddLm, AddModel, AddTune, AddEval, AddCompare, AddExperiment, AddOptions})
    add(app);
}

std::vector<std::string> NamesOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// What nobody takes, with a suggestion for an option that is misspelt.
std::string Unexpected(const CLI::App& app, const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  if (!name.starts_with('-')) return "`" + argument + "` is one argument too many";
  const auto closest = graft::engine::ClosestName(name, NamesOf(app));
  return "unknown option `" + name + "`" + (closest ? "; did you mean `" + *closest + "`?" : "");
}

// Verbs, the verbs of verbs, and options before them, which the parser would call a missing subcommand when misspelt.
void CheckVerbs(const CLI::App& app, int argc, char** argv) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc; ++i) {
    std::vector<std::string> verbs;
    for (const CLI::App* verb : at->get_subcommands([](const CLI::App*) { return true; }))
      verbs.push_back(verb->get_name());
    if (verbs.empty()) return;
    const std::string word = argv[i];
    const std::vector<std::string> options = NamesOf(*at);
    const bool option = word.starts_with('-');
    if (option && std::find(options.begin(), options.end(), word.substr(0, word.find('='))) == options.end())
      throw CLI::ParseError(Unexpected(*at, word), CLI::ExitCodes::ExtrasError);
    if (option) continue;
    if (std::find(verbs.begin(), verbs.end(), word) == verbs.end())
      throw CLI::ParseError("unknown verb `" + word + "`" + graft::engine::Suggestion(word, verbs),
                            CLI::ExitCodes::ExtrasError);
    at = at->get_subcommand(word);
  }
}

const CLI::App* Innermost(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return at;
}

}  // namespace

int main(int argc, char** argv) {
  terminate_before = std::set_terminate(EndWithoutMemory);
  std::signal(SIGBUS, EndAfterBusError);
  graft::SurviveCutFiles();
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the limit is a failed write with a message, not a silent end
  CLI::App app("Graft translates dependency graphs into strings.\n", "graft");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("graft ") + graft::Version());
  try {
    AddVerbs(&app);
    CheckVerbs(app, argc, argv);
    app.parse(argc, argv);
    FlushStdout();
  } catch (const CLI::ExtrasError& error) {
    const CLI::App* verb = Innermost(app);
    const std::vector<std::string> extras = verb->remaining();
    const std::string what = extras.empty() ? error.what() : Unexpected(*verb, extras[0]);
    std::fprintf(stderr, "graft: error: %s; --help shows what there is\n", what.c_str());
    return 2;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return Help(app, error);
    std::fprintf(stderr, "graft: error: %s; --help shows what there is\n", error.what());
    return 2;
  } catch (const graft::Error& error) {
    return Fail(error.what());
  } catch (const std::exception& error) {  // what nobody nearer to it could put in words
    std::string verb = "graft";
    for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
      at = at->get_subcommands().front();
      verb += " " + at->get_name();
    }
    return Fail("`" + verb + "` cannot go on: " + graft::engine::FailureText(error));
  }
  return 0;
}
