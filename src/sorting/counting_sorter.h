// Sums counts of byte-string keys under a memory limit and yields every key once, in bytewise order.
//
// Keys are aggregated in an open-addressing hash (most occurrences are repeats), which is sorted and spilled as a
// compressed run (sorted_run.h) when it outgrows the limit; runs are merged at the end. What fits in memory touches no
// file. Several sorters (one per thread) are merged into one stream by MergedCounts:
//
//   CountingSorter sorter({.memory_bytes = limit});
//   for (…) sorter.Add(key, 1);
//   sorter.Finish();
//   MergedCounts merged(std::move(sorters));
//   while (merged.Next()) Use(merged.key(), merged.count());
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "util/stop_check.h"

namespace graft::engine {

class CountingSorter {
 public:
  struct Options {
    uint64_t memory_bytes = uint64_t{1} << 30;  // for keys, hash and sorting; at least a few records are always held
    std::string temp_folder;                    // for runs; empty: $TMPDIR or /tmp
    bool aggregate = true;                      // false: no hash; for keys that hardly ever repeat
    StopCheck stop = {};                        // asked while runs are sorted and merged
  };
  explicit CountingSorter(const Options& options);
  ~CountingSorter();
  CountingSorter(CountingSorter&&) noexcept;
  CountingSorter& operator=(CountingSorter&&) noexcept;

  void Add(std::string_view key, uint64_t count);  // may throw for an earlier key: a few wait to be looked up together
  void Finish();  // sorts what is in memory; no Add afterwards. May run in the owner's thread.

 private:
  friend class MergedCounts;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The keys of several finished sorters in bytewise order, equal keys summed.
class MergedCounts {
 public:
  explicit MergedCounts(std::vector<CountingSorter> sorters);
  ~MergedCounts();

  bool Next();                   // false at the end
  std::string_view key() const;  // valid until the next call of Next
  uint64_t count() const;
  void Rewind();  // the next call of Next gives the first key again

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft::engine
