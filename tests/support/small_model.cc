#include "support/small_model.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "rules/rule_text.h"

namespace graft::engine::fixtures {

std::string TemporaryName(const std::string& suffix) {
  static std::atomic<int> counter{0};
  // In memory where possible: tests write thousands of small tables, and a table is synced to disk.
  static const std::filesystem::path folder = std::filesystem::is_directory("/dev/shm")
                                                  ? std::filesystem::path("/dev/shm")
                                                  : std::filesystem::temp_directory_path();
  return (folder / fmt::format("graft-test-{}-{}{}", getpid(), counter++, suffix)).string();
}

RuleTable WriteTable(const TableHeader& header, EntriesBySource by_source) {
  const std::string path = TemporaryName(".graft");
  TableWriter writer(path, header);
  for (auto& [source, entries] : by_source) {
    std::sort(entries.begin(), entries.end(),
              [&](const TableEntry& a, const TableEntry& b) { return StoredBefore(writer.codec(), a, b); });
    writer.Add(source, entries);
  }
  writer.Finish();
  RuleTable table = RuleTable::Open(path);
  std::remove(path.c_str());
  return table;
}

void RuleBook::Add(BookRule rule) {
  for (const BookRule& known : rules_)
    if (known.source == rule.source && known.target == rule.target) return;
  rules_.push_back(std::move(rule));
}

void RuleBook::AddRulesOf(const std::vector<std::string>& source, const std::vector<int>& heads,
                          const std::vector<std::string>& target, const std::vector<WordLink>& links,
                          std::mt19937* random) {
  IndexedPair pair;
  for (const std::string& word : source) pair.source.push_back(Source(word));
  for (const std::string& word : target) pair.target.push_back(Target(word));
  pair.heads = heads;
  pair.links = links;
  std::uniform_real_distribution<float> score(-4, 0);
  UnitExtractor extractor(spec_);
  extractor.Extract(pair, [&](const RuleOccurrence& rule, const UnitPair&) {
    Add({{rule.source.begin(), rule.source.end()},
         {rule.target.begin(), rule.target.end()},
         {rule.links.begin(), rule.links.end()},
         {score(*random), score(*random), score(*random), score(*random)}});
  });
}

RuleTable RuleBook::Write() const {
  TableHeader header;
  header.spec = spec_;
  header.coding = ScoreCoding::kF32;
  for (WordId id = 0; id < source_.size(); ++id) header.source_words.push_back(source_.Word(id));
  for (WordId id = 0; id < target_.size(); ++id) header.target_words.push_back(target_.Word(id));
  std::set<uint32_t> signatures;
  std::map<std::string, uint32_t> alignments;
  std::map<std::vector<SourceSymbol>, std::vector<TableEntry>> by_source;
  for (const BookRule& rule : rules_) {
    for (const SourceSymbol& symbol : rule.source) signatures.insert(symbol.signature);
    const std::string links = FormatLinks(spec_.signature(), rule.source, rule.links);
    const auto [found, fresh] = alignments.try_emplace(links, static_cast<uint32_t>(header.alignments.size()));
    if (fresh) header.alignments.push_back(links);
    TableEntry entry;
    entry.target = rule.target;
    entry.alignment = found->second;
    entry.scores = rule.scores;
    by_source[rule.source].push_back(std::move(entry));
  }
  header.signatures.assign(signatures.begin(), signatures.end());
  return WriteTable(header, std::move(by_source));
}

std::string RandomArpa(const std::vector<std::string>& words, int order, std::mt19937* random) {
  std::uniform_real_distribution<double> score(-3, -0.1);
  std::uniform_real_distribution<double> backoff(-1, 0);
  std::bernoulli_distribution keep(0.5);
  std::vector<std::vector<std::vector<std::string>>> grams(static_cast<size_t>(order));
  grams[0] = {{"<unk>"}, {"<s>"}, {"</s>"}};
  for (const std::string& word : words) grams[0].push_back({word});
  for (size_t n = 1; n < grams.size(); ++n) {
    const std::set<std::vector<std::string>> shorter(grams[n - 1].begin(), grams[n - 1].end());
    for (const auto& head : grams[n - 1])
      for (const auto& last : grams[0]) {
        if (head.back() == "</s>" || last[0] == "<s>" || last[0] == "<unk>" || head[0] == "<unk>") continue;
        std::vector<std::string> gram = head;
        gram.push_back(last[0]);
        if (shorter.count({gram.begin() + 1, gram.end()}) != 0 && keep(*random)) grams[n].push_back(gram);
      }
  }
  std::string text = "\\data\\\n";
  for (size_t n = 0; n < grams.size(); ++n) text += fmt::format("ngram {}={}\n", n + 1, grams[n].size());
  for (size_t n = 0; n < grams.size(); ++n) {
    text += fmt::format("\n\\{}-grams:\n", n + 1);
    for (const auto& gram : grams[n]) {
      std::string joined;
      for (const std::string& word : gram) joined += (joined.empty() ? "" : " ") + word;
      text += fmt::format("{:.5f}\t{}", joined == "<s>" ? -99 : score(*random), joined);
      if (n + 1 < grams.size()) text += fmt::format("\t{:.5f}", gram.back() == "</s>" ? 0 : backoff(*random));
      text += "\n";
    }
  }
  return text + "\n\\end\\\n";
}

std::unique_ptr<LanguageModel> RandomLanguageModel(const std::vector<std::string>& words, int order,
                                                   std::mt19937* random) {
  const std::string path = TemporaryName(".arpa");
  std::ofstream(path) << RandomArpa(words, order, random);
  std::unique_ptr<LanguageModel> model = LanguageModel::Load(path);
  std::remove(path.c_str());
  return model;
}

SearchOptions NoPruning() {
  SearchOptions options;
  options.beam = 0;
  options.pop_limit = 0;
  options.threshold = 0;
  options.table_limit = 0;
  return options;
}

}  // namespace graft::engine::fixtures
