#include "table/alignment_section.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "util/varint.h"

namespace graft::engine {
namespace {

std::string LinksAsText(std::string_view links) {
  std::string text;
  for (const char link : links) {
    const auto byte = static_cast<unsigned char>(link);
    if (!text.empty()) text += ' ';
    text += std::to_string(byte >> 4) + '-' + std::to_string(byte & 15);
  }
  return text;
}

// The links of `text` as bytes; something else if it is not exactly a list of links with both ends below 16, which
// LinksAsText tells.
std::string LinksAsBytes(std::string_view text) {
  std::string links;
  for (size_t at = 0; at < text.size();) {
    std::array<uint32_t, 2> ends{};
    for (uint32_t& end : ends) {
      for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
        end = std::min<uint32_t>(end * 10 + static_cast<uint32_t>(text[at] - '0'), 255);
      ++at;  // over - or space
    }
    links += static_cast<char>((ends[0] & 15) << 4 | (ends[1] & 15));
  }
  return links;
}

}  // namespace

void WriteAlignments(std::span<const std::string> alignments, SectionWriter* out) {
  for (const std::string& alignment : alignments) {
    const std::string links = LinksAsBytes(alignment);
    const bool is_links = LinksAsText(links) == alignment;
    const std::string& bytes = is_links ? links : alignment;
    std::array<uint8_t, kMaxVarint64> head;
    const uint8_t* end = WriteVarint(head.data(), bytes.size() * 2 + (is_links ? 0 : 1));
    out->Append(head.data(), static_cast<size_t>(end - head.data()));
    out->Append(bytes);
  }
}

std::vector<std::string> ReadAlignments(const Section& section) {
  std::vector<std::string> alignments;
  uint64_t at = 0;
  for (uint64_t i = 0; i < section.items(); ++i) {
    uint64_t head = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = section.Load<uint8_t>(at++);
      if (shift > 56) section.Damaged("a number is malformed");
      head |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    const std::string_view bytes = section.Text(at, head / 2);
    at += bytes.size();
    alignments.push_back((head & 1) != 0 ? std::string(bytes) : LinksAsText(bytes));
  }
  if (at != section.bytes()) section.Damaged("something stands after the last alignment");
  return alignments;
}

}  // namespace graft::engine
