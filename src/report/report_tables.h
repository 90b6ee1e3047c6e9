// The tables of an experiment, as cells; Markdown and HTML only write them differently.
#pragma once

#include <string>
#include <vector>

#include "report/experiment_report.h"

namespace graft::engine {

struct ReportTable {
  std::string title;
  std::string note;     // below it; may be empty
  bool scores = false;  // one of the paper's tables
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

// The paper's three tables (systems, edge labels, non-terminals) and, where there are rows that belong in none of them,
// a fourth; then speed and size, kinds of rules, time against length, search errors, tuning. Tables without rows are
// left out.
std::vector<ReportTable> ReportTables(const ExperimentReport& report);

// What the marks mean and how the figures came about, in sentences.
std::string ReportLegend(const ExperimentReport& report);

double MeanOf(const std::vector<double>& values);  // 0 of none

// Mean milliseconds of the sentences of a row whose words lie in [first, last]; none: negative.
double MeanMilliseconds(const ReportRow& row, int first, int last);

struct LengthBin {
  int first, last;
};
const std::vector<LengthBin>& LengthBins();

}  // namespace graft::engine
