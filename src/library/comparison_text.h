// A comparison of systems for people, for documents and for programs.
#pragma once

#include <string>

#include "graft/evaluation.h"

namespace graft::internal {

inline constexpr std::string_view kBaselineMarks = "*+#^~";  // of the first baseline, the second, …

std::string ComparisonText(const CompareOptions& options, const ComparisonSummary& summary);
std::string ComparisonMarkdown(const CompareOptions& options, const ComparisonSummary& summary);
std::string ComparisonJson(const CompareOptions& options, const ComparisonSummary& summary);

}  // namespace graft::internal
