// The reference page of all settings: docs/options.md, made from the tables that declare them.
#pragma once

#include <string>
#include <vector>

namespace graft::engine {

struct OptionsSection {
  std::string name;   // "search", to ask for it; a section of a configuration and that of a verb may share it
  std::string title;  // "[search]"
  std::string text;   // Markdown, with the title
};

// In the order of the page.
std::vector<OptionsSection> OptionsSections();

// The whole page.
std::string OptionsReference();

}  // namespace graft::engine
