// The verbs below `graft table`, one file each.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "table/table_writer.h"

namespace graft::engine::cli {

void AddTableBuild(CLI::App* table);
void AddTableInspect(CLI::App* table);
void AddTableDump(CLI::App* table);
void AddTableImport(CLI::App* table);
void AddTablePrune(CLI::App* table);

// --scores q16 | f32 | q8.
void AddScoresOption(CLI::App* app, std::string* scores);

// Throws Error if no table can be written at `path`, before any work is done.
void CheckTableOutput(const std::string& path);

// "rules.graft: 792175 rules, 330000 source sides, 18.9 bytes a rule".
std::string Summary(const std::string& path, const TableWriter::Totals& totals);

}  // namespace graft::engine::cli
