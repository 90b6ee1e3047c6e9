// The verbs below `graft table`, one file each.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace graft::engine::cli {

void AddTableBuild(CLI::App* table);
void AddTableInspect(CLI::App* table);
void AddTableDump(CLI::App* table);
void AddTableImport(CLI::App* table);
void AddTablePrune(CLI::App* table);

// The file of a rule table, which may be given as the model folder that it is in.
std::string TablePath(const std::string& given);

}  // namespace graft::engine::cli
