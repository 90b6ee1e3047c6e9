// A slow, obviously right extractor: every subset of source positions and every target span is checked against the
// definitions of the systems, by system name. It shares nothing with the engine but the description of a system, so it
// cannot share the engine's mistakes. For sentences of up to about 10 words.
#pragma once

#include <compare>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rules/system_spec.h"

namespace graft::engine::oracle {

// An aligned sentence pair. heads: 1-based, 0 = root, as read (perhaps not projective); links: 0-based, each once.
struct Example {
  std::vector<std::string> source;
  std::vector<int> heads;
  std::vector<std::string> target;
  std::vector<std::pair<int, int>> links;
  std::vector<std::string> tags = {};
};
std::string ToString(const Example& example);  // as a training record, positions 1-based

// One occurrence as a line of `graft extract` has it; the count is in units of 10^-9.
struct RuleLine {
  std::string lhs, source, edges, target, links;
  uint64_t count = 0;
  friend auto operator<=>(const RuleLine&, const RuleLine&) = default;

  std::string Key() const { return lhs + " ||| " + source + " ||| " + edges + " ||| " + target; }
};
std::ostream& operator<<(std::ostream& out, const RuleLine& line);

// One line per occurrence, sorted.
std::vector<RuleLine> BruteForceExtract(const Example& example, const SystemSpec& spec);

// RuleLine::Key.
using RuleKey = std::string;

struct TableRule {
  double p_source_given_target = 0;  // natural logs
  double lex_source_given_target = 0;
  double p_target_given_source = 0;
  double lex_target_given_source = 0;
  uint64_t count_joint = 0;  // in units of 10^-9
  uint64_t count_source = 0;
  uint64_t count_target = 0;
  std::string links;  // the inner alignment kept: largest total count, tie: bytewise smallest
};
std::map<RuleKey, TableRule> BruteForceTable(const std::vector<Example>& examples, const SystemSpec& spec);

// Link counts by words; the empty word is NULL.
std::map<std::pair<std::string, std::string>, uint64_t> BruteForceLinkCounts(const std::vector<Example>& examples);

}  // namespace graft::engine::oracle
