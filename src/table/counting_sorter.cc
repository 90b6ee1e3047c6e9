#include "table/counting_sorter.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "table/loser_tree.h"
#include "table/sorted_run.h"

namespace graft {
namespace {

constexpr size_t kMaxFanIn = 64;  // runs of one sorter merged at a time
constexpr size_t kMinBlock = size_t{4} << 10;
constexpr size_t kMaxBlock = size_t{256} << 10;
constexpr size_t kMinChunk = size_t{16} << 10;
constexpr size_t kMaxChunk = size_t{4} << 20;

// A record in the arena; the key follows.
struct Record {
  uint64_t count;
  uint64_t length;
  std::string_view key() const { return {reinterpret_cast<const char*>(this + 1), length}; }
  static size_t Bytes(size_t length) { return (sizeof(Record) + length + 7) / 8 * 8; }
};

// What is sorted: sixteen bytes of the key inline, so that most comparisons touch no record.
struct SortItem {
  uint64_t prefix;
  uint64_t next;
  const Record* record;
  friend bool operator<(const SortItem& a, const SortItem& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    if (a.next != b.next) return a.next < b.next;
    return a.record->key() < b.record->key();
  }
};

struct MemoryCursor final : CountCursor {
  explicit MemoryCursor(const std::vector<SortItem>& sorted) : items(sorted) {}
  void Advance() override {
    if (position == items.size()) {
      done = true;
      return;
    }
    // Records lie scattered; their order is known, so fetch ahead.
    if (position + 8 < items.size()) __builtin_prefetch(items[position + 8].record);
    const SortItem& item = items[position++];
    key = item.record->key();
    prefix = item.prefix;
    count = item.record->count;
  }
  void Rewind() override { position = 0; }

  const std::vector<SortItem>& items;
  size_t position = 0;
};

struct RunCursor final : CountCursor {
  explicit RunCursor(SortedRun run) : reader(std::move(run)) {}
  void Advance() override {
    if (!reader.Next()) {
      done = true;
      return;
    }
    key = reader.key();
    prefix = KeyPrefix(key);
    count = reader.count();
  }
  void Rewind() override { reader.Rewind(); }

  RunReader reader;
};

// A loser tree whose equal keys are one.
class SummingMerge {
 public:
  explicit SummingMerge(std::vector<std::unique_ptr<CountCursor>> cursors) : tree_(std::move(cursors)) {}
  bool Next() {
    if (tree_.empty()) return false;
    key_.assign(tree_.top().key);  // a copy: the cursor moves on before equal keys are known
    count_ = tree_.top().count;
    for (tree_.Pop(); !tree_.empty() && tree_.top().key == key_; tree_.Pop()) count_ += tree_.top().count;
    return true;
  }
  void Rewind() { tree_.Rewind(); }
  std::string_view key() const { return key_; }
  uint64_t count() const { return count_; }

 private:
  LoserTree tree_;
  std::string key_;
  uint64_t count_ = 0;
};

}  // namespace

struct CountingSorter::Impl {
  struct Slot {
    uint64_t hash;
    Record* record;  // null: empty
  };
  struct Chunk {
    std::unique_ptr<uint64_t[]> memory;
    size_t bytes;
    size_t used;
  };

  Options options;
  size_t block_bytes, chunk_bytes;
  std::vector<Chunk> chunks;  // filled in order; kept for reuse after a spill
  size_t chunk = 0;           // the one being filled
  uint64_t arena_bytes = 0;
  std::vector<Slot> slots;
  size_t records = 0;
  std::vector<SortItem> sorted;
  std::vector<SortedRun> runs;
  std::shared_ptr<TempFile> file;

  explicit Impl(const Options& given) : options(given) {
    block_bytes = std::clamp<size_t>(options.memory_bytes / 256, kMinBlock, kMaxBlock);
    chunk_bytes = std::clamp<size_t>(options.memory_bytes / 16, kMinChunk, kMaxChunk);
    if (options.aggregate) slots.resize(256);
  }

  uint64_t MemoryUsed() const { return arena_bytes + slots.size() * sizeof(Slot) + records * sizeof(SortItem); }

  // Room for a record in the chunk being filled, or null.
  Record* TakeFromChunk(size_t bytes) {
    if (chunk == chunks.size() || chunks[chunk].used + bytes > chunks[chunk].bytes) return nullptr;
    auto* record = reinterpret_cast<Record*>(chunks[chunk].memory.get() + chunks[chunk].used / 8);
    chunks[chunk].used += bytes;
    return record;
  }

  Record* Append(std::string_view key, uint64_t count) {
    const size_t bytes = Record::Bytes(key.size());
    Record* record = TakeFromChunk(bytes);
    while (record == nullptr) {
      if (chunk < chunks.size()) ++chunk;
      if (chunk == chunks.size()) {
        const size_t size = std::max(bytes, chunk_bytes);
        chunks.push_back({std::make_unique_for_overwrite<uint64_t[]>(size / 8), size / 8 * 8, 0});
        arena_bytes += size;
      }
      record = TakeFromChunk(bytes);
    }
    record->count = count;
    record->length = key.size();
    std::memcpy(record + 1, key.data(), key.size());
    ++records;
    return record;
  }

  bool Full(size_t key_bytes) const {
    if (records == 0) return false;
    const bool next_chunk =
        chunk + 1 >= chunks.size() &&
        (chunk >= chunks.size() || chunks[chunk].used + Record::Bytes(key_bytes) > chunks[chunk].bytes);
    const bool grow = options.aggregate && NeedsGrowth();
    return MemoryUsed() + (next_chunk ? chunk_bytes : 0) + (grow ? slots.size() * sizeof(Slot) : 0) >
           options.memory_bytes;
  }
  bool NeedsGrowth() const { return (records + 1) * 8 > slots.size() * 5; }

