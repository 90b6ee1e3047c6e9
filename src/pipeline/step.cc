#include "pipeline/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <set>

#include "graft/error.h"
#include "pipeline/resources.h"
#include "util/quantities.h"
#include "util/system_error.h"
#include "util/unfinished_file.h"

namespace graft::engine {
namespace {

namespace fs = std::filesystem;

// Changes when a step makes other files from the same inputs and settings.
constexpr int kPipelineVersion = 1;
constexpr uint64_t kLittleSpace = uint64_t{64} << 20;

std::string KeyOf(const Step& step, const StopCheck& stop) {
  std::string text = fmt::format("{}\n{}\n{}\n", kPipelineVersion, step.name, step.settings);
  for (const std::string& input : step.inputs) text += HashFile(input, stop) + "\n";
  return HashText(text);
}

// The entry of a step that is done.
const LedgerEntry* FindDone(const Ledger& ledger, const Step& step, const std::string& key, const StopCheck& stop) {
  const LedgerEntry* const entry = ledger.Find(step.name, key, step.outputs, stop);
  return entry != nullptr && step.run.Fit(StepFacts::Stored(entry->facts)) ? entry : nullptr;
}

}  // namespace

StepRunner::StepRunner(const std::string& folder) : folder_(folder), lock_(folder), ledger_(folder) {
  RemoveUnfinished(folder, Whose::kAnyProcess);
}

std::string StepRunner::Advice() const {
  std::error_code error;
  const fs::space_info space = fs::space(folder_, error);
  std::string advice;
  if (!error && space.available < kLittleSpace)
    advice = fmt::format("Only {} are left on the disk of {}: free some. ", FormatBytes(space.available), folder_);
  return advice + "Finished steps are kept: once this is put right, the same command goes on from here.";
}

StepReport StepRunner::RunOne(const Step& step, const std::string& key, const StepContext& context) {
  TrimmedResidentBytes();  // the peak is of this step, not of memory that others left behind
  const ResourceMeter meter;
  LedgerEntry entry;
  entry.key = key;
  try {
    const StepFacts facts = step.run(context);
    entry.facts = facts.stored();
    entry.seconds = meter.seconds();
    entry.peak_bytes = meter.peak_bytes();
    const LedgerEntry& recorded = ledger_.Record(step.name, std::move(entry), step.outputs);
    return {step.name, false, facts, step.run.Remark(facts), recorded.seconds, recorded.peak_bytes};
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(fmt::format("{}\n(step {}) {}", FailureText(error), step.name, Advice()));
  }
}

std::vector<StepReport> StepRunner::Run(const std::vector<Step>& steps, const StepObserver& observer,
                                        const Reporter& reporter) {
  const StopCheck stop(reporter.stop);
  std::vector<StepReport> reports;
  for (size_t i = 0; i < steps.size(); ++i) {
    stop.Poll();
    const std::string key = KeyOf(steps[i], stop);
    if (const LedgerEntry* done = FindDone(ledger_, steps[i], key, stop)) {
      const StepFacts facts = StepFacts::Stored(done->facts);
      reports.push_back({steps[i].name, true, facts, steps[i].run.Remark(facts), done->seconds, done->peak_bytes});
    } else {
      if (observer.begin) observer.begin(steps[i].name, i, steps.size());
      reports.push_back(RunOne(steps[i], key, {reporter, reports}));
    }
    if (observer.end) observer.end(reports.back());
  }
  return reports;
}

std::vector<PlannedStep> PlanSteps(const std::string& folder, const std::vector<Step>& steps,
                                   std::set<std::string>* to_be_made, const Reporter& reporter) {
  const StopCheck stop(reporter.stop);
  const Ledger ledger(folder);
  std::vector<PlannedStep> plan;
  for (const Step& step : steps) {
    stop.Poll();
    const bool waits = std::any_of(step.inputs.begin(), step.inputs.end(),
                                   [&](const std::string& input) { return to_be_made->contains(input); });
    const bool done = !waits && FindDone(ledger, step, KeyOf(step, stop), stop) != nullptr;
    if (!done)
      for (const std::string& output : step.outputs) to_be_made->insert((fs::path(folder) / output).string());
    plan.push_back({step.name, done, step.estimate});
  }
  return plan;
}

}  // namespace graft::engine
