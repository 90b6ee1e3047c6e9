// What has been done in a work folder: for every finished step the hash of all that went in and of every file that came
// out. A step is done if both still agree; then its files are used as they are, whenever and by whom they were made.
//
// The ledger is a small JSON file, replaced as a whole after every step: whatever moment a run is killed at, it
// describes finished files only. Every entry carries a sum of its own: one that was damaged counts as not there, and so
// its step is done again. Ledgers of before there were sums, where no entry has one, are believed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/fact_fields.h"
#include "util/stop_check.h"

namespace graft::engine {

// 128-bit hash as 32 hexadecimal digits.
std::string HashText(std::string_view text);
std::string HashFile(const std::string& path, const StopCheck& stop = {});  // throws Error, and Stopped as `stop` says

struct LedgerEntry {
  std::string key;                             // hash of settings and inputs
  std::map<std::string, std::string> outputs;  // file -> hash
  StoredFacts facts;                           // numbers worth telling: pairs, rules, BLEU
  double seconds = 0;
  uint64_t peak_bytes = 0;
};

class Ledger {
 public:
  explicit Ledger(std::string folder);  // reads ledger.json; a missing or damaged one counts as empty

  // The entry of `step` if it was made with this key and the files it promises, `outputs` (names in the folder, or
  // paths), are those it made. They are looked for where they must be: a ledger that came with a copied folder may name
  // others.
  const LedgerEntry* Find(const std::string& step, const std::string& key, const std::vector<std::string>& outputs,
                          const StopCheck& stop = {}) const;
  // Records a finished step; hashes its files and replaces ledger.json.
  const LedgerEntry& Record(const std::string& step, LedgerEntry entry, const std::vector<std::string>& outputs);

 private:
  std::string PathOf(const std::string& output) const;
  // As it is recorded: relative to the folder, so that a copy of an experiment knows its own files.
  std::string NameOf(const std::string& output) const;

  std::string folder_;
  std::map<std::string, LedgerEntry> entries_;
};

}  // namespace graft::engine
