#include "text/truecaser.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "graft/error.h"
#include "util/line_reader.h"
#include "util/output_file.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

constexpr std::string_view kHeader = "graft truecase 1";
constexpr int kHeadlineWords = 3;

// What truecasing needs to know of a token.
struct Shape {
  bool mark = true;            // neither letters nor digits: punctuation, dashes, bullets
  bool cased = false;          // has a letter with case
  bool lower = false;          // has a lower-case letter
  bool capital = false;        // has a capital
  bool inner_capital = false;  // has a capital after its first cased letter
  bool starts_with_letter = false;
  bool address = false;         // holds what words do not: @ / _ or a digit
  bool sentence_final = false;  // a single mark that ends sentences
  bool exclaims = false;        // ! or ?, in any script
  bool quote = false;           // a single quotation mark
  bool pauses = false;          // , ; : and the like
};

bool IsQuote(UChar32 c) { return c == '\'' || c == '`' || u_hasBinaryProperty(c, UCHAR_QUOTATION_MARK) != 0; }

Shape ShapeOf(std::string_view token) {
  Shape shape;
  const auto length = IcuLength(token);
  int count = 0;
  UChar32 first = 0;
  for (int32_t i = 0; i < length; ++count) {
    UChar32 c = 0;
    U8_NEXT(token.data(), i, length, c);
    if (count == 0) first = c;
    if (c >= 'a' && c <= 'z') {
      shape.mark = false;
      shape.starts_with_letter |= count == 0;
      shape.cased = shape.lower = true;
      continue;
    }
    if (c == '@' || c == '/' || c == '_') shape.address = true;
    if (c < 0) continue;
    const bool digit = u_isdigit(c) != 0;
    if (digit) shape.address = true;
    if (u_isalpha(c) == 0 && !digit) continue;
    shape.mark = false;
    if (count == 0) shape.starts_with_letter = !digit;
    const bool upper = u_isupper(c) != 0 || u_istitle(c) != 0;
    const bool lower = u_islower(c) != 0 && u_toupper(c) != c;
    shape.capital |= upper;
    shape.inner_capital |= upper && shape.cased;
    shape.cased |= upper || lower;
    shape.lower |= lower;
  }
  if (count == 1 && shape.mark) {
    shape.sentence_final = u_hasBinaryProperty(first, UCHAR_S_TERM) != 0;
    shape.exclaims =
        shape.sentence_final && first != '.' && first != 0x3002 && u_charType(first) == U_OTHER_PUNCTUATION;
    shape.quote = IsQuote(first);
    shape.pauses = !shape.sentence_final && u_hasBinaryProperty(first, UCHAR_TERMINAL_PUNCTUATION) != 0;
  }
  return shape;
}

// Follows a sentence token by token.
class Position {
 public:
  // Is this token a word at the start of a sentence?
  bool Starts(const Shape& shape) {
    free_ = false;
    if (!shape.mark) {
      const bool start = start_;
      free_ = !start_ && !after_opening_;
      start_ = after_opening_ = exclaimed_ = false;
      return start;
    }
    if (shape.sentence_final) {
      start_ = true;
      exclaimed_ = shape.exclaims;
    } else if (shape.pauses || (shape.quote && exclaimed_)) {
      start_ = false;
      exclaimed_ = false;
    }
    after_opening_ = true;
    return false;
  }
  // Was the case of the word just seen the writer's choice: neither a start nor after a mark?
  bool free() const { return free_; }

 private:
  bool start_ = true;
  bool exclaimed_ = false;
  bool after_opening_ = false;
  bool free_ = false;
};

bool IsHeadline(const std::vector<Shape>& shapes) {
  int capitals = 0;
  for (const Shape& shape : shapes) {
    if (shape.lower) return false;
    if (shape.inner_capital) ++capitals;
  }
  return capitals >= kHeadlineWords;
}

