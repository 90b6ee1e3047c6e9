// What the steps of an experiment leave in files for its report, and for each other. Whoever may write to a work folder
// may have changed them: everything is checked when it is read, and what is not as a step writes it is an Error that
// names the file.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "report/experiment_report.h"

namespace graft::engine {

// examples.json, which ChooseExamples (examples.h) writes: heads fit the source, which has words.
std::vector<ReportExample> ReadReportExamples(const std::string& path);

// explain.json of a row: a derivation of each example, whose numbers are words of its source and of its own target.
std::vector<DrawnDerivation> ReadDerivations(const std::string& path, const std::vector<ReportExample>& examples);

// speed.tsv of a row: (words, milliseconds) of every measured sentence.
std::vector<std::pair<int, double>> ReadSpeed(const std::string& path);

}  // namespace graft::engine
