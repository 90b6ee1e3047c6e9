#include "pipeline/step_facts.h"

#include <fmt/format.h>

#include "util/quantities.h"

namespace graft::engine {

std::string CorpusFacts::Remark() const {
  const std::string text = GroupDigits(pairs) + " pairs";
  return unusable == 0 ? text : text + ", " + GroupDigits(unusable) + " of them empty or too long";
}

std::string TextFacts::Remark() const { return GroupDigits(pairs) + " pairs"; }

std::string AlignFacts::Remark() const { return GroupDigits(pairs) + " pairs, " + GroupDigits(links) + " links"; }

std::string TableFacts::Remark() const {
  return GroupDigits(rules) + " rules, " + (skipped == 0 ? "" : GroupDigits(skipped) + " pairs skipped, ") +
         (bounded == 0 ? "" : GroupDigits(bounded) + " pairs over the bound, ") + FormatBytes(bytes);
}

std::string LmFacts::Remark() const { return FormatBytes(bytes); }

std::string TuneFacts::Remark() const {
  return fmt::format("BLEU {:.2f}, iteration {} of {}", bleu, best_iteration, iterations);
}

std::string TestFacts::Remark() const { return fmt::format("BLEU {:.2f}", bleu); }

}  // namespace graft::engine