std::vector<Shape> ShapesOf(const std::vector<std::string>& tokens) {
  std::vector<Shape> shapes;
  shapes.reserve(tokens.size());
  for (const std::string& token : tokens) shapes.push_back(ShapeOf(token));
  return shapes;
}

// A form that fills a line of the file and reads back the same.
bool FitsALine(std::string_view token) {
  return std::none_of(token.begin(), token.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}

std::string Capitalised(const std::string& token) {
  UErrorCode status = U_ZERO_ERROR;
  std::string result;
  icu::StringByteSink<std::string> sink(&result);
  icu::CaseMap::utf8ToTitle("", U_TITLECASE_WHOLE_STRING | U_TITLECASE_NO_LOWERCASE, nullptr,
                            icu::StringPiece(token.data(), IcuLength(token)), sink, nullptr, status);
  if (U_FAILURE(status)) throw std::runtime_error(std::string("capitalising: ") + u_errorName(status));
  return result;
}

}  // namespace

void Truecaser::Count(const std::vector<std::string>& tokens) {
  const std::vector<Shape> shapes = ShapesOf(tokens);
  if (IsHeadline(shapes)) return;
  Position position;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const bool start = position.Starts(shapes[i]);
    if (!shapes[i].cased || !FitsALine(tokens[i])) continue;
    // At a start a capital says nothing, its absence does.
    if (start ? !shapes[i].capital : position.free()) ++counts_[tokens[i]];
  }
}

void Truecaser::Finish() {
  std::unordered_map<std::string, uint64_t> best;  // lower-cased word -> count of its form in forms_
  for (const auto& [form, count] : counts_) {
    const std::string lower = Lowercase(form);
    uint64_t& highest = best[lower];
    std::string& usual = forms_[lower];
    if (count < highest || (count == highest && form > usual)) continue;
    highest = count;
    usual = form;
  }
  counts_.clear();
}

void Truecaser::Apply(std::vector<std::string>* tokens) const {
  const std::vector<Shape> shapes = ShapesOf(*tokens);
  const bool headline = IsHeadline(shapes);
  Position position;
  for (size_t i = 0; i < tokens->size(); ++i) {
    const bool start = position.Starts(shapes[i]);
    if (!shapes[i].cased || !(headline || (start && !shapes[i].inner_capital))) continue;
    const auto form = forms_.find(Lowercase((*tokens)[i]));
    if (form != forms_.end()) (*tokens)[i] = form->second;
  }
}

void Truecaser::Undo(std::vector<std::string>* tokens) {
  Position position;
  for (std::string& token : *tokens) {
    const Shape shape = ShapeOf(token);
    if (!position.Starts(shape) || !shape.starts_with_letter || shape.inner_capital || shape.address) continue;
    if (token.starts_with("www.")) continue;
    token = Capitalised(token);
  }
}

void Truecaser::Write(const std::string& path) const {
  std::vector<std::string_view> words;
  words.reserve(forms_.size());
  for (const auto& [lower, form] : forms_) words.push_back(lower);
  std::sort(words.begin(), words.end());
  OutputFile file(path);
  file.Write(kHeader);
  file.Write("\n");
  for (const std::string_view word : words) {
    file.Write(forms_.find(std::string(word))->second);
    file.Write("\n");
  }
  file.Close();
}

Truecaser Truecaser::Read(const std::string& path, const Reporter& reporter) {
  Truecaser truecaser;
  LineReader lines(path, reporter);
  if (!lines.Next() || lines.line() != kHeader)
    throw Error::At(lines.name(), 1, "not a truecase model: its first line must be `" + std::string(kHeader) + "`");
  while (lines.Next()) {
    if (lines.line().empty() || !FitsALine(lines.line())) lines.Fail("must be one word, without spaces");
    if (!truecaser.forms_.emplace(Lowercase(lines.line()), lines.line()).second)
      lines.Fail("the usual form of `" + Lowercase(lines.line()) + "` is given twice");
  }
  return truecaser;
}

}  // namespace graft::engine
