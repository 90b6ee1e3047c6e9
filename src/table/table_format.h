// The rule table file, byte by byte. Everything is little-endian; sections start at multiples of 64 bytes (zero bytes
// between them); offsets are from the start of the file. "xxh3" is XXH3, 64 bits, seed 0; "bits(n)" is the width of n
// in binary, 0 for 0.
//
//   page 0 (4096 bytes)   PageHead at 0, the directory (SectionEntry each) from 64, u64 xxh3 of bytes 0..4087 at 4088
//   LISTS, LVL*, LPTR*, BIGX, SIGS, LABL, ALGN, SVOC, TVOC, SPEC, STAT, NTER (tables with labels), BOOK (q8
//   only), SUMS
//
// Chain of checks: page 0 holds the xxh3 of itself and of every section. A section with kSectionBlocks is checked in
// blocks of 64 KiB (the last one shorter), each on first touch: its directory xxh3 is that of its block sums, which
// stand in SUMS, sections in directory order. All other sections are small and checked by Open.
//
// Symbols. A source symbol is a word id, or source words + label id; `symbols` is the number of both. A key is
// symbol << sig_bits | signature id, with sym_bits = bits(symbols - 1), sig_bits = bits(signatures - 1). The first
// symbol of a source side always has signature 0.
//
//   LVL0   u32 begin[symbols + 1]: the node of level 0 is the symbol; nodes without children or rules may occur
//   LVLk   key[nodes_k], each of as few bytes as sym_bits + sig_bits need (1 to 8: encoding bits 0-3), then
//          u32 begin[nodes_k + 1]
//          The children of node i of level k are the nodes begin[i] .. begin[i+1]-1 of level k+1, keys ascending.
//          The deepest level has no begin (LVL0 is then empty). Encoding bit 4 (kShortBegins): instead of begin,
//          u32 base[ceil((nodes_k + 1) / 16)], u16 rest[nodes_k + 1]; begin[i] = base[i / 16] + rest[i]. The writer
//          uses it for levels from 1 if every rest fits: half the bytes of a begin, and begins are a tenth of a table.
//   LPTRk  which nodes of level k have rules, and where their lists start in LISTS:
//          u64 lists, u64 low_bits, u64 high_words, u64 0
//          u64 has[ceil(nodes_k / 64)]         bit i: node i has rules
//          u32 rank[ceil(nodes_k / 512)]       ones before bit 512 j; padded to 8 bytes
//          Elias-Fano sequence of `lists` offsets into LISTS (elias_fano.h): u64 low[], high[], sample[]
//   BIGX   hash index of the nodes with more than 32 children:
//          u64 directory slots (a power of two, or 0), u64 bytes of slots
//          {u32 node, u8 level, u8 log2, u16 used, u64 first}[directory slots]  by Spread(level << 32 | node)
//          slots: a node owns 2^log2 of them from byte `first` on: the number of a child within its node, by
//          Spread(key); u16 if the node has fewer than 65535 children, else u32; all ones = empty. Both open
//          addressing, linear probing.
//   LISTS  a list for each node with rules, in table order (depth first), then kListPadding zero bytes, so that
//          an entry can be decoded without asking for the end at each byte; items = bytes before the padding
//          list   := group; with kFlagLhs: varint groups, group[groups], labels ascending
//          group  := with kFlagLhs: varint label; then one entry or more
//          entry  := varint (2 length + 1 for the last entry of a group), varint symbol[length], varint alignment,
//                    code[4], with kFlagCounts varint count[3]
//          symbol := 1..15 the k-th non-terminal, 16 + id a word
//          code   := f32 | varint (q16) | u8 (q8), in the order p(s|t) lex(s|t) p(t|s) lex(t|s) (score_coding.h)
//          count  := c(t) c(s) c(s,t), each 2 c if c occurrences are a whole number, else 2 u + 1 with u in 10^-9
//          varint := 7 bits a byte, low bits first, top bit = another byte follows
//   SIGS   u32 signature[], ascending
//   LABL   strings: u32 offset[n + 1] into the bytes that follow
//   ALGN   word alignments within a rule, by id: each varint (2 n) and n bytes source << 4 | target, or, if that cannot
//          say it, varint (2 n + 1) and n bytes of text
//   SVOC, TVOC  u32 offset[n + 1], u32 slot[bit_ceil(n + n / 2 + 1)] (word id by its xxh3, UINT32_MAX = empty, linear
//          probing), bytes
//   SPEC   the system as TOML text
//   STAT   {u64 nodes, u64 source sides, u64 rules}[levels]: how many there are with 1, 2, … symbols
//   NTER   {u64 source sides, u64 rules}[]: how many there are with 0, 1, … non-terminals
//   BOOK   f32 value[4][256]: of each q8 code, one book a score
//   SUMS   u64 xxh3[]: of each block
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace graft::engine {
inline namespace table_format {

static_assert(std::endian::native == std::endian::little, "tables are mapped as they are");

inline constexpr char kMagic[8] = {'G', 'R', 'A', 'F', 'T', 'R', 'T', '\0'};
inline constexpr uint16_t kMajor = 1;  // a reader refuses another major version
inline constexpr uint16_t kMinor = 0;  // and ignores unknown optional sections of a later minor one

inline constexpr uint64_t kPageBytes = 4096;
inline constexpr uint64_t kPageSumOffset = kPageBytes - 8;
inline constexpr uint64_t kAlignment = 64;
inline constexpr int kBlockShift = 16;
inline constexpr uint64_t kBlockBytes = uint64_t{1} << kBlockShift;

enum PageFlags : uint16_t { kFlagLhs = 1, kFlagCounts = 2, kFlagAlignments = 4, kFlagLabels = 8 };

struct PageHead {
  char magic[8];
  uint16_t major, minor;
  uint32_t page_bytes;
  uint64_t file_bytes;
  uint64_t rules, source_sides, nodes;
  uint8_t levels, sym_bits, sig_bits, scores;
  uint8_t coding;          // ScoreCoding
  uint8_t signature_kind;  // SignatureKind
  uint16_t flags;
  uint32_t sections;
  uint32_t reserved;
};
static_assert(sizeof(PageHead) == 64);

enum SectionFlags : uint16_t { kSectionOptional = 1, kSectionBlocks = 2 };

struct SectionEntry {
  uint32_t type;
  uint16_t encoding;
  uint16_t flags;
  uint64_t offset, bytes, items, xxh3;
};
static_assert(sizeof(SectionEntry) == 40);
inline constexpr uint32_t kMaxSections = (kPageSumOffset - sizeof(PageHead)) / sizeof(SectionEntry);

constexpr uint32_t FourBytes(char a, char b, char c, char d) {
  return static_cast<uint32_t>(static_cast<unsigned char>(a)) |
         static_cast<uint32_t>(static_cast<unsigned char>(b)) << 8 |
         static_cast<uint32_t>(static_cast<unsigned char>(c)) << 16 |
         static_cast<uint32_t>(static_cast<unsigned char>(d)) << 24;
}
inline constexpr uint32_t kLists = FourBytes('L', 'I', 'S', 'T');
inline constexpr uint32_t kBigIndex = FourBytes('B', 'I', 'G', 'X');
inline constexpr uint32_t kSignatures = FourBytes('S', 'I', 'G', 'S');
inline constexpr uint32_t kLabels = FourBytes('L', 'A', 'B', 'L');
inline constexpr uint32_t kAlignments = FourBytes('A', 'L', 'G', 'N');
inline constexpr uint32_t kSourceWords = FourBytes('S', 'V', 'O', 'C');
inline constexpr uint32_t kTargetWords = FourBytes('T', 'V', 'O', 'C');
inline constexpr uint32_t kSpec = FourBytes('S', 'P', 'E', 'C');
inline constexpr uint32_t kStatistics = FourBytes('S', 'T', 'A', 'T');
inline constexpr uint32_t kNonTerminals = FourBytes('N', 'T', 'E', 'R');
inline constexpr uint32_t kBooks = FourBytes('B', 'O', 'O', 'K');
inline constexpr uint32_t kSums = FourBytes('S', 'U', 'M', 'S');
// The last byte of these is the level.
constexpr uint32_t LevelType(int level) { return FourBytes('L', 'V', 'L', static_cast<char>(level)); }
constexpr uint32_t ListPointerType(int level) { return FourBytes('L', 'P', 'T', static_cast<char>(level)); }

// "LISTS", "LVL3", "SVOC" …: as error messages name a section.
inline std::string SectionName(uint32_t type) {
  if (type == kLists) return "LISTS";
  const std::string name{static_cast<char>(type & 255), static_cast<char>(type >> 8 & 255),
                         static_cast<char>(type >> 16 & 255)};
  if (name == "LVL") return name + std::to_string(type >> 24);
  if (name == "LPT") return "LPTR" + std::to_string(type >> 24);
  return name + static_cast<char>(type >> 24);
}

inline constexpr int kMaxLevels = 40;
inline constexpr int kMaxTargetSymbols = 255;
inline constexpr int kScores = 4;
// Longest entry with what may stand before it: groups 5, label 5, length 5, symbols 255 x 5, alignment 5, scores 20,
// counts 30 (what a reader may look at before it finds a number malformed).
inline constexpr uint64_t kMaxEntryBytes = 1345;
inline constexpr uint64_t kListPadding = 1344;
static_assert(kListPadding + 1 >= kMaxEntryBytes);  // an entry has one byte before the padding at least

inline constexpr uint64_t kMaxNodes = UINT32_MAX - 1;  // of one level
inline constexpr uint32_t kEmptySlot = UINT32_MAX;
struct IdSlot {  // of a hash table: a word or child by its hash
  uint32_t id = kEmptySlot;
};
static_assert(sizeof(IdSlot) == 4);
inline constexpr uint32_t kBigNode = 32;            // a node with more children is in BIGX
inline constexpr uint64_t kWideSlots = UINT16_MAX;  // from this number of children on, slots are u32

// Encoding of LVLk: the bytes of a key (0 in LVL0), and whether begins are short.
enum LevelEncoding : uint16_t { kKeyBytes = 15, kShortBegins = 16 };
inline constexpr uint64_t kBeginGroup = 16;  // begins that share a base

struct BigDirectoryEntry {
  uint32_t node;
  uint8_t level, log2;
  uint16_t used;
  uint64_t first;
};
static_assert(sizeof(BigDirectoryEntry) == 16);

struct ListPointerHead {
  uint64_t lists, low_bits, high_words, reserved;
};
static_assert(sizeof(ListPointerHead) == 32);

struct LevelStatistics {
  uint64_t nodes = 0, source_sides = 0, rules = 0;
};

struct NonTerminalStatistics {
  uint64_t source_sides = 0, rules = 0;
};

// The width of the keys of a table.
constexpr int KeyBytes(int bits) { return bits <= 8 ? 1 : (bits + 7) / 8; }
constexpr int KeyBytes(const PageHead& head) { return KeyBytes(head.sym_bits + head.sig_bits); }

// Multiplicative hash; take the top bits.
constexpr uint64_t Spread(uint64_t key) { return (key ^ key >> 29) * 0x9E3779B97F4A7C15u; }
constexpr uint64_t TopBits(uint64_t hash, int bits) { return bits == 0 ? 0 : hash >> (64 - bits); }

// Of a node with many children, in BIGX.
constexpr uint64_t BigNodeHash(int level, uint32_t node) { return Spread(static_cast<uint64_t>(level) << 32 | node); }

constexpr uint64_t SlotsFor(uint64_t items) { return std::bit_ceil(items + items / 2 + 1); }
constexpr uint64_t Blocks(uint64_t bytes) { return (bytes + kBlockBytes - 1) >> kBlockShift; }

}  // namespace table_format
}  // namespace graft::engine
