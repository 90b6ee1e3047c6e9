// graft: one binary with verbs. Results go to stdout or -o, everything else to stderr; any failure exits non-zero with
// one clear message.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "cli/common.h"

int main(int argc, char** argv) {
  CLI::App app("Graft translates dependency graphs into strings.\n", "graft");
  app.require_subcommand(1);
  app.set_version_flag("--version", "graft 0.1.0");
  graft::cli::AddCheck(&app);
  graft::cli::AddExtract(&app);
  graft::cli::AddTable(&app);
  graft::cli::AddLm(&app);
  graft::cli::AddModel(&app);
  graft::cli::AddTranslate(&app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "graft: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
