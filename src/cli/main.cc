// graft: one binary with verbs. Results go to stdout or -o, everything else to stderr; any failure exits non-zero with
// one clear message.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "cli/common.h"
#include "graft/error.h"
#include "graft/version.h"
#include "util/suggest.h"

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the limit is a failed write with a message, not a silent end
  CLI::App app("Graft translates dependency graphs into strings.\n", "graft");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("graft ") + graft::Version());
  graft::engine::cli::AddTrain(&app);
  graft::engine::cli::AddTranslate(&app);
  graft::engine::cli::AddCombine(&app);
  graft::engine::cli::AddCheck(&app);
  graft::engine::cli::AddTokenise(&app);
  graft::engine::cli::AddAlign(&app);
  graft::engine::cli::AddExtract(&app);
  graft::engine::cli::AddTable(&app);
  graft::engine::cli::AddLm(&app);
  graft::engine::cli::AddModel(&app);
  graft::engine::cli::AddTune(&app);
  graft::engine::cli::AddEval(&app);
  graft::engine::cli::AddCompare(&app);
  graft::engine::cli::AddExperiment(&app);
  graft::engine::cli::AddOptions(&app);
  try {
    std::vector<std::string> verbs;
    for (const CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) verbs.push_back(verb->get_name());
    if (argc > 1 && argv[1][0] != '-' && std::find(verbs.begin(), verbs.end(), argv[1]) == verbs.end())
      throw graft::Error("unknown verb `" + std::string(argv[1]) + "`" + graft::engine::Suggestion(argv[1], verbs));
    app.parse(argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw graft::Error(std::string("cannot write <stdout>: ") + std::strerror(errno));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::fprintf(stderr, "graft: error: %s; --help shows what there is\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "graft: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
