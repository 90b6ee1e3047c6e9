#include "eval/metric.h"

#include <fmt/format.h>

#include <algorithm>

#include "eval/bleu.h"
#include "eval/bleu_tokeniser.h"
#include "eval/chrf.h"
#include "eval/python_text.h"
#include "eval/ter.h"
#include "graft/error.h"
#include "text/vocabulary.h"
#include "util/parallel_for.h"
#include "util/suggest.h"
#include "util/utf8.h"

namespace graft::engine {

namespace {

using Lines = std::vector<std::string>;

// By sentence instead of by file, each line as `read` gives it.
template <class Read>
auto BySentence(const std::vector<Lines>& references, const StopCheck& stop, Read read) {
  std::vector<std::vector<decltype(read(std::string()))>> result(references.front().size());
  for (const Lines& lines : references)
    for (size_t sentence = 0; sentence < lines.size(); ++sentence) {
      stop.Poll();
      result[sentence].push_back(read(lines[sentence]));
    }
  return result;
}

std::string CaseOf(bool lowercase) { return lowercase ? "lc" : "mixed"; }

std::string_view NameOf(BleuSmoothing smoothing) {
  switch (smoothing) {
    case BleuSmoothing::kNone: return "none";
    case BleuSmoothing::kExp: return "exp";
    case BleuSmoothing::kFloor: return "floor[0.10]";
    case BleuSmoothing::kAddK: return "add-k[1.00]";
  }
  return "";
}

class BleuMetric : public Metric {
 public:
  BleuMetric(const std::vector<Lines>& references, const graft::MetricOptions& options, const StopCheck& stop)
      : tokeniser_(BleuTokeniserByName(options.tokeniser)),
        smoothing_(BleuSmoothingByName(options.smoothing)),
        lowercase_(options.lowercase),
        count_(references.size()),
        references_(BySentence(references, stop, [this](const std::string& line) { return Tokens(line); })) {}

  std::string name() const override { return "BLEU"; }

  std::string signature() const override {
    return fmt::format("nrefs:{}|case:{}|eff:no|tok:{}|smooth:{}|version:{}", count_, CaseOf(lowercase_),
                       graft::engine::NameOf(tokeniser_), NameOf(smoothing_), kSacrebleuVersion);
  }

  size_t width() const override { return 10; }

  void Statistics(size_t sentence, std::string_view hypothesis, std::span<double> out) const override {
    const BleuStatistics statistics = references_.Statistics(sentence, Tokens(hypothesis));
    for (size_t n = 0; n < 4; ++n) {
      out[n] = static_cast<double>(statistics.match[n]);
      out[4 + n] = static_cast<double>(statistics.total[n]);
    }
    out[8] = static_cast<double>(statistics.length);
    out[9] = static_cast<double>(statistics.reference_length);
  }

  double Score(std::span<const double> sums) const override { return ScoreBleu(FromSums(sums), smoothing_).score; }

  std::string Details(std::span<const double> sums) const override {
    const BleuStatistics statistics = FromSums(sums);
    const BleuScore score = ScoreBleu(statistics, smoothing_);
    return fmt::format("{:.1f}/{:.1f}/{:.1f}/{:.1f} (BP = {:.3f} ratio = {:.3f} hyp_len = {} ref_len = {})",
                       score.precisions[0], score.precisions[1], score.precisions[2], score.precisions[3],
                       score.brevity_penalty, score.ratio, statistics.length, statistics.reference_length);
  }

  nlohmann::ordered_json Fields(std::span<const double> sums) const override {
    const BleuStatistics statistics = FromSums(sums);
    const BleuScore score = ScoreBleu(statistics, smoothing_);
    return {{"precisions", score.precisions},
            {"bp", score.brevity_penalty},
            {"ratio", score.ratio},
            {"hyp_len", statistics.length},
            {"ref_len", statistics.reference_length},
            {"counts", statistics.match},
            {"totals", statistics.total}};
  }

