#include "table/table_writer.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "graft/error.h"
#include "table/alignment_section.h"
#include "table/big_index_writer.h"
#include "table/level_writer.h"
#include "table/section_writer.h"
#include "table/string_section.h"
#include "table/table_format.h"
#include "util/varint.h"

namespace graft::engine {

namespace {

int Bits(uint64_t items) { return items <= 1 ? 0 : std::bit_width(items - 1); }

uint64_t CodedCount(RuleCount count) {
  if (count % kOneOccurrence == 0) return count / kOneOccurrence * 2;
  if (count >= uint64_t{1} << 63) throw Error("a rule count is too large for a table");
  return count * 2 + 1;
}

bool HasNan(const RuleScores& s) {
  return std::isnan(s.p_source_given_target) || std::isnan(s.lex_source_given_target) ||
         std::isnan(s.p_target_given_source) || std::isnan(s.lex_target_given_source);
}

}  // namespace

struct TableWriter::Impl {
  Impl(const std::string& table_path, TableHeader table_header, const StopCheck& stop);

  uint64_t KeyOf(const SourceSymbol& symbol) const;
  void CloseNodes(size_t depth);
  void OpenNode(size_t level, uint64_t key, bool has_rules, size_t rules);
  void WriteList(std::span<const TableEntry> entries);
  uint8_t* EncodeEntry(const TableEntry& entry, bool last, uint8_t* to) const;
  void WriteSmallSections();

