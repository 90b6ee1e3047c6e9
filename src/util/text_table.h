// Tables for people: aligned columns, or Markdown. The first column is text, the others are numbers.
#pragma once

#include <string>
#include <vector>

namespace graft::engine {

using TableRow = std::vector<std::string>;

// Columns two spaces apart; first column flush left, the others flush right.
std::string PlainTable(const std::vector<TableRow>& rows);

// The first row is the head. Characters that mean something to Markdown are escaped.
std::string MarkdownTable(const std::vector<TableRow>& rows);

}  // namespace graft::engine
