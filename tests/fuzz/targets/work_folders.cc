// Files of work folders: ledgers with what steps found, and what the steps of an experiment leave for its report.
#include "fuzz/fuzz_target.h"
#include "pipeline/ledger.h"
#include "pipeline/report_files.h"
#include "pipeline/step_facts.h"
#include "report/svg.h"

namespace graft::engine::fuzz {
namespace {

// As a step of each kind would read them.
template <class... Facts>
void ReadAs(const StepFacts& facts) {
  const auto read = [&]<class One>() {
    const One found = facts.As<One>();
    if constexpr (requires { found.Remark(); }) found.Remark();
    if (facts.Fit<One>()) Require(FactsFit<One>(StoreFacts(found)), "facts that do not read back");
  };
  (read.template operator()<Facts>(), ...);
}

// ledger.json of a work folder: what cannot be understood counts as not done.
void RunLedger(std::string_view bytes) {
  WriteScratch("ledger.json", bytes);
  WriteScratch("done.txt", "done\n");
  const std::string folder = ScratchPath("");
  Ledger ledger(folder);
  if (const LedgerEntry* const entry = ledger.Find("step", "key", {"done.txt"}))
    ReadAs<CorpusFacts, TextFacts, AlignFacts, TableFacts, LmFacts, TuneFacts, TestFacts, ModelFacts, RuleFacts,
           SpeedFacts, ErrorFacts, ComparisonFacts>(StepFacts::Stored(entry->facts));
  LedgerEntry entry;
  entry.key = "key";
  ledger.Record("step", entry, {"done.txt"});
  Require(ledger.Find("step", "key", {"done.txt"}) != nullptr, "a step that was recorded and is not there");
  Require(Ledger(folder).Find("step", "key", {"done.txt"}) != nullptr, "a ledger that does not read back");
}

// examples.json, explain.json, speed.tsv.
void RunReportFiles(std::string_view bytes) {
  const auto parts = SplitParts(bytes, 3);
  ExperimentReport report;
  report.tests = {"test"};
  ReportRow& row = report.rows.emplace_back();
  row.id = row.system = "row";
  row.tests.resize(1);
  const bool drawn = Accepts([&] {
    report.examples = ReadReportExamples(WriteScratch("examples.json", parts[0]));
    row.examples = ReadDerivations(WriteScratch("explain.json", parts[1]), report.examples);
  });
  const bool timed = Accepts([&] { row.sentence_milliseconds = ReadSpeed(WriteScratch("speed.tsv", parts[2])); });
  if (!drawn) report.examples.clear(), row.examples.clear();
  if (!drawn && !timed) return;
  for (const auto form : {ReportMarkdown, ReportHtml, ReportCsv, ReportJson}) form(report);
}

const bool registered = Register({"ledger", "ledger.json of a work folder, with what steps found", RunLedger}) &&
                        Register({"report_files", "what an experiment's steps leave for its report", RunReportFiles});

}  // namespace
}  // namespace graft::engine::fuzz
