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

// The file of a rule table, which may be given as the model folder that it is in.
std::string TablePath(const std::string& given);

// Throws Error if no table can be written at `path`, before any work is done.
void CheckTableOutput(const std::string& path);

// "rules.graft: 792175 rules, 330000 source sides, 18.9 bytes a rule".
std::string Summary(const std::string& path, const TableWriter::Totals& totals);

}  // namespace graft::engine::cli
