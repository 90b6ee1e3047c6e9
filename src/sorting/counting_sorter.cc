#include "sorting/counting_sorter.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "sorting/key_sort.h"
#include "sorting/loser_tree.h"
#include "sorting/sorted_run.h"
#include "util/add_count.h"
#include "util/probed_cells.h"
#include "util/stop_counter.h"

namespace graft::engine {
namespace {

constexpr size_t kMaxFanIn = 64;  // runs of one sorter merged at a time
constexpr size_t kMinBlock = size_t{4} << 10;
constexpr size_t kMaxBlock = size_t{256} << 10;
constexpr size_t kMinChunk = size_t{16} << 10;
constexpr size_t kMaxChunk = size_t{4} << 20;

// A record in the arena; the key lies right behind the length.
struct Record {
  uint64_t count;
  uint32_t length;

  static constexpr size_t kHeadBytes = 12;
  char* bytes() { return reinterpret_cast<char*>(this) + kHeadBytes; }
  std::string_view key() const { return {reinterpret_cast<const char*>(this) + kHeadBytes, length}; }
  static size_t Bytes(size_t length) { return (kHeadBytes + length + 7) / 8 * 8; }
};
using SortItem = KeyReference<Record>;

// Occurrences that wait for their places in the hash, which lie all over the memory, to be fetched.
struct Pending {
  struct Item {
    size_t begin, length;
    uint64_t count;
    uint32_t hash;
  };
  static constexpr size_t kMost = 32;
  std::array<Item, kMost> items;
  size_t used = 0;
  std::string bytes;

  std::string_view key(const Item& item) const { return std::string_view(bytes).substr(item.begin, item.length); }
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
    key_ = tree_.top().key;  // the cursor moves on before equal keys are known, but only once
    count_ = tree_.top().count;
    for (tree_.Pop(); !tree_.empty() && tree_.top().key == key_; tree_.Pop()) AddCount(tree_.top().count, &count_);
    return true;
  }
  void Rewind() { tree_.Rewind(); }
  std::string_view key() const { return key_; }
  uint64_t count() const { return count_; }

 private:
  LoserTree tree_;
  std::string_view key_;
  uint64_t count_ = 0;
};

}  // namespace

struct CountingSorter::Impl {
  struct Slot {
    uint32_t hash = 0;
    uint32_t place = kNowhere;  // of the record
  };
  static constexpr uint32_t kNowhere = UINT32_MAX;
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
  int place_bits;           // of a place, those that say where in its chunk a record lies, in units of eight bytes
  ProbedCells<Slot> slots;  // at most five eighths full
  Pending pending;
  size_t records = 0;
  std::vector<SortItem> sorted;
  std::vector<SortedRun> runs;
  std::shared_ptr<TemporaryFile> file;

  explicit Impl(const Options& given) : options(given) {
    block_bytes = std::clamp<size_t>(options.memory_bytes / 256, kMinBlock, kMaxBlock);
    chunk_bytes = std::clamp<size_t>(options.memory_bytes / 16, kMinChunk, kMaxChunk);
    place_bits = std::bit_width(chunk_bytes / 8);
    if (options.aggregate) slots.Reset(256);
  }

  size_t MostChunks() const { return (size_t{1} << (32 - place_bits)) - 1; }  // so that no place is kNowhere
  Record* At(uint32_t place) const {
    const uint32_t in_chunk = place & ((uint32_t{1} << place_bits) - 1);
    return reinterpret_cast<Record*>(chunks[place >> place_bits].memory.get() + in_chunk);
  }

  uint64_t MemoryUsed() const { return arena_bytes + slots.size() * sizeof(Slot) + records * sizeof(SortItem); }

  // Whether the chunk being filled has room for a record. In one made for a large record, a place behind it may not
  // be expressible.
  bool Fits(size_t bytes) const {
    return chunk < chunks.size() && chunks[chunk].used + bytes <= chunks[chunk].bytes &&
           chunks[chunk].used / 8 < size_t{1} << place_bits;
  }

  uint32_t Append(std::string_view key, uint64_t count) {
    const size_t bytes = Record::Bytes(key.size());
    while (!Fits(bytes)) {
      if (chunk < chunks.size()) ++chunk;
      if (chunk < chunks.size()) continue;
      const size_t size = std::max(bytes, chunk_bytes);
      chunks.push_back({std::make_unique_for_overwrite<uint64_t[]>(size / 8), size / 8 * 8, 0});
      arena_bytes += size;
    }
    const auto place = static_cast<uint32_t>(chunk << place_bits | chunks[chunk].used / 8);
    chunks[chunk].used += bytes;
    Record* record = At(place);
    record->count = count;
    record->length = static_cast<uint32_t>(key.size());
    std::memcpy(record->bytes(), key.data(), key.size());
    ++records;
    return place;
  }

