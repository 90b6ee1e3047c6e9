#include "pipeline/comparison_step.h"

#include <fmt/format.h>

#include "eval/comparison.h"
#include "eval/test_set.h"

namespace graft::engine {
namespace {

ComparisonFacts Score(const ComparedOutputs& compared, int threads, const Reporter& reporter) {
  const TestSet test = ReadTestSet(compared.references, reporter);
  const StopCheck stop(reporter.stop);
  const auto metric = Metric::Create("bleu", test.references, {.tokeniser = "none"}, stop);
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
  const SystemResult result = Compare(*metric, systems, baselines, {.threads = threads, .stop = stop}).front();
  ComparisonFacts facts{.mean = result.mean, .s_sel = result.s_sel, .s_opt = result.s_opt, .bleu = result.scores};
  size_t contrast = 0;
  for (const std::vector<std::string>& baseline : compared.baselines) {
    std::optional<ComparisonFacts::Against>& against = facts.against.emplace_back();
    if (baseline.empty()) continue;
    const Contrast& found = result.contrasts[contrast++];
    against = {.delta = found.difference, .p = found.p, .p_bootstrap = found.p_bootstrap, .better = found.better};
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
