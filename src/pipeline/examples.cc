#include "pipeline/examples.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "eval/bleu.h"
#include "eval/test_set.h"
#include "graft/error.h"
#include "pipeline/scoring.h"
#include "util/output_file.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kFewestWords = 5, kMostWords = 20;

std::vector<std::string> Tokens(const std::string& line) {
  const std::vector<std::string_view> tokens = SplitTokens(line);
  return {tokens.begin(), tokens.end()};
}

// By how much the second output is better, for every sentence.
std::vector<double> Differences(const DevSet& set, const std::string (&outputs)[2], const Reporter& reporter) {
  const BleuReferences references(set.references);
  std::vector<double> differences(set.sources.size(), 0);
  for (int which : {0, 1}) {
    const std::vector<std::string> lines = ReadTestLines(outputs[which], reporter);
    if (lines.size() != differences.size()) throw Error(outputs[which] + ": does not fit the test set");
    for (size_t i = 0; i < lines.size(); ++i)
      differences[i] += (which == 0 ? -1 : 1) * Bleu(references.Statistics(i, Tokens(lines[i])), BleuSmoothing::kAddK);
  }
  return differences;
}

}  // namespace

void ChooseExamples(const ExampleRequest& request, const std::string& path, const Reporter& reporter) {
  const DevSet set = ReadPrepared(request.source, request.references, reporter);
  const std::vector<double> differences = Differences(set, request.outputs, reporter);
  std::vector<size_t> order;
  const auto fits = [&](size_t i) {
    return set.sources[i].tokens.size() >= kFewestWords && set.sources[i].tokens.size() <= kMostWords;
  };
  for (size_t i = 0; i < set.sources.size(); ++i)
    if (fits(i)) order.push_back(i);
  const auto wanted = std::min(static_cast<size_t>(request.count), set.sources.size());
  for (size_t i = 0; i < set.sources.size() && order.size() < wanted; ++i)
    if (!fits(i)) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return differences[a] > differences[b]; });
  std::vector<size_t> chosen;
  std::set<std::vector<std::string>> seen;
  const auto take = [&](size_t sentence) {
    if (!seen.insert(set.sources[sentence].tokens).second) return false;
    chosen.push_back(sentence);
    return true;
  };
  size_t front = 0, back = order.size();
  while (chosen.size() < wanted && front < back) {
    while (front < back && !take(order[front++])) {
    }
    if (chosen.size() == wanted) break;
    while (front < back && !take(order[--back])) {
    }
  }
  Json examples = Json::array();
  for (const size_t sentence : chosen) {
    const Sentence& source = set.sources[sentence];
    examples.push_back({{"sentence", sentence},
                        {"source", source.tokens},
                        {"heads", source.heads},
                        {"reference", JoinTokens(set.references[sentence].front())}});
  }
  OutputFile file(path);
  file.Write(examples.dump(1) + "\n");
  file.Close();
}

}  // namespace graft::engine
