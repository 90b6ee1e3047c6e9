// graft options: every setting there is, as the reference page of the documentation.
#include <memory>

#include "cli/common.h"
#include "graft/error.h"
#include "pipeline/options_reference.h"
#include "util/suggest.h"

namespace graft::engine::cli {
namespace {

void PrintOptions(const std::vector<std::string>& wanted) {
  if (wanted.empty()) {
    PrintText(OptionsReference());
    return;
  }
  const std::vector<OptionsSection> sections = OptionsSections();
  std::vector<std::string> names;
  for (const OptionsSection& section : sections)
    if (std::find(names.begin(), names.end(), section.name) == names.end()) names.push_back(section.name);
  std::string text;
  for (const std::string& name : wanted) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error("unknown section `" + name + "`" + Suggestion(name, names));
    for (const OptionsSection& section : sections)
      if (section.name == name) text += (text.empty() ? "" : "\n") + section.text;
  }
  PrintText(text);
}

}  // namespace

void AddOptions(CLI::App* app) {
  auto wanted = std::make_shared<std::vector<std::string>>();
  CLI::App* verb =
      app->add_subcommand("options", "Every setting of configurations, models and verbs: values, defaults, flags");
  verb->add_option("SECTION", *wanted, "Only these: system, search, corpus, combine, …")->type_name("NAME…");
  verb->footer("Example:\n  graft options search");
  verb->callback([wanted] { PrintOptions(*wanted); });
}

}  // namespace graft::engine::cli
