#include "pipeline/consensus_steps.h"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <string_view>

#include "combine/combiner.h"
#include "eval/bleu.h"
#include "graft/error.h"
#include "graft/format.h"
#include "pipeline/comparison_step.h"
#include "pipeline/row_steps.h"
#include "pipeline/scoring.h"
#include "util/line_reader.h"
#include "util/output_file.h"
#include "util/parallel.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

const std::function<void(std::string_view)> kSilent;

// n-best lists of one model, sentence by sentence.
class ListReader {
 public:
  // Scores are divided by `unit`.
  ListReader(const std::string& path, double unit, const Reporter& reporter)
      : path_(path), unit_(unit), lines_(path, reporter) {
    Advance();
  }

  // The list of a sentence; empty where the sentence is.
  ScoredList Of(size_t sentence) {
    ScoredList list;
    for (; has_line_ && id_ == sentence; Advance()) list.push_back(next_);
    return list;
  }

 private:
  void Advance() {
    has_line_ = lines_.Next();
    if (!has_line_) return;
    const std::string_view line = lines_.line();
    ParsedNBestLine parsed = ParseNBestLine(line);
    id_ = parsed.id;
    next_.tokens = std::move(parsed.tokens);
    const std::string_view total = line.substr(line.rfind(' ') + 1);
    if (std::from_chars(total.data(), total.data() + total.size(), next_.score).ec != std::errc())
      throw Error(path_ + ": a line without a total");
    next_.score /= unit_;
  }

  std::string path_;
  double unit_;
  LineReader lines_;
  bool has_line_ = false;
  uint64_t id_ = 0;
  ScoredString next_;
};

struct ListFile {
  std::string path;
  double unit;  // ScoreUnit of the model
};

// Writes the consensus of the lists in `files` for every sentence; returns its BLEU.
double WriteConsensus(const std::vector<ListFile>& files, const DevSet& set, const ConsensusOptions& options,
                      int threads, const std::string& output, const Reporter& reporter) {
  std::vector<ListReader> readers;
  for (const ListFile& file : files) readers.emplace_back(file.path, file.unit, reporter);
  const BleuReferences references(set.references);
  BleuStatistics statistics;
  OutputFile file(output);
  const StopCheck stop(reporter.stop);
  size_t next = 0, done = 0;
  RunOrdered<std::vector<ScoredList>, std::vector<std::string>>(
      threads,
      [&](std::vector<ScoredList>* lists) {
        if (next == set.sources.size()) return false;
        lists->clear();
        for (ListReader& reader : readers) lists->push_back(reader.Of(next));
        ++next;
        return true;
      },
      [&](int, std::vector<ScoredList>&& lists) {
        std::erase_if(lists, [](const ScoredList& list) { return list.empty(); });
        return lists.empty() ? std::vector<std::string>() : FindConsensus(lists, options, stop).best().tokens;
      },
      [&](std::vector<std::string>&& tokens) {
        statistics += references.Statistics(done, tokens);
        file.Write(JoinTokens(tokens) + "\n");
        reporter.Progress("consensus", ++done, set.sources.size());
      });
  file.Close();
  return Bleu(statistics);
}

}  // namespace

std::string ConsensusFolder(const ExperimentConfig& config, const ConsensusRow& consensus) {
  return config.InOutput("consensus/" + consensus.id);
}

std::vector<Step> ConsensusSteps(const ExperimentConfig& config, const ConsensusRow& consensus,
                                 const TrainResources& resources) {
  const RowSteps any(config, 0, resources, kSilent);
  const std::string folder = ConsensusFolder(config, consensus);
  std::vector<Step> steps;
  for (const auto& [test, part] : config.common().tests) {
    const PreparedText texts = any.training().Test(test, part);
    ComparedOutputs compared{test, texts.references, {}, {}};
    for (int run = 1; run <= any.training().runs(); ++run) {
      const std::string name = TrainSteps::TestName(test, run);
      const std::string output = folder + "/" + name + ".out";
      Step step;
      step.name = name;
      step.settings = fmt::format("scale={}", consensus.combine.scale);
      for (const size_t row : consensus.rows) {
        const RowSteps of_row(config, row, resources, kSilent);
        step.inputs.push_back(RowSteps::NBestFile(config, row, test, run, consensus.combine.nbest));
        if (config.common().dev) step.inputs.push_back(of_row.training().WeightsPath(run));
      }
      step.inputs.push_back(texts.source);
      step.inputs.insert(step.inputs.end(), texts.references.begin(), texts.references.end());
      step.outputs = {name + ".out"};
      step.run = [&config, &consensus, &resources, test = test, run, texts, output](const StepContext& context) {
        std::vector<ListFile> lists;
        for (const size_t row : consensus.rows) {
          const RowSteps of_row(config, row, resources, kSilent);
          const FeatureVector weights = of_row.training().ConfigOfRun(run).weights;
          lists.push_back({RowSteps::NBestFile(config, row, test, run, consensus.combine.nbest),
                           ScoreUnit(config.rows[row].train.system, weights)});
        }
        const DevSet set = ReadPrepared(texts.source, texts.references, context.reporter);
        return TestFacts{.bleu = WriteConsensus(lists, set, {.scale = consensus.combine.scale}, resources.threads,
                                                output, context.reporter)};
      };
      steps.push_back(std::move(step));
      compared.outputs.push_back(output);
    }
    for (const size_t baseline : config.baselines)
      compared.baselines.push_back(RowSteps::Outputs(config, baseline, test));
    steps.push_back(ComparisonStep(compared, resources.threads));
  }
  return steps;
}

}  // namespace graft::engine