  void Grow() {
    std::vector<Slot> larger(slots.size() * 2);
    const size_t mask = larger.size() - 1;
    for (const Slot& slot : slots) {
      if (slot.record == nullptr) continue;
      size_t i = slot.hash & mask;
      while (larger[i].record != nullptr) i = (i + 1) & mask;
      larger[i] = slot;
    }
    slots.swap(larger);
  }

  Slot* Find(std::string_view key, uint64_t hash) {
    const size_t mask = slots.size() - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      Slot& slot = slots[i];
      if (slot.record == nullptr || (slot.hash == hash && slot.record->key() == key)) return &slot;
    }
  }

  void Add(std::string_view key, uint64_t count) {
    if (!options.aggregate) {
      if (Full(key.size())) Spill();
      Append(key, count);
      return;
    }
    const uint64_t hash = XXH3_64bits(key.data(), key.size());
    Slot* slot = Find(key, hash);
    if (slot->record != nullptr) {
      slot->record->count += count;
      return;
    }
    if (Full(key.size())) {
      Spill();
      slot = Find(key, hash);
    } else if (NeedsGrowth()) {
      Grow();
      slot = Find(key, hash);
    }
    *slot = {hash, Append(key, count)};
  }

  void SortRecords() {
    sorted.reserve(records);
    for (const Chunk& filled : chunks) {
      for (size_t at = 0; at < filled.used;) {
        const auto* record = reinterpret_cast<const Record*>(filled.memory.get() + at / 8);
        sorted.push_back({KeyPrefix(record->key()), KeyPrefix(record->key(), 8), record});
        at += Record::Bytes(record->length);
      }
    }
    std::sort(sorted.begin(), sorted.end());
  }

  void Spill() {
    SortRecords();
    if (!file) file = std::make_shared<TempFile>(options.temp_folder);
    RunWriter writer(file, block_bytes);
    // Without the hash, equal keys are still apart.
    for (size_t i = 0; i < sorted.size();) {
      const Record* record = sorted[i].record;
      uint64_t count = record->count;
      for (++i; i < sorted.size() && sorted[i].record->key() == record->key(); ++i) count += sorted[i].record->count;
      writer.Add(record->key(), count);
    }
    runs.push_back(writer.Finish());
    std::vector<SortItem>().swap(sorted);
    std::fill(slots.begin(), slots.end(), Slot{0, nullptr});
    for (Chunk& emptied : chunks) emptied.used = 0;
    chunk = 0;
    records = 0;
  }

  // Merges runs level by level until one merge can take them all. Each level has its own file, so that the space of the
  // one before is freed.
  void ReduceRuns() {
    while (runs.size() > kMaxFanIn) {
      auto next_file = std::make_shared<TempFile>(options.temp_folder);
      std::vector<SortedRun> merged;
      for (size_t first = 0; first < runs.size(); first += kMaxFanIn) {
        std::vector<std::unique_ptr<CountCursor>> cursors;
        for (size_t i = first; i < std::min(runs.size(), first + kMaxFanIn); ++i)
          cursors.push_back(std::make_unique<RunCursor>(runs[i]));
        SummingMerge merge(std::move(cursors));
        RunWriter writer(next_file, block_bytes);
        while (merge.Next()) writer.Add(merge.key(), merge.count());
        merged.push_back(writer.Finish());
      }
      runs = std::move(merged);
      file = std::move(next_file);
    }
  }

  void Finish() {
    std::vector<Slot>().swap(slots);
    SortRecords();
    ReduceRuns();
  }
};

CountingSorter::CountingSorter(const Options& options) : impl_(std::make_unique<Impl>(options)) {}
CountingSorter::~CountingSorter() = default;
CountingSorter::CountingSorter(CountingSorter&&) noexcept = default;
CountingSorter& CountingSorter::operator=(CountingSorter&&) noexcept = default;

void CountingSorter::Add(std::string_view key, uint64_t count) { impl_->Add(key, count); }
void CountingSorter::Finish() { impl_->Finish(); }

struct MergedCounts::Impl {
  std::vector<CountingSorter> sorters;
  SummingMerge merge;

  explicit Impl(std::vector<CountingSorter> given) : sorters(std::move(given)), merge(Cursors(sorters)) {}

  static std::vector<std::unique_ptr<CountCursor>> Cursors(const std::vector<CountingSorter>& sorters) {
    std::vector<std::unique_ptr<CountCursor>> cursors;
    for (const CountingSorter& sorter : sorters) {
      for (const SortedRun& run : sorter.impl_->runs) cursors.push_back(std::make_unique<RunCursor>(run));
      if (!sorter.impl_->sorted.empty()) cursors.push_back(std::make_unique<MemoryCursor>(sorter.impl_->sorted));
    }
    return cursors;
  }
};

MergedCounts::MergedCounts(std::vector<CountingSorter> sorters) : impl_(std::make_unique<Impl>(std::move(sorters))) {}
MergedCounts::~MergedCounts() = default;
bool MergedCounts::Next() { return impl_->merge.Next(); }
std::string_view MergedCounts::key() const { return impl_->merge.key(); }
uint64_t MergedCounts::count() const { return impl_->merge.count(); }
void MergedCounts::Rewind() { impl_->merge.Rewind(); }

}  // namespace graft
