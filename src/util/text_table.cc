#include "util/text_table.h"

#include <algorithm>

namespace graft::engine {

namespace {

size_t Width(const std::string& cell) {
  return static_cast<size_t>(
      std::count_if(cell.begin(), cell.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string Escaped(const std::string& cell) {
  std::string result;
  for (const char c : cell) {
    if (c == '*' || c == '|' || c == '_' || c == '\\' || c == '`' || c == '#' || c == '<' || c == '~') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::string PlainTable(const std::vector<TableRow>& rows) {
  std::vector<size_t> widths;
  for (const TableRow& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Width(row[i]));
  }
  std::string text;
  for (const TableRow& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - Width(row[i]), ' ');
      if (i > 0) line += "  ";
      line += i == 0 ? row[i] + padding : padding + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string MarkdownTable(const std::vector<TableRow>& rows) {
  std::string text;
  for (size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& cell : rows[i]) text += "| " + Escaped(cell) + " ";
    text += "|\n";
    if (i > 0) continue;
    for (size_t column = 0; column < rows[i].size(); ++column) text += column == 0 ? "|---" : "|---:";
    text += "|\n";
  }
  return text;
}

}  // namespace graft::engine
