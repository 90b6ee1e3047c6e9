// Rules as byte strings whose bytewise order is the order that sorting needs.
//
// A number is written in one to five bytes such that longer codes are larger and no code starts with a zero byte; a
// zero byte ends a side. So codes compare as the numbers do, a side sorts before its extensions, and a key has the same
// first side as another iff it starts with that side's bytes, end mark included. Labels have codes of their own behind
// those of all words, the one for X a single byte.
//
//   occurrence  target | 0 | source | 0 | lhs | links           groups by target, so that c(t) is complete
//   record      source | 0 | lhs | target | 0 | payload         groups by source in the order of the table's trie
//
// Target: its symbols. Source: for each symbol its id and, if the system has signatures, its raw signature. Lhs: the
// label of the left-hand side, where it can be other than X. Links: a byte each, source position in the high half, or
// two bytes (form.wide_links).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rule.h"
#include "rules/system_spec.h"

namespace graft::engine {

// Symbols of a side; positions of links are packed into four bits.
inline constexpr size_t kMaxPackedSymbols = 16;
// Of a target whose links are wide, and what a table holds.
inline constexpr size_t kMaxPackedTarget = 255;

// What the keys of a system hold.
struct PackedForm {
  SignatureKind signatures = SignatureKind::kNone;
  bool lhs = false;
  bool wide_links = false;  // targets may have more than kMaxPackedSymbols symbols

  PackedForm() = default;
  explicit PackedForm(const SystemSpec& spec)
      : signatures(spec.signature()), lhs(spec.grammar.pos), wide_links(spec.has_blocks()) {}
};

// First bytes of codes that are no numbers, and the labels that take two further bytes.
inline constexpr uint8_t kCodeX = 0xf1;
inline constexpr uint8_t kCodeLabel = 0xf2;
inline constexpr uint8_t kCodeFarLabel = 0xf3;
inline constexpr uint32_t kNearLabels = 0x10000;

// Bytes of the code that starts with `first`.
inline size_t CodeBytes(uint8_t first) {
  if (first < 0x80) return 1;
  if (first < 0xc0) return 2;
  if (first < 0xe0) return 3;
  if (first < 0xf0) return 4;
  return first == kCodeX ? 1 : first == kCodeLabel ? 3 : 5;
}

inline constexpr size_t kMaxCodeBytes = 5;

// Writes at `to` and returns the end.
inline char* WriteOrdered(uint32_t value, char* to) {
  size_t size = 1;
  if (value < 0x7f) {
    to[0] = static_cast<char>(value + 1);
  } else if ((value -= 0x7f) < 0x4000) {
    to[0] = static_cast<char>(0x80 | value >> 8);
    size = 2;
  } else if ((value -= 0x4000) < 0x200000) {
    to[0] = static_cast<char>(0xc0 | value >> 16);
    size = 3;
  } else if ((value -= 0x200000) < 0x10000000) {
    to[0] = static_cast<char>(0xe0 | value >> 24);
    size = 4;
  } else {
    value -= 0x10000000;
    to[0] = static_cast<char>(0xf0);
    size = 5;
  }
  for (size_t i = 1; i < size; ++i) to[i] = static_cast<char>(value >> 8 * (size - 1 - i));
  return to + size;
}

inline char* WriteLabel(uint32_t label, char* to) {
  if (label == 0) {
    *to = static_cast<char>(kCodeX);
    return to + 1;
  }
  const bool near = label < kNearLabels;
  *to++ = static_cast<char>(near ? kCodeLabel : kCodeFarLabel);
  for (int shift = near ? 8 : 24; shift >= 0; shift -= 8) *to++ = static_cast<char>(label >> shift);
  return to;
}

inline char* WriteSource(SignatureKind kind, std::span<const SourceSymbol> source, char* to) {
  for (const SourceSymbol& symbol : source) {
    to =
        (symbol.symbol & kLabelBit) == 0 ? WriteOrdered(symbol.symbol, to) : WriteLabel(symbol.symbol & ~kLabelBit, to);
    if (kind != SignatureKind::kNone) to = WriteOrdered(symbol.signature, to);
  }
  *to = '\0';
  return to + 1;
}

inline char* WriteTarget(std::span<const TargetSymbol> target, char* to) {
  for (TargetSymbol symbol : target) to = WriteOrdered(symbol, to);
  *to = '\0';
  return to + 1;
}

inline void AppendOrdered(uint32_t value, std::string* bytes) {
  char code[kMaxCodeBytes];
  bytes->append(code, WriteOrdered(value, code));
}

// Reads what AppendOrdered wrote; `bytes` moves behind it. The code must be whole. Inlined by force: it is called for
// every symbol of every rule.
[[gnu::always_inline]] inline uint32_t TakeOrdered(std::string_view* bytes) {
  const auto byte = [&](size_t i) { return uint32_t{static_cast<uint8_t>((*bytes)[i])}; };
  const uint32_t first = byte(0);
  uint32_t value = 0;
  size_t size = 1;
  if (first < 0x80) {
    value = first - 1;
  } else if (first < 0xc0) {
    value = 0x7f + ((first & 0x3f) << 8 | byte(1));
    size = 2;
  } else if (first < 0xe0) {
    value = 0x7f + 0x4000 + ((first & 0x1f) << 16 | byte(1) << 8 | byte(2));
    size = 3;
  } else if (first < 0xf0) {
    value = 0x7f + 0x4000 + 0x200000 + ((first & 0xf) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3));
    size = 4;
  } else {
    value = 0x7f + 0x4000 + 0x200000 + 0x10000000 + (byte(1) << 24 | byte(2) << 16 | byte(3) << 8 | byte(4));
    size = 5;
  }
  bytes->remove_prefix(size);
  return value;
}

