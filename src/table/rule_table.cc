#include "table/rule_table.h"

#include <algorithm>
#include <array>
#include <bit>

#include "graft/error.h"
#include "rules/labels.h"
#include "table/alignment_section.h"
#include "table/big_index.h"
#include "table/string_section.h"
#include "table/table_file.h"
#include "table/table_format.h"
#include "table/trie_level.h"
#include "util/probed_cells.h"
#include "util/stop_counter.h"

namespace graft::engine {

namespace {

// Raw signature -> signature id.
class SignatureIds {
 public:
  explicit SignatureIds(const std::vector<uint32_t>& signatures) : cells_(2 * signatures.size() + 1) {
    for (uint32_t id = 0; id < signatures.size(); ++id)
      cells_.Probe(Hash(signatures[id]), [](const Cell& cell) { return cell.id == kEmptySlot; }) = {signatures[id], id};
  }
  // kEmptySlot for one that no rule has.
  uint32_t Find(uint32_t signature) const {
    const auto stop = [signature](const Cell& cell) { return cell.id == kEmptySlot || cell.signature == signature; };
    return cells_.Probe(Hash(signature), stop).id;
  }

 private:
  struct Cell {
    uint32_t signature = 0;
    uint32_t id = kEmptySlot;
  };
  static uint64_t Hash(uint32_t signature) { return Spread(signature) >> 32; }

  ProbedCells<Cell> cells_;  // never full
};

SystemSpec ReadSpec(const TableFile& file) {
  const PageHead& head = file.head();
  if (head.levels > kMaxLevels || head.scores != kScores || head.coding > static_cast<uint8_t>(ScoreCoding::kQ8))
    file.Damaged("page 0 is malformed");
  const Section text = file.Take(kSpec);
  SystemSpec spec;
  try {
    spec = SystemSpecFromToml(text.Text(0, text.bytes()));
  } catch (const Error& error) {
    throw Error(file.path() + ": section SPEC: " + error.what());
  }
  if (head.levels > spec.symbol_room()) file.Damaged("no rule of this system has so many symbols");
  return spec;
}

// Search takes label 0 for X.
std::vector<std::string> ReadLabels(const Section& section) {
  std::vector<std::string> labels = ReadStrings(section);
  if (!labels.empty() && labels.front() != kLabelXText) section.Damaged("the first label is not X");
  return labels;
}

// A section that is an array of at most `most` items.
template <class T>
std::vector<T> ReadArray(const Section& section, uint64_t most) {
  if (section.items() > most || section.bytes() != section.items() * sizeof(T)) section.Damaged("the size is wrong");
  std::vector<T> items(section.items());
  if (!items.empty()) std::memcpy(items.data(), section.At(0, section.bytes()), section.bytes());
  return items;
}

ScoreCodec ReadCodec(const TableFile& file) {
  const auto coding = static_cast<ScoreCoding>(file.head().coding);
  std::vector<ScoreBook> books;
  if (coding == ScoreCoding::kQ8) {
    const Section section = file.Take(kBooks);
    if (section.bytes() != kScores * sizeof(ScoreBook)) section.Damaged("the size is wrong");
    for (uint64_t column = 0; column < kScores; ++column) books.push_back(section.Load<ScoreBook>(0, column));
  }
  try {
    return ScoreCodec(coding, std::move(books));
  } catch (const Error& error) {
    throw Error(file.path() + ": section BOOK: " + error.what());
  }
}

}  // namespace

struct RuleTable::Impl {
  explicit Impl(const std::string& path);

  NodeRange Children(TrieNode node) const;
  SourceSymbolId SymbolOf(uint64_t key) const;
  void CheckRules(uint64_t seen) const;
  void Visit(TrieNode node, std::vector<SourceSymbol>* source, std::vector<uint32_t>* next,
             const SourceVisitor& visit) const;