 private:
  static BleuStatistics FromSums(std::span<const double> sums) {
    BleuStatistics statistics;
    for (size_t n = 0; n < 4; ++n) {
      statistics.match[n] = static_cast<int64_t>(sums[n]);
      statistics.total[n] = static_cast<int64_t>(sums[4 + n]);
    }
    statistics.length = static_cast<int64_t>(sums[8]);
    statistics.reference_length = static_cast<int64_t>(sums[9]);
    return statistics;
  }

  std::vector<std::string> Tokens(std::string_view line) const {
    return lowercase_ ? TokeniseForBleu(tokeniser_, Lowercase(line)) : TokeniseForBleu(tokeniser_, line);
  }

  BleuTokeniser tokeniser_;
  BleuSmoothing smoothing_;
  bool lowercase_;
  size_t count_;
  BleuReferences references_;
};

class ChrfMetric : public Metric {
 public:
  ChrfMetric(const std::vector<Lines>& references, bool words, const graft::MetricOptions& options,
             const StopCheck& stop)
      : words_(words),
        lowercase_(options.lowercase),
        count_(references.size()),
        references_(BySentence(references, stop,
                               [this](const std::string& line) { return lowercase_ ? Lowercase(line) : line; }),
                    words) {}

  std::string name() const override { return words_ ? "chrF2++" : "chrF2"; }

  std::string signature() const override {
    return fmt::format("nrefs:{}|case:{}|eff:yes|nc:6|nw:{}|space:no|version:{}", count_, CaseOf(lowercase_),
                       words_ ? 2 : 0, kSacrebleuVersion);
  }

  size_t width() const override { return 3 * orders(); }

  void Statistics(size_t sentence, std::string_view hypothesis, std::span<double> out) const override {
    const ChrfStatistics statistics = lowercase_ ? references_.Statistics(sentence, Lowercase(hypothesis))
                                                 : references_.Statistics(sentence, hypothesis);
    for (size_t n = 0; n < orders(); ++n) {
      out[3 * n] = static_cast<double>(statistics.hypothesis[n]);
      out[3 * n + 1] = static_cast<double>(statistics.reference[n]);
      out[3 * n + 2] = static_cast<double>(statistics.match[n]);
    }
  }

  double Score(std::span<const double> sums) const override { return Chrf(FromSums(sums)); }

  nlohmann::ordered_json Fields(std::span<const double> sums) const override {
    const ChrfStatistics statistics = FromSums(sums);
    const auto of_orders = [this](const auto& counts) {
      return std::vector<int64_t>(counts.begin(), counts.begin() + static_cast<int64_t>(orders()));
    };
    return {{"hyp_ngrams", of_orders(statistics.hypothesis)},
            {"ref_ngrams", of_orders(statistics.reference)},
            {"matches", of_orders(statistics.match)}};
  }

 private:
  size_t orders() const { return words_ ? kChrfOrders : kChrfCharacterOrders; }

  ChrfStatistics FromSums(std::span<const double> sums) const {
    ChrfStatistics statistics;
    for (size_t n = 0; n < orders(); ++n) {
      statistics.hypothesis[n] = static_cast<int64_t>(sums[3 * n]);
      statistics.reference[n] = static_cast<int64_t>(sums[3 * n + 1]);
      statistics.match[n] = static_cast<int64_t>(sums[3 * n + 2]);
    }
    return statistics;
  }

  bool words_;
  bool lowercase_;
  size_t count_;
  ChrfReferences references_;
};

class TerMetric : public Metric {
 public:
  TerMetric(const std::vector<Lines>& references, const graft::MetricOptions& options, const StopCheck& stop)
      : case_sensitive_(options.ter_case_sensitive),
        count_(references.size()),
        stop_(stop),
        references_(BySentence(references, stop, [this](const std::string& line) {
          std::vector<WordId> ids;
          for (const std::string& word : Words(line)) ids.push_back(vocabulary_.Add(word));
          return ids;
        })) {}

