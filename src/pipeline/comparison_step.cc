#include "pipeline/comparison_step.h"

#include <fmt/format.h>

#include "eval/comparison.h"
#include "eval/test_set.h"

namespace graft::engine {
namespace {

StepFacts Score(const ComparedOutputs& compared, int threads, const Reporter& reporter) {
  const TestSet test = ReadTestSet(compared.references, reporter);
  const auto metric = Metric::Create("bleu", test.references, {.tokeniser = BleuTokeniser::kNone});
  const auto read = [&](const std::vector<std::string>& files) {
    SystemOutputs outputs;
    for (const std::string& file : files) outputs.runs.push_back(test.ReadHypotheses(file, reporter));
    return outputs;
  };
  std::vector<SystemOutputs> systems = {read(compared.outputs)};
  std::vector<size_t> baselines;
  for (const std::vector<std::string>& baseline : compared.baselines) {
    if (baseline.empty()) continue;
    baselines.push_back(systems.size());
    systems.push_back(read(baseline));
  }
  const SystemResult result = Compare(*metric, systems, baselines, {.threads = threads}).front();
  StepFacts facts{{"mean", result.mean}, {"s_sel", result.s_sel}};
  if (result.s_opt) facts["s_opt"] = *result.s_opt;
  for (size_t run = 0; run < result.scores.size(); ++run)
    facts[fmt::format("bleu.run{}", run + 1)] = result.scores[run];
  size_t contrast = 0;
  for (size_t k = 0; k < compared.baselines.size(); ++k) {
    if (compared.baselines[k].empty()) continue;
    const Contrast& against = result.contrasts[contrast++];
    facts[fmt::format("delta.{}", k + 1)] = against.difference;
    facts[fmt::format("p.{}", k + 1)] = against.p;
    facts[fmt::format("p_bootstrap.{}", k + 1)] = against.p_bootstrap;
    facts[fmt::format("better.{}", k + 1)] = against.better ? 1 : 0;
  }
  return facts;
}

}  // namespace

Step ComparisonStep(const ComparedOutputs& compared, int threads) {
  Step step;
  step.name = "compare." + compared.test;
  step.settings = fmt::format("runs={}", compared.outputs.size());
  step.inputs = compared.references;
  step.inputs.insert(step.inputs.end(), compared.outputs.begin(), compared.outputs.end());
  for (const std::vector<std::string>& baseline : compared.baselines) {
    step.settings += fmt::format(" baseline={}", baseline.size());
    step.inputs.insert(step.inputs.end(), baseline.begin(), baseline.end());
  }
  step.run = [compared, threads](const StepContext& context) { return Score(compared, threads, context.reporter); };
  return step;
}

}  // namespace graft::engine
