// Rule occurrences of one system, counted: from a corpus or from what `graft extract` wrote. The first half of making a
// table, and all of `graft extract`.
//
//   Occurrences found = CountOccurrences(corpus, spec, work, reporter);
//   WriteOccurrences(std::move(found), work, "occurrences");            // or hand it to build.h
//
// One pass: words get ids in order of first appearance, links are counted, rules are extracted sentence-parallel into
// one sorter per thread. Nothing that is made from them depends on these ids, on threads or on the memory limit.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "building/packed_rule.h"
#include "corpus/parallel_corpus.h"
#include "graft/reporter.h"
#include "rules/lexicon.h"
#include "rules/pair_bound.h"
#include "rules/system_spec.h"
#include "sorting/counting_sorter.h"
#include "text/vocabulary.h"

namespace graft::engine {

// What work may use; none of it changes a result.
struct WorkOptions {
  int threads = 1;
  uint64_t memory_bytes = uint64_t{1} << 30;  // for rules that wait to be sorted; vocabularies come on top
  std::string temp_folder;                    // what does not fit; empty: $TMPDIR or /tmp
};

struct TrainingCorpus {
  CorpusFiles files;
  SourceFormat format = SourceFormat::kText;
  SourceOptions source;                             // lower-casing is for both sides
  uint64_t max_pair_rules = kMaxPairRulesOfSystem;  // rules of one pair (rules/pair_bound.h)
};

struct OccurrenceTotals {
  uint64_t pairs = 0;                              // read
  uint64_t empty = 0, unlinked = 0, too_long = 0;  // pairs that gave no rules: an empty side, no links, too many words
  uint64_t bounded = 0;                            // pairs with more than max_pair_rules
  uint64_t max_pair_rules = 0;
  uint64_t occurrences = 0;  // of rules; lines, where files were read

  uint64_t skipped() const { return empty + unlinked + too_long; }
};

// Labels of non-terminals by number; number 0 is X. Numbers depend on threads.
struct OccurrenceLabels {
  std::vector<std::string> texts;
  std::vector<bool> used;  // some rule has it
};

struct Occurrences {
  PackedForm form;
  Vocabulary source_words, target_words;
  OccurrenceLabels labels;
  LinkCounts links;                    // over the ids of these
  std::vector<CountingSorter> counts;  // finished; keys are occurrences of packed_rule.h over these ids
  OccurrenceTotals totals;
};

// "29000 pairs, 3 skipped (1 with an empty side, 2 without links, 0 over 250 words), 1240000 occurrences".
std::string TotalsText(const OccurrenceTotals& totals);

// "12 pairs had more than 120000 rules: only those of their small units are kept", or nothing if there are none.
std::string BoundedText(const OccurrenceTotals& totals);

// Throws Error for a corpus without trees when the system needs them, and for everything ParallelCorpus objects to.
Occurrences CountOccurrences(const TrainingCorpus& corpus, const SystemSpec& spec, const WorkOptions& work,
                             const Reporter& reporter);

// Reads shards written by WriteOccurrences; their order does not matter. A malformed line, a rule that
// the system cannot have and a word that no lexicon has are Errors with file and line.
Occurrences ReadOccurrences(std::span<const std::string> occurrence_files, std::span<const std::string> lexicon_files,
                            const SystemSpec& spec, const WorkOptions& work, const Reporter& reporter);

// `LHS ||| source ||| edges ||| target ||| count ||| links`, one line per distinct rule and alignment, sorted by the
// fields other than the count, each bytewise; returns how many. Takes the occurrences apart. To `lexicon`, unless that
// is empty, go the link counts: `source ||| target ||| count`, NULL = empty field, lines sorted bytewise. Both files
// get their names, or none does.
uint64_t WriteOccurrences(Occurrences occurrences, const WorkOptions& work, const std::string& path,
                          const std::string& lexicon = "");

// Throws Error if no file can be made at `path`: asked before hours of work.
void CheckWritable(const std::string& path);

}  // namespace graft::engine
