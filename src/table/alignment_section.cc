#include "table/alignment_section.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <mutex>
#include <string_view>

#include "table/section_writer.h"
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

namespace {

// Calls links(bytes) or text(bytes) for each alignment, by how it is stored.
template <class UseLinks, class UseText>
void ForEachAlignment(const Section& section, UseLinks links, UseText text) {
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
    if ((head & 1) != 0)
      text(bytes);
    else
      links(bytes);
  }
  if (at != section.bytes()) section.Damaged("something stands after the last alignment");
}

// The links of a text whose ends are larger than 15.
void AppendTextLinks(const Section& section, std::string_view text, std::vector<RuleLink>* links) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    RuleLink link{};
    const auto source = std::from_chars(at, end, link.source);
    if (source.ec != std::errc() || source.ptr == end || *source.ptr != '-') section.Damaged("a link is malformed");
    const auto target = std::from_chars(source.ptr + 1, end, link.target);
    if (target.ec != std::errc()) section.Damaged("a link is malformed");
    links->push_back(link);
    at = target.ptr;
    if (at != end && (*at++ != ' ' || at == end)) section.Damaged("a link is malformed");
  }
}

}  // namespace

struct AlignmentSection::Decoded {
  std::once_flag texts_made, links_made;
  std::vector<std::string> texts;
  std::vector<RuleLink> links;
  std::vector<uint32_t> link_ends{0};  // by alignment + 1
};

AlignmentSection::AlignmentSection(Section section)
    : section_(std::move(section)), decoded_(std::make_unique<Decoded>()) {
  if (section_.items() > section_.bytes()) section_.Damaged("the number of alignments is wrong");  // a byte each
}

AlignmentSection::~AlignmentSection() = default;

const std::vector<std::string>& AlignmentSection::texts() const {
  std::call_once(decoded_->texts_made, [&] {
    std::vector<std::string> texts;
    ForEachAlignment(
        section_, [&](std::string_view bytes) { texts.push_back(LinksAsText(bytes)); },
        [&](std::string_view text) { texts.emplace_back(text); });
    decoded_->texts = std::move(texts);
  });
  return decoded_->texts;
}

std::span<const RuleLink> AlignmentSection::Links(uint32_t alignment) const {
  std::call_once(decoded_->links_made, [&] {
    std::vector<RuleLink> links;
    std::vector<uint32_t> ends{0};
    const auto end = [&] { ends.push_back(static_cast<uint32_t>(links.size())); };
    const auto bytes_as_links = [&](std::string_view bytes) {
      for (const char link : bytes)
        links.push_back({static_cast<uint8_t>(static_cast<uint8_t>(link) >> 4), static_cast<uint8_t>(link & 15)});
      end();
    };
    const auto text_as_links = [&](std::string_view text) {
      AppendTextLinks(section_, text, &links);
      end();
    };
    ForEachAlignment(section_, bytes_as_links, text_as_links);
    decoded_->links = std::move(links);
    decoded_->link_ends = std::move(ends);
  });
  const std::vector<uint32_t>& ends = decoded_->link_ends;
  return {decoded_->links.data() + ends[alignment], decoded_->links.data() + ends[alignment + 1]};
}

}  // namespace graft::engine