  std::string path;
  TableHeader header;
  ScoreCodec codec;
  uint64_t symbols;  // source words and labels
  int sym_bits, sig_bits, key_bytes;
  SectionWriter out;
  BigIndexWriter big;
  std::vector<LevelWriter> levels;
  std::vector<NonTerminalStatistics> nonterminals;  // by their number; tables with labels only
  std::vector<uint64_t> path_keys;                  // of the source side before
  std::vector<uint64_t> keys;                       // of the new one
  std::vector<uint8_t> entry_bytes = std::vector<uint8_t>(kMaxEntryBytes);
  Totals totals;
};

TableWriter::Impl::Impl(const std::string& table_path, TableHeader table_header, const StopCheck& stop)
    : path(table_path),
      header(std::move(table_header)),
      codec(header.coding, header.books),
      symbols(header.source_words.size() + header.labels.size()),
      sym_bits(Bits(symbols)),
      sig_bits(Bits(header.signatures.size())),
      key_bytes(KeyBytes(sym_bits + sig_bits)),
      out(path, stop),
      big(path + ".tmp") {
  if (header.source_words.size() >= kLabelBit || header.target_words.size() >= kLabelBit ||
      header.labels.size() >= kLabelBit || symbols > kMaxNodes || header.alignments.size() >= UINT32_MAX)
    throw Error(path + ": too many words for a table");
  for (size_t i = 1; i < header.signatures.size(); ++i)
    if (header.signatures[i - 1] >= header.signatures[i]) throw Error(path + ": signatures must be ascending");
  if (header.lhs && header.labels.empty()) throw Error(path + ": left-hand sides need labels");
  out.Begin(kLists, 0, kSectionBlocks);
}

uint64_t TableWriter::Impl::KeyOf(const SourceSymbol& symbol) const {
  const bool is_label = (symbol.symbol & kLabelBit) != 0;
  const uint64_t id = symbol.symbol & ~kLabelBit;
  if (id >= (is_label ? header.labels.size() : header.source_words.size()))
    throw Error(path + ": a source side has a symbol that is not in the vocabulary");
  const auto signature = std::lower_bound(header.signatures.begin(), header.signatures.end(), symbol.signature);
  if (signature == header.signatures.end() || *signature != symbol.signature)
    throw Error(path + ": signature " + std::to_string(symbol.signature) + " was not announced in the header");
  return (is_label ? header.source_words.size() + id : id) << sig_bits |
         static_cast<uint64_t>(signature - header.signatures.begin());
}

// Ends the nodes of the path below `depth`: all their children are known now.
void TableWriter::Impl::CloseNodes(size_t depth) {
  for (size_t k = path_keys.size(); k-- > depth;) {
    LevelWriter& level = levels[k];
    if (level.child_keys.size() > kBigNode)
      big.Add(static_cast<int>(k), static_cast<uint32_t>(level.nodes() - 1), level.child_keys);
    level.child_keys.clear();
  }
}

void TableWriter::Impl::OpenNode(size_t k, uint64_t key, bool has_rules, size_t rules) {
  LevelWriter& level = levels[k];
  const uint64_t begin = k + 1 < levels.size() ? levels[k + 1].nodes() : 0;
  if (k == 0) {
    for (const uint64_t symbol = key >> sig_bits; level.nodes() < symbol;) level.AddNode(begin, false);
  } else {
    if (level.nodes() >= kMaxNodes)
      throw Error(path + ": more than 2^32 nodes in a level; use --keep or several tables");
    level.AddKey(key, key_bytes);
    levels[k - 1].child_keys.push_back(key);
  }
  level.AddNode(begin, has_rules);
  ++level.statistics.nodes;
  ++totals.nodes;
  if (!has_rules) return;
  ++level.statistics.source_sides;
  level.statistics.rules += rules;
  level.AddList(out.bytes());
}

uint8_t* TableWriter::Impl::EncodeEntry(const TableEntry& entry, bool last, uint8_t* to) const {
  if (entry.target.size() > kMaxTargetSymbols)
    throw Error(path + ": a target side has " + std::to_string(entry.target.size()) + " symbols; a table holds " +
                std::to_string(kMaxTargetSymbols));
  to = WriteVarint(to, entry.target.size() * 2 + (last ? 1 : 0));
  for (const TargetSymbol symbol : entry.target) {
    if (symbol - 1 >= header.target_words.size() + kFirstTargetWord - 1)
      throw Error(path + ": a target side has a symbol that is not in the vocabulary");
    to = WriteVarint(to, symbol);
  }
  if (entry.alignment >= header.alignments.size()) throw Error(path + ": a rule has an unknown alignment");
  to = WriteVarint(to, entry.alignment);
  if (HasNan(entry.scores)) throw Error(path + ": a score is not a number");
  to = codec.Encode(entry.scores, to);
  if (header.counts)
    for (const RuleCount count : {entry.count_target, entry.count_source, entry.count_joint})
      to = WriteVarint(to, CodedCount(count));
  return to;
}

void TableWriter::Impl::WriteList(std::span<const TableEntry> entries) {
  uint8_t* to = entry_bytes.data();  // the head of a list or group goes out with the entry after it
  if (header.lhs) {
    uint64_t groups = 1;
    for (size_t i = 1; i < entries.size(); ++i) {
      if (entries[i].lhs < entries[i - 1].lhs) throw Error(path + ": left-hand sides are not in ascending order");
      groups += entries[i].lhs != entries[i - 1].lhs ? 1 : 0;
    }
    to = WriteVarint(to, groups);
  }
  for (size_t i = 0; i < entries.size(); ++i) {
    const TableEntry& entry = entries[i];
    if (header.lhs) {
      if (entry.lhs >= header.labels.size()) throw Error(path + ": a left-hand side has an unknown label");
      if (i == 0 || entries[i - 1].lhs != entry.lhs) to = WriteVarint(to, entry.lhs);
    } else if (entry.lhs != 0) {
      throw Error(path + ": a rule has a left-hand side, but the header announces none");
    }
    const bool last = i + 1 == entries.size() || entries[i + 1].lhs != entry.lhs;
    to = EncodeEntry(entry, last, to);
    out.Append(entry_bytes.data(), static_cast<size_t>(to - entry_bytes.data()));
    to = entry_bytes.data();
  }
}

void TableWriter::Impl::WriteSmallSections() {
  out.Begin(kSignatures, 0, 0);
  out.Append(header.signatures.data(), header.signatures.size() * sizeof(uint32_t));
  out.End(header.signatures.size());
  out.Begin(kLabels, 0, 0);
  WriteStrings(header.labels, &out);
  out.End(header.labels.size());
  out.Begin(kAlignments, 0, kSectionBlocks);
  WriteAlignments(header.alignments, &out);
  out.End(header.alignments.size());
  out.Begin(kSourceWords, 0, kSectionBlocks);
  WriteWords(header.source_words, &out);
  out.End(header.source_words.size());
  out.Begin(kTargetWords, 0, kSectionBlocks);
  WriteWords(header.target_words, &out);
  out.End(header.target_words.size());
  const std::string spec = ToToml(header.spec);
  out.Begin(kSpec, 0, 0);
  out.Append(spec);
  out.End(spec.size());
  out.Begin(kStatistics, 0, 0);
  for (const LevelWriter& level : levels) out.Put(level.statistics);
  out.End(levels.size());
  if (!header.labels.empty()) {
    out.Begin(kNonTerminals, 0, 0);
    for (const NonTerminalStatistics& statistics : nonterminals) out.Put(statistics);
    out.End(nonterminals.size());
  }
  if (header.coding == ScoreCoding::kQ8) {
    out.Begin(kBooks, 0, 0);
    for (const ScoreBook& book : header.books) out.Append(book.data(), sizeof book);
    out.End(header.books.size());
  }
}

TableWriter::TableWriter(const std::string& path, TableHeader header, const StopCheck& stop)
    : impl_(std::make_unique<Impl>(path, std::move(header), stop)) {}

TableWriter::~TableWriter() = default;

const ScoreCodec& TableWriter::codec() const { return impl_->codec; }

void TableWriter::Add(std::span<const SourceSymbol> source, std::span<const TableEntry> entries) {
  Impl& impl = *impl_;
  if (entries.empty()) return;
  if (source.empty()) throw Error(impl.path + ": a source side without symbols");
  if (source.size() > kMaxLevels)
    throw Error(impl.path + ": a source side has " + std::to_string(source.size()) + " symbols; a table holds " +
                std::to_string(kMaxLevels));
  if (source[0].signature != 0) throw Error(impl.path + ": the first symbol of a source side has a signature");
  impl.keys.clear();
  for (const SourceSymbol& symbol : source) impl.keys.push_back(impl.KeyOf(symbol));
  if (!std::lexicographical_compare(impl.path_keys.begin(), impl.path_keys.end(), impl.keys.begin(), impl.keys.end()))
    throw Error(impl.path + ": source sides are not in table order");

  const auto same = std::mismatch(impl.path_keys.begin(), impl.path_keys.end(), impl.keys.begin(), impl.keys.end());
  const auto depth = static_cast<size_t>(same.second - impl.keys.begin());
  impl.CloseNodes(depth);
  while (impl.levels.size() < source.size()) impl.levels.emplace_back(impl.path + ".tmp");
  for (size_t k = depth; k < source.size(); ++k) impl.OpenNode(k, impl.keys[k], k + 1 == source.size(), entries.size());
  impl.path_keys.swap(impl.keys);
  impl.WriteList(entries);
  if (!impl.header.labels.empty()) {
    const auto number = static_cast<size_t>(std::count_if(
        source.begin(), source.end(), [](const SourceSymbol& symbol) { return (symbol.symbol & kLabelBit) != 0; }));
    if (number >= impl.nonterminals.size()) impl.nonterminals.resize(number + 1);
    ++impl.nonterminals[number].source_sides;
    impl.nonterminals[number].rules += entries.size();
  }
  ++impl.totals.source_sides;
  impl.totals.rules += entries.size();
}

TableWriter::Totals TableWriter::Finish() {
  Impl& impl = *impl_;
  impl.CloseNodes(0);
  const uint64_t list_bytes = impl.out.bytes();
  impl.out.Append(std::string(kListPadding, '\0'));
  impl.out.End(list_bytes);
  if (!impl.levels.empty()) {
    LevelWriter& first = impl.levels[0];
    while (first.nodes() < impl.symbols) first.AddNode(impl.levels.size() > 1 ? impl.levels[1].nodes() : 0, false);
  }
  const auto levels = static_cast<int>(impl.levels.size());
  for (int k = 0; k < levels; ++k)
    impl.levels[k].WriteNodes(k, impl.key_bytes, k + 1 < levels ? &impl.levels[k + 1] : nullptr, &impl.out);
  for (int k = 0; k < levels; ++k) impl.levels[k].WriteListPointers(k, &impl.out);
  impl.out.Begin(kBigIndex, 0, kSectionBlocks);
  impl.big.Write(&impl.out);
  impl.out.End(0);
  impl.WriteSmallSections();

  PageHead head{};
  head.rules = impl.totals.rules;
  head.source_sides = impl.totals.source_sides;
  head.nodes = impl.totals.nodes;
  head.levels = static_cast<uint8_t>(impl.levels.size());
  head.sym_bits = static_cast<uint8_t>(impl.sym_bits);
  head.sig_bits = static_cast<uint8_t>(impl.sig_bits);
  head.scores = kScores;
  head.coding = static_cast<uint8_t>(impl.header.coding);
  head.signature_kind = static_cast<uint8_t>(impl.header.spec.signature());
  head.flags = static_cast<uint16_t>((impl.header.lhs ? kFlagLhs : 0) | (impl.header.counts ? kFlagCounts : 0) |
                                     (impl.header.alignments.empty() ? 0 : kFlagAlignments) |
                                     (impl.header.labels.empty() ? 0 : kFlagLabels));
  impl.totals.bytes = impl.out.Commit(head);
  return impl.totals;
}

}  // namespace graft::engine