  bool Full(size_t key_bytes) const {
    if (records == 0) return false;
    const bool next_chunk = chunk + 1 >= chunks.size() && !Fits(Record::Bytes(key_bytes));
    if (next_chunk && chunks.size() >= MostChunks()) return true;
    const bool grow = options.aggregate && NeedsGrowth();
    return MemoryUsed() + (next_chunk ? chunk_bytes : 0) + (grow ? slots.size() * sizeof(Slot) : 0) >
           options.memory_bytes;
  }
  bool NeedsGrowth() const { return (records + 1) * 8 > slots.size() * 5; }

  // The slot of the key, or the empty one where it belongs.
  Slot* Find(std::string_view key, uint32_t hash) {
    return &slots.Probe(hash, [&](const Slot& slot) {
      return slot.place == kNowhere || (slot.hash == hash && At(slot.place)->key() == key);
    });
  }

  void Add(std::string_view key, uint64_t count) {
    if (!options.aggregate) {
      if (Full(key.size())) Spill();
      Append(key, count);
      return;
    }
    const auto hash = static_cast<uint32_t>(XXH3_64bits(key.data(), key.size()));
    __builtin_prefetch(&slots.Home(hash));
    pending.items[pending.used++] = {pending.bytes.size(), key.size(), count, hash};
    pending.bytes.append(key);
    if (pending.used == Pending::kMost) AddPending();
  }

  void AddPending() {
    for (size_t i = 0; i < pending.used; ++i) {
      const Slot& slot = slots.Home(pending.items[i].hash);
      if (slot.hash == pending.items[i].hash && slot.place != kNowhere) __builtin_prefetch(At(slot.place));
    }
    for (size_t i = 0; i < pending.used; ++i) Aggregate(pending.key(pending.items[i]), pending.items[i]);
    pending.used = 0;
    pending.bytes.clear();
  }

  void Aggregate(std::string_view key, const Pending::Item& item) {
    Slot* slot = Find(key, item.hash);
    if (slot->place != kNowhere) {
      AddCount(item.count, &At(slot->place)->count);
      return;
    }
    if (Full(key.size())) {
      Spill();
      slot = Find(key, item.hash);
    } else if (NeedsGrowth()) {
      slots.Grow(
          0, [](const Slot& used) { return used.place != kNowhere; }, [](const Slot& used) { return used.hash; });
      slot = Find(key, item.hash);
    }
    *slot = {item.hash, Append(key, item.count)};
  }

  void SortRecords() {
    sorted.reserve(records);
    for (const Chunk& filled : chunks) {
      for (size_t at = 0; at < filled.used;) {
        const auto* record = reinterpret_cast<const Record*>(filled.memory.get() + at / 8);
        sorted.emplace_back(record);
        at += Record::Bytes(record->length);
      }
    }
    SortKeys(sorted.data(), sorted.data() + sorted.size(), options.stop);
  }

  std::shared_ptr<TemporaryFile> MakeRunFile() const {
    return std::make_shared<TemporaryFile>(TemporaryFile::FolderOr(options.temp_folder) + "/graft-",
                                           TemporaryFile::Name::kNone,
                                           "; name another folder in TMPDIR or allow more memory with -S");
  }

  void Spill() {
    SortRecords();
    if (!file) file = MakeRunFile();
    RunWriter writer(file, block_bytes);
    // Without the hash, equal keys are still apart.
    StopCounter stop(options.stop);
    for (size_t i = 0; i < sorted.size();) {
      stop.Step();
      const Record* record = sorted[i].record;
      uint64_t count = record->count;
      for (++i; i < sorted.size() && sorted[i].record->key() == record->key(); ++i)
        AddCount(sorted[i].record->count, &count);
      writer.Add(record->key(), count);
    }
    runs.push_back(writer.Finish());
    std::vector<SortItem>().swap(sorted);
    slots.Clear();
    for (Chunk& emptied : chunks) emptied.used = 0;
    chunk = 0;
    records = 0;
  }

  // Merges runs level by level until one merge can take them all. Each level has its own file, so that the space of the
  // one before is freed.
  void ReduceRuns() {
    StopCounter stop(options.stop);
    while (runs.size() > kMaxFanIn) {
      auto next_file = MakeRunFile();
      std::vector<SortedRun> merged;
      for (size_t first = 0; first < runs.size(); first += kMaxFanIn) {
        std::vector<std::unique_ptr<CountCursor>> cursors;
        for (size_t i = first; i < std::min(runs.size(), first + kMaxFanIn); ++i)
          cursors.push_back(std::make_unique<RunCursor>(runs[i]));
        SummingMerge merge(std::move(cursors));
        RunWriter writer(next_file, block_bytes);
        while (merge.Next()) {
          stop.Step();
          writer.Add(merge.key(), merge.count());
        }
        merged.push_back(writer.Finish());
      }
      runs = std::move(merged);
      file = std::move(next_file);
    }
  }

  void Finish() {
    AddPending();
    slots = {};
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

}  // namespace graft::engine