inline void AppendLabel(uint32_t label, std::string* bytes) {
  char code[kMaxCodeBytes];
  bytes->append(code, WriteLabel(label, code));
}

inline bool StartsWithLabel(std::string_view bytes) { return static_cast<uint8_t>(bytes.front()) >= kCodeX; }

inline uint32_t TakeLabel(std::string_view* bytes) {
  const size_t size = CodeBytes(static_cast<uint8_t>(bytes->front()));
  uint32_t label = 0;
  for (size_t i = 1; i < size; ++i) label = label << 8 | static_cast<uint8_t>((*bytes)[i]);
  bytes->remove_prefix(size);
  return label;
}

// At most kMaxPackedSymbols symbols.
inline void AppendSource(SignatureKind kind, std::span<const SourceSymbol> source, std::string* bytes) {
  char side[2 * kMaxPackedSymbols * kMaxCodeBytes + 1];
  bytes->append(side, WriteSource(kind, source, side));
}

inline void TakeSource(SignatureKind kind, std::string_view* bytes, std::vector<SourceSymbol>* source) {
  source->clear();
  while (bytes->front() != '\0') {
    const SourceSymbolId symbol = StartsWithLabel(*bytes) ? TakeLabel(bytes) | kLabelBit : TakeOrdered(bytes);
    source->push_back({symbol, kind == SignatureKind::kNone ? 0 : TakeOrdered(bytes)});
  }
  bytes->remove_prefix(1);
}

inline void AppendTarget(std::span<const TargetSymbol> target, std::string* bytes) {
  if (target.size() > kMaxPackedSymbols) {
    for (TargetSymbol symbol : target) AppendOrdered(symbol, bytes);
    bytes->push_back('\0');
    return;
  }
  char side[kMaxPackedSymbols * kMaxCodeBytes + 1];
  bytes->append(side, WriteTarget(target, side));
}

inline void TakeTarget(std::string_view* bytes, std::vector<TargetSymbol>* target) {
  target->clear();
  while (bytes->front() != '\0') target->push_back(TakeOrdered(bytes));
  bytes->remove_prefix(1);
}

// Bytes of the side that `bytes` starts with, end mark included.
inline size_t SideBytes(std::string_view bytes) {
  size_t at = 0;
  while (bytes[at] != '\0') at += CodeBytes(static_cast<uint8_t>(bytes[at]));
  return at + 1;
}

// A key with wide links.
inline void PackWideOccurrence(const PackedForm& form, const RuleOccurrence& rule, std::string* key) {
  key->clear();
  AppendTarget(rule.target, key);
  AppendSource(form.signatures, rule.source, key);
  if (form.lhs) AppendLabel(rule.lhs, key);
  for (const RuleLink& link : rule.links) {
    key->push_back(static_cast<char>(link.source));
    key->push_back(static_cast<char>(link.target));
  }
}

// Makes the keys of occurrences. At most kMaxPackedSymbols symbols on a side, of the target kMaxPackedTarget with wide
// links; no link twice.
class OccurrencePacker {
 public:
  explicit OccurrencePacker(const PackedForm& form) : form_(form) {}

  std::string_view Pack(const RuleOccurrence& rule) {  // good until the next call
    if (form_.wide_links) {
      PackWideOccurrence(form_, rule, &wide_);
      return wide_;
    }
    char* end = WriteSource(form_.signatures, rule.source, WriteTarget(rule.target, bytes_.data()));
    if (form_.lhs) end = WriteLabel(rule.lhs, end);
    for (const RuleLink& link : rule.links) *end++ = static_cast<char>(link.source << 4 | link.target);
    return {bytes_.data(), end};
  }

 private:
  static constexpr size_t kMaxLinks = kMaxPackedSymbols * kMaxPackedSymbols;

  PackedForm form_;
  std::array<char, (3 * kMaxPackedSymbols + 1) * kMaxCodeBytes + 2 + kMaxLinks> bytes_;
  std::string wide_;
};

inline void UnpackLinks(const PackedForm& form, std::string_view bytes, std::vector<RuleLink>* links) {
  links->clear();
  if (form.wide_links) {
    for (size_t i = 0; i + 1 < bytes.size(); i += 2)
      links->push_back({static_cast<uint8_t>(bytes[i]), static_cast<uint8_t>(bytes[i + 1])});
    return;
  }
  for (char byte : bytes) {
    const auto packed = static_cast<uint8_t>(byte);
    links->push_back({static_cast<uint8_t>(packed >> 4), static_cast<uint8_t>(packed & 15)});
  }
}

}  // namespace graft::engine
