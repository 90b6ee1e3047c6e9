#include "text/addresses.h"

#include <algorithm>

namespace graft::engine {
namespace {

// Far beyond what there is; without limits a line of megabytes without spaces would take hours.
constexpr size_t kLongestAddress = 2048;
constexpr size_t kLongestName = 256;  // a host, a scheme, what stands before the @

class Finder {
 public:
  Finder(const DecodedLine& line, size_t begin, size_t end) : line_(line), begin_(begin), end_(end) {}

  size_t Find(size_t at) const {
    if (line_.Class(at) == CharClass::kSlash || line_[at] == '~' || line_[at] == '.') return PathEnd(at);
    size_t k = at;
    while (k < std::min(end_, at + kLongestName) &&
           (Alphanumeric(k) || line_[k] == '.' || line_[k] == '-' || line_[k] == '+' || line_[k] == '_'))
      ++k;
    if (k > at && k < end_) {
      const bool scheme = line_.View(k, std::min(k + 3, end_)) == "://", mail = line_[k] == '@';
      if (scheme || mail || (line_.Class(k) == CharClass::kSlash && IsHost(at, k))) {
        const size_t limit = Limit(at);
        if (k < limit && mail) return MailEnd(at, k, limit);
        if (k < limit && (!scheme || k + 3 < limit)) return limit;
      }
    }
    if (line_.View(at, std::min(at + 4, end_)) != "www.") return at;
    const size_t limit = Limit(at);
    return limit >= at + 4 ? limit : at;
  }

 private:
  bool Alphanumeric(size_t i) const { return i < end_ && IsAlphanumeric(line_.Class(i)); }

  // How far an address can reach.
  size_t Limit(size_t at) const {
    size_t limit = at;
    int open = 0;  // brackets of the address that are not closed
    size_t last = at;
    for (; limit < std::min(end_, at + kLongestAddress) && !Ends(limit); ++limit) {
      const CharClass kind = line_.Class(limit);
      const bool closes = line_[limit] == ')' && open > 0;
      open += line_[limit] == '(' ? 1 : closes ? -1 : 0;
      if (MakesWords(kind) || kind == CharClass::kSlash || closes) last = limit + 1;
    }
    return last;
  }
  bool Ends(size_t i) const {
    switch (line_.Class(i)) {
      case CharClass::kQuote:
      case CharClass::kWideMark:
      case CharClass::kContinuous: return true;
      case CharClass::kOpen:
      case CharClass::kClose: return line_[i] >= 0x80;
      default: return line_[i] == '<' || line_[i] == '>';
    }
  }

  size_t MailEnd(size_t begin, size_t at, size_t limit) const {
    size_t end = at + 1;
    while (end < limit && (Alphanumeric(end) || line_[end] == '.' || line_[end] == '-')) ++end;
    while (end > at + 1 && !Alphanumeric(end - 1)) --end;
    return IsHost(at + 1, end) ? end : begin;
  }

  // Two parts or more with dots between them, the last of letters: example.org. Initials are no host: z.B./d.h.
  bool IsHost(size_t begin, size_t end) const {
    size_t dots = 0, part = 0, longest = 0, last_letters = 0;
    for (size_t i = begin; i < end; ++i) {
      if (line_.Class(i) == CharClass::kDot) {
        if (part == 0) return false;
        ++dots;
        part = last_letters = 0;
        continue;
      }
      longest = std::max(longest, ++part);
      last_letters += line_.Class(i) == CharClass::kLetter ? 1 : 0;
    }
    return dots > 0 && part >= 2 && last_letters == part && longest >= 2;
  }

  // /usr/bin, ./run, ~/notes.txt: only where nothing but a space stands before it.
  size_t PathEnd(size_t at) const {
    if (at != begin_) return at;
    const size_t limit = Limit(at);
    size_t k = at;
    while (k < limit && (line_[k] == '.' || line_[k] == '~')) ++k;
    if (k >= limit || line_.Class(k) != CharClass::kSlash || !Alphanumeric(k + 1)) return at;
    for (; k < limit; ++k) {
      const CharClass kind = line_.Class(k);
      if (!MakesWords(kind) && kind != CharClass::kSlash && kind != CharClass::kDot) return at;
    }
    return limit;
  }

  const DecodedLine& line_;
  size_t begin_, end_;
};

}  // namespace

size_t FindAddressEnd(const DecodedLine& line, size_t begin, size_t end, size_t at) {
  return Finder(line, begin, end).Find(at);
}

}  // namespace graft::engine