  std::string name() const override { return "TER"; }

  std::string signature() const override {
    return fmt::format("nrefs:{}|case:{}|tok:tercom|norm:no|punct:yes|asian:no|version:{}", count_,
                       CaseOf(!case_sensitive_), kSacrebleuVersion);
  }

  bool higher_is_better() const override { return false; }
  size_t width() const override { return 2; }

  void Statistics(size_t sentence, std::string_view hypothesis, std::span<double> out) const override {
    std::vector<WordId> ids;
    for (const std::string& word : Words(hypothesis)) ids.push_back(vocabulary_.Find(word));
    const TerStatistics statistics = TerOf(ids, references_[sentence], stop_);
    out[0] = statistics.edits;
    out[1] = statistics.reference_length;
  }

  double Score(std::span<const double> sums) const override { return Ter({sums[0], sums[1]}); }

  nlohmann::ordered_json Fields(std::span<const double> sums) const override {
    return {{"num_edits", static_cast<int64_t>(sums[0])}, {"ref_length", sums[1]}};
  }

 private:
  std::vector<std::string> Words(std::string_view line) const {
    return case_sensitive_ ? PythonSplit(line) : PythonSplit(Lowercase(line));
  }

  bool case_sensitive_;
  size_t count_;
  StopCheck stop_;
  Vocabulary vocabulary_;
  std::vector<std::vector<std::vector<WordId>>> references_;  // [sentence][reference]
};

}  // namespace

std::vector<std::string> MetricNames() { return {"bleu", "chrf", "chrf++", "ter"}; }

std::unique_ptr<Metric> Metric::Create(std::string_view name, const std::vector<Lines>& references,
                                       const graft::MetricOptions& options, const StopCheck& stop) {
  if (references.empty()) throw Error("no references; name at least one file");
  if (name == "bleu") return std::make_unique<BleuMetric>(references, options, stop);
  if (name == "chrf") return std::make_unique<ChrfMetric>(references, false, options, stop);
  if (name == "chrf++") return std::make_unique<ChrfMetric>(references, true, options, stop);
  if (name == "ter") return std::make_unique<TerMetric>(references, options, stop);
  throw Error("unknown metric `" + std::string(name) + "`" + Suggestion(name, MetricNames()));
}

std::vector<double> SystemStatistics::Sum(size_t run) const {
  std::vector<double> sum(width);
  for (size_t sentence = 0; sentence < sentences; ++sentence) {
    const double* point = Point(run, sentence);
    for (size_t i = 0; i < width; ++i) sum[i] += point[i];
  }
  return sum;
}

std::vector<double> SystemStatistics::PooledSum() const {
  std::vector<double> sum(width);
  for (size_t run = 0; run < runs; ++run) {
    const std::vector<double> part = Sum(run);
    for (size_t i = 0; i < width; ++i) sum[i] += part[i];
  }
  return sum;
}

SystemStatistics StatisticsOf(const Metric& metric, const std::vector<Lines>& runs, int threads,
                              const StopCheck& stop) {
  SystemStatistics result;
  result.runs = runs.size();
  result.sentences = runs.empty() ? 0 : runs.front().size();
  result.width = metric.width();
  const size_t points = result.runs * result.sentences;
  result.values.resize(points * result.width);

  constexpr size_t kBlock = 64;  // points of one piece of work
  ParallelFor(threads, (points + kBlock - 1) / kBlock, [&](size_t block, int) {
    for (size_t point = block * kBlock; point < std::min(points, (block + 1) * kBlock); ++point) {
      stop.Poll();
      const size_t sentence = point % result.sentences;
      metric.Statistics(sentence, runs[point / result.sentences][sentence],
                        std::span(result.values).subspan(point * result.width, result.width));
    }
  });
  return result;
}

}  // namespace graft::engine