  TableFile file;
  SystemSpec spec;
  std::vector<uint32_t> signatures;
  SignatureIds signature_ids;
  std::vector<std::string> labels;
  MappedWords source_words, target_words;
  AlignmentSection alignments;
  std::vector<LevelStatistics> statistics;
  std::vector<NonTerminalStatistics> nonterminals;
  uint64_t symbols;  // words and labels
  int sig_bits;
  std::vector<TrieLevel> levels;
  BigIndex big;
  TargetListSection lists;
};

RuleTable::Impl::Impl(const std::string& path)
    : file(path),
      spec(ReadSpec(file)),
      signatures(ReadArray<uint32_t>(file.Take(kSignatures), UINT32_MAX)),
      signature_ids(signatures),
      labels(ReadLabels(file.Take(kLabels))),
      source_words(file.Take(kSourceWords)),
      target_words(file.Take(kTargetWords)),
      alignments(file.Take(kAlignments)),
      statistics(ReadArray<LevelStatistics>(file.Take(kStatistics), kMaxLevels)),
      symbols(uint64_t{source_words.size()} + labels.size()),
      sig_bits(file.head().sig_bits) {
  const PageHead& head = file.head();
  if (statistics.size() != head.levels) file.Take(kStatistics).Damaged("the size is wrong");
  if (!labels.empty()) nonterminals = ReadArray<NonTerminalStatistics>(file.Take(kNonTerminals), kMaxLevels + 1);
  if (head.sym_bits > 32 || head.sig_bits > 32 || (symbols > 0 && symbols - 1 >= uint64_t{1} << head.sym_bits) ||
      (!signatures.empty() && signatures.size() - 1 >= uint64_t{1} << head.sig_bits) ||
      (head.levels > 0 && (signatures.empty() || signatures[0] != 0)))
    file.Damaged("the width of keys does not fit the vocabulary");
  for (int level = 0; level < head.levels; ++level) levels.emplace_back(file, level, symbols);
  big = BigIndex(file.Take(kBigIndex));
  lists = TargetListSection(file.Take(kLists),
                            {.target_words = target_words.size(),
                             .alignments = alignments.size(),
                             .labels = static_cast<uint32_t>(labels.size()),
                             .counts = (head.flags & kFlagCounts) != 0,
                             .lhs = (head.flags & kFlagLhs) != 0},
                            ReadCodec(file));
  if (head.rules > lists.section().bytes()) file.Damaged("it cannot hold so many rules");
}

NodeRange RuleTable::Impl::Children(TrieNode node) const {
  if (node.level < 0 || static_cast<size_t>(node.level) + 1 >= levels.size()) return {};
  const TrieLevel& level = levels[static_cast<size_t>(node.level)];
  if (node.index >= level.nodes()) level.trie().Damaged("a node number is wrong");
  const NodeRange range = level.Children(node.index);
  if (range.begin > range.end || range.end > levels[static_cast<size_t>(node.level) + 1].nodes())
    level.trie().Damaged("the children of a node lie outside");
  return range;
}

SourceSymbolId RuleTable::Impl::SymbolOf(uint64_t key) const {
  const uint64_t symbol = key >> sig_bits;
  return symbol < source_words.size() ? static_cast<SourceSymbolId>(symbol)
                                      : static_cast<SourceSymbolId>(symbol - source_words.size()) | kLabelBit;
}

// Lists of several source sides that are one and the same could make more rules than a disk has room for.
void RuleTable::Impl::CheckRules(uint64_t seen) const {
  if (seen > file.head().rules) file.Damaged("it has more rules than its header says");
}

// Depth first, every level is met from its first node to its last: anything else is damage (and could take forever).
void RuleTable::Impl::Visit(TrieNode node, std::vector<SourceSymbol>* source, std::vector<uint32_t>* next,
                            const SourceVisitor& visit) const {
  const auto depth = static_cast<size_t>(node.level) + 1;
  if (levels[depth - 1].HasRules(node.index)) visit(*source, node);
  const NodeRange range = Children(node);
  if (range.size() == 0) return;
  const TrieLevel& level = levels[depth];
  if (range.begin != (*next)[depth]) level.trie().Damaged("the children of two nodes do not follow each other");
  (*next)[depth] = range.end;
  uint64_t before = 0;
  for (uint32_t child = range.begin; child < range.end; ++child) {
    const uint64_t key = level.Key(child);
    const uint64_t signature = key & ((uint64_t{1} << sig_bits) - 1);
    if (key >> sig_bits >= symbols || signature >= signatures.size() || (child > range.begin && key <= before))
      level.trie().Damaged("a key is wrong");
    before = key;
    source->push_back({SymbolOf(key), signatures[signature]});
    Visit({node.level + 1, child}, source, next, visit);
    source->pop_back();
  }
}

RuleTable::RuleTable() = default;
RuleTable::~RuleTable() = default;
RuleTable::RuleTable(RuleTable&&) noexcept = default;
RuleTable& RuleTable::operator=(RuleTable&&) noexcept = default;

RuleTable RuleTable::Open(const std::string& path) {
  RuleTable table;
  table.impl_ = std::make_unique<Impl>(path);
  return table;
}

const std::string& RuleTable::path() const { return impl_->file.path(); }
const SystemSpec& RuleTable::spec() const { return impl_->spec; }
const ScoreCodec& RuleTable::codec() const { return impl_->lists.codec(); }
bool RuleTable::has_counts() const { return impl_->lists.form().counts; }
bool RuleTable::has_lhs() const { return impl_->lists.form().lhs; }
uint64_t RuleTable::rules() const { return impl_->file.head().rules; }
uint64_t RuleTable::source_sides() const { return impl_->file.head().source_sides; }
uint64_t RuleTable::nodes() const { return impl_->file.head().nodes; }
uint64_t RuleTable::bytes() const { return impl_->file.head().file_bytes; }
std::string RuleTable::format() const {
  return std::to_string(impl_->file.head().major) + "." + std::to_string(impl_->file.head().minor);
}
std::vector<RuleTable::LevelStatistics> RuleTable::statistics() const { return impl_->statistics; }
std::vector<RuleTable::NonTerminalStatistics> RuleTable::nonterminal_statistics() const { return impl_->nonterminals; }

std::vector<RuleTable::SectionSize> RuleTable::sections() const {
  std::vector<SectionSize> sizes;
  for (const SectionEntry& section : impl_->file.directory())
    sizes.push_back({SectionName(section.type), section.bytes, section.items});
  return sizes;
}

WordId RuleTable::source_words() const { return impl_->source_words.size(); }
WordId RuleTable::target_words() const { return impl_->target_words.size(); }
std::string_view RuleTable::SourceWord(WordId id) const { return impl_->source_words.Word(id); }
std::string_view RuleTable::TargetWord(WordId id) const { return impl_->target_words.Word(id); }
WordId RuleTable::FindSource(std::string_view word) const { return impl_->source_words.Find(word); }
WordId RuleTable::FindTarget(std::string_view word) const { return impl_->target_words.Find(word); }
const std::vector<std::string>& RuleTable::labels() const { return impl_->labels; }
const std::vector<uint32_t>& RuleTable::signatures() const { return impl_->signatures; }

uint32_t RuleTable::alignment_count() const { return impl_->alignments.size(); }
const std::vector<std::string>& RuleTable::alignments() const { return impl_->alignments.texts(); }
std::span<const RuleLink> RuleTable::Links(uint32_t alignment) const { return impl_->alignments.Links(alignment); }

uint64_t RuleTable::Key(SourceSymbolId symbol, uint32_t signature) const {
  const Impl& impl = *impl_;
  const bool is_label = (symbol & kLabelBit) != 0;
  uint64_t id = symbol & ~kLabelBit;
  if (id >= (is_label ? impl.labels.size() : impl.source_words.size())) return kNoKey;
  if (is_label) id += impl.source_words.size();
  const uint32_t signature_id = impl.signature_ids.Find(signature);
  return signature_id == kEmptySlot ? kNoKey : id << impl.sig_bits | signature_id;
}

std::optional<TrieNode> RuleTable::Child(TrieNode node, uint64_t key) const {
  const Impl& impl = *impl_;
  if (key == kNoKey || impl.levels.empty()) return std::nullopt;
  if (node.level < 0) {
    const uint64_t symbol = key >> impl.sig_bits;
    if (symbol >= impl.symbols || symbol << impl.sig_bits != key) return std::nullopt;
    const TrieNode child{0, static_cast<uint32_t>(symbol)};
    if (!HasRules(child) && !HasChildren(child)) return std::nullopt;
    return child;
  }
  const NodeRange range = impl.Children(node);
  if (range.size() == 0) return std::nullopt;
  const TrieLevel& level = impl.levels[static_cast<size_t>(node.level) + 1];
  std::optional<uint32_t> index;
  if (range.size() > kBigNode) {
    index = impl.big.Find(node.level, node.index, range.size(), key,
                          [&](uint32_t number) { return level.Key(range.begin + number); });
    if (index) *index += range.begin;
  } else {
    index = level.Search(range, key);
  }
  if (!index) return std::nullopt;
  return TrieNode{node.level + 1, *index};
}

bool RuleTable::HasChildren(TrieNode node) const {
  if (node.level < 0) return !impl_->levels.empty();
  return impl_->Children(node).size() > 0;
}

TrieChildren RuleTable::Children(TrieNode node) const {
  const NodeRange range = impl_->Children(node);
  if (range.size() == 0) return {};
  const TrieLevel& level = impl_->levels[static_cast<size_t>(node.level) + 1];
  const auto is_word = [&](uint32_t child) { return level.Key(child) >> impl_->sig_bits < impl_->source_words.size(); };
  return {is_word(range.begin), !is_word(range.end - 1)};  // labels come after words
}

bool RuleTable::HasRules(TrieNode node) const {
  if (node.level < 0 || static_cast<size_t>(node.level) >= impl_->levels.size()) return false;
  const TrieLevel& level = impl_->levels[static_cast<size_t>(node.level)];
  return node.index < level.nodes() && level.HasRules(node.index);
}

void RuleTable::ReadTargets(TrieNode node, TargetList* targets) const {
  targets->clear();
  if (!HasRules(node)) return;
  impl_->lists.Read(impl_->levels[static_cast<size_t>(node.level)].ListOffset(node.index), targets);
}

void RuleTable::ReadEntries(TrieNode node, std::vector<TableEntry>* entries) const {
  TargetList targets;
  ReadTargets(node, &targets);
  entries->resize(targets.entries.size());
  for (size_t i = 0; i < entries->size(); ++i) {
    const TargetList::Entry& from = targets.entries[i];
    TableEntry& to = (*entries)[i];
    const auto target = targets.Target(from);
    to.lhs = from.lhs;
    to.target.assign(target.begin(), target.end());
    to.alignment = from.alignment;
    to.scores = from.scores;
    to.count_target = from.count_target;
    to.count_source = from.count_source;
    to.count_joint = from.count_joint;
  }
}

void RuleTable::ForEachSource(const SourceVisitor& visit) const {
  const Impl& impl = *impl_;
  if (impl.levels.empty()) return;
  std::vector<SourceSymbol> source;
  std::vector<uint32_t> next(impl.levels.size());
  for (uint64_t symbol = 0; symbol < impl.symbols; ++symbol) {
    source.assign(1, {impl.SymbolOf(symbol << impl.sig_bits), 0});
    impl.Visit({0, static_cast<uint32_t>(symbol)}, &source, &next, visit);
  }
  for (size_t k = 1; k < impl.levels.size(); ++k)
    if (next[k] != impl.levels[k].nodes()) impl.levels[k].trie().Damaged("a node has no parent");
}

void RuleTable::ForEachSource(const EntriesVisitor& visit) const {
  std::vector<TableEntry> entries;
  uint64_t seen = 0;
  ForEachSource([&](const std::vector<SourceSymbol>& source, TrieNode node) {
    ReadEntries(node, &entries);
    impl_->CheckRules(seen += entries.size());
    visit(source, &entries);
  });
}

TableHeader RuleTable::header() const {
  TableHeader header;
  header.spec = spec();
  header.coding = coding();
  header.counts = has_counts();
  header.lhs = has_lhs();
  for (WordId id = 0; id < source_words(); ++id) header.source_words.emplace_back(SourceWord(id));
  for (WordId id = 0; id < target_words(); ++id) header.target_words.emplace_back(TargetWord(id));
  header.labels = labels();
  header.signatures = signatures();
  header.alignments = alignments();
  header.books = codec().books();
  return header;
}

void RuleTable::CheckUnchanged() const { impl_->file.CheckUnchanged(); }

void RuleTable::Verify(const StopCheck& check) const {
  const Impl& impl = *impl_;
  for (const TrieLevel& level : impl.levels) {
    level.trie().CheckAll(check);
    level.list_pointers().CheckAll(check);
  }
  for (const Section* section : {&impl.lists.section(), &impl.big.section(), &impl.alignments.section(),
                                 &impl.source_words.section(), &impl.target_words.section()})
    section->CheckAll(check);
  StopCounter stop(check);
  TargetList targets;
  uint64_t rules_seen = 0;
  uint64_t sources_seen = 0;
  ForEachSource([&](const std::vector<SourceSymbol>&, TrieNode node) {
    stop.Step();
    ReadTargets(node, &targets);
    impl.CheckRules(rules_seen += targets.entries.size());
    ++sources_seen;
  });
  if (rules_seen != rules() || sources_seen != source_sides())
    impl.file.Damaged("it has " + std::to_string(rules_seen) + " rules, but its header says " +
                      std::to_string(rules()));
}

}  // namespace graft::engine
