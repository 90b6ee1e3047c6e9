// Small tables, language models and models made in memory for tests of matching and search.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "model/model.h"
#include "rules/extract_units.h"
#include "table/table_writer.h"

namespace graft::engine::fixtures {

// A rule as a test writes it down: word ids into the vocabularies of RuleBook.
struct BookRule {
  std::vector<SourceSymbol> source;
  std::vector<TargetSymbol> target;
  std::vector<RuleLink> links;
  RuleScores scores;
};

// A set of rules that becomes a table. Equal (source, target) pairs are added once.
class RuleBook {
 public:
  explicit RuleBook(SystemSpec spec) : spec_(std::move(spec)) {}

  WordId Source(const std::string& word) { return source_.Add(word); }
  WordId Target(const std::string& word) { return target_.Add(word); }
  void Add(BookRule rule);
  // All rules of a sentence pair, each with random scores.
  void AddRulesOf(const std::vector<std::string>& source, const std::vector<int>& heads,
                  const std::vector<std::string>& target, const std::vector<WordLink>& links, std::mt19937* random);

  RuleTable Write() const;  // a temporary file, removed after opening
  const std::vector<BookRule>& rules() const { return rules_; }
  const SystemSpec& spec() const { return spec_; }
  const Vocabulary& source_words() const { return source_; }
  const Vocabulary& target_words() const { return target_; }

 private:
  SystemSpec spec_;
  Vocabulary source_, target_;
  std::vector<BookRule> rules_;
};

// A name in the temporary folder that no other test uses.
std::string TemporaryName(const std::string& suffix);

// A table of these rules, open and without a name on disk.
using EntriesBySource = std::map<std::vector<SourceSymbol>, std::vector<TableEntry>>;
RuleTable WriteTable(const TableHeader& header, EntriesBySource by_source);

// An ARPA file of the given order over `words` with random n-grams and scores.
std::string RandomArpa(const std::vector<std::string>& words, int order, std::mt19937* random);
std::unique_ptr<LanguageModel> RandomLanguageModel(const std::vector<std::string>& words, int order,
                                                   std::mt19937* random);

// Options that prune nothing.
SearchOptions NoPruning();

}  // namespace graft::engine::fixtures
