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
  for (const OptionsSection& section : sections) names.push_back(section.name);
  for (const std::string& name : wanted) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw Error("unknown section `" + name + "`" + Suggestion(name, names));
    PrintText((&name == &wanted.front() ? "" : "\n") + sections[static_cast<size_t>(found - names.begin())].text);
  }
}

}  // namespace

void AddOptions(CLI::App* app) {
  auto wanted = std::make_shared<std::vector<std::string>>();
  CLI::App* verb =
      app->add_subcommand("options", "Every setting of configurations and models: values, defaults, flags");
  verb->add_option("SECTION", *wanted, "Only these: system, search, corpus, …")->type_name("NAME…");
  verb->footer("Example:\n  graft options search");
  verb->callback([wanted] { PrintOptions(*wanted); });
}

}  // namespace graft::engine::cli
