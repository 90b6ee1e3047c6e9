// Steps of a pipeline: what goes in, what comes out, and how far the ledger lets us skip them.
//
// A step is named by what it makes. Its key is the hash of its settings and of the contents of its inputs, so moving or
// touching files changes nothing, and changing a byte that matters redoes the step and whatever depends on it.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "graft/reporter.h"
#include "pipeline/ledger.h"
#include "pipeline/step_facts.h"
#include "util/folder_lock.h"

namespace graft::engine {

// Rough needs of a step, for plans; 0 = next to nothing.
struct StepEstimate {
  uint64_t memory_bytes = 0;
  uint64_t disk_bytes = 0;
};

struct StepReport {
  std::string name;
  bool reused = false;
  StepFacts facts;
  std::string remark;  // the facts in words, for kinds of facts that have them
  double seconds = 0;  // when it was done
  uint64_t peak_bytes = 0;
};

// What a step gets to see: how to report, and what the steps before it found.
struct StepContext {
  const Reporter& reporter;
  const std::vector<StepReport>& earlier;

  // Of an earlier step; as a default Facts if there is none.
  template <class Facts>
  Facts FactsOf(std::string_view step) const {
    for (const StepReport& report : earlier)
      if (report.name == step) return report.facts.As<Facts>();
    return {};
  }
};

// What a step does: a function from its context to facts of one kind, which it knows how to put in words.
class StepWork {
 public:
  StepWork() = default;
  template <class Run>
  StepWork(Run run)  // NOLINT: step.run = [](const StepContext&) { … return TableFacts{…}; };
      : run_(std::move(run)),
        remark_(&RemarkOf<std::invoke_result_t<Run, const StepContext&>>),
        fits_(&FitOf<std::invoke_result_t<Run, const StepContext&>>) {}

  StepFacts operator()(const StepContext& context) const { return run_(context); }
  std::string Remark(const StepFacts& facts) const { return remark_(facts); }
  // Whether the work can have found these.
  bool Fit(const StepFacts& facts) const { return fits_(facts); }

 private:
  template <class Facts>
  static std::string RemarkOf(const StepFacts& facts) {
    if constexpr (requires(const Facts& own) { own.Remark(); })
      return facts.As<Facts>().Remark();
    else
      return "";
  }

  template <class Facts>
  static bool FitOf(const StepFacts& facts) {
    if constexpr (std::is_same_v<Facts, StepFacts>)
      return true;
    else
      return facts.Fit<Facts>();
  }

  std::function<StepFacts(const StepContext&)> run_;
  std::string (*remark_)(const StepFacts&) = nullptr;
  bool (*fits_)(const StepFacts&) = nullptr;
};

struct Step {
  std::string name;
  std::string settings;              // everything besides the inputs that shapes the outputs
  std::vector<std::string> inputs;   // files
  std::vector<std::string> outputs;  // files; names in the work folder, or paths
  StepWork run;
  StepEstimate estimate;
};

struct PlannedStep {
  std::string name;
  bool done = false;
  StepEstimate estimate;
};

// Called as a pipeline goes along; either may be empty.
struct StepObserver {
  std::function<void(const std::string& step, size_t index, size_t count)> begin;  // a step that has to be done
  std::function<void(const StepReport&)> end;                                      // every step
};

class StepRunner {
 public:
  // Takes the folder for itself (another process that holds it is an Error) and removes what a killed run left
  // half-written.
  explicit StepRunner(const std::string& folder);

  // Runs the steps in order, skipping those that are done. An Error of a step is rethrown with its name and the advice
  // that applies (what is done is kept; little space left).
  std::vector<StepReport> Run(const std::vector<Step>& steps, const StepObserver& observer, const Reporter& reporter);

 private:
  StepReport RunOne(const Step& step, const std::string& key, const StepContext& context);
  std::string Advice() const;

  std::string folder_;
  FolderLock lock_;
  Ledger ledger_;
};

// Which steps Run would skip; reads only. `to_be_made` are files that steps before these would make; those of steps
// that are not done are added.
std::vector<PlannedStep> PlanSteps(const std::string& folder, const std::vector<Step>& steps,
                                   std::set<std::string>* to_be_made, const Reporter& reporter);

}  // namespace graft::engine
