#include "lm/arpa_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "graft/error.h"

namespace graft::engine {
namespace {

constexpr std::string_view kCount = "ngram ";
// Of a logarithm of base 10. The weights that KenLM adds up for n-grams that are missing stay in the range of
// CheckLmBinary.
constexpr double kLargest = 1e5;

bool IsBlank(std::string_view line) { return line.find_first_not_of(" \t\n\v\f\r") == std::string_view::npos; }

// Digits, with blanks around them, which some toolkits write. KenLM would also take signs, and what follows a number.
bool IsNumber(std::string_view field, uint64_t* number) {
  const size_t begin = field.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return false;
  field = field.substr(begin, field.find_last_not_of(" \t") + 1 - begin);
  const auto [stop, error] = std::from_chars(field.data(), field.data() + field.size(), *number);
  if (error == std::errc::result_out_of_range) *number = UINT64_MAX;
  return error != std::errc::invalid_argument && stop == field.data() + field.size();
}

bool IsDelimiter(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view TakeToken(std::string_view* line) {
  const char* const begin = std::find_if_not(line->begin(), line->end(), IsDelimiter);
  const char* const end = std::find_if(begin, line->end(), IsDelimiter);
  *line = {end, line->end()};
  return {begin, end};
}

bool IsWeight(std::string_view token, double* weight) {
  if (token.starts_with('+')) token.remove_prefix(1);
  const auto [stop, error] = std::from_chars(token.data(), token.data() + token.size(), *weight);
  if (error == std::errc::result_out_of_range) {
    const bool small = token.find_first_of("eE") + 1 == token.find('-', 1);
    *weight = small ? 0 : std::copysign(std::numeric_limits<double>::infinity(), token.starts_with('-') ? -1.0 : 1.0);
  }
  return error != std::errc::invalid_argument && stop == token.data() + token.size();
}

class ArpaCheck {
 public:
  ArpaCheck(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void Run() {
    lines_ = static_cast<uint64_t>(std::count(text_.begin(), text_.end(), '\n'));
    if (!text_.empty() && text_.back() != '\n') ++lines_;
    std::string_view line = Next();
    while (!text_.empty() && (IsBlank(line) || line.starts_with('#'))) line = Next();
    if (line != "\\data\\") return;
    while (!text_.empty() && !IsBlank(line = Next())) CheckCount(line);
    for (uint64_t order = 0; !text_.empty();) {
      line = Next();
      if (IsBlank(line)) continue;
      if (!line.starts_with('\\'))
        CheckNGram(line, order);
      else if (!line.ends_with("-grams:") || !IsNumber(line.substr(1, line.find('-') - 1), &order))
        return;
    }
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const { throw Error::At(name_, number_, what); }

  // The lines are what KenLM takes for them (util/file_piece.cc).
  std::string_view Next() {
    const size_t end = std::min(text_.find('\n'), text_.size());
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return line;
  }

  void CheckCount(std::string_view line) const {
    const size_t equals = std::min(line.find('='), line.size());
    uint64_t order = 0, count = 0;
    if (!line.starts_with(kCount) || equals == line.size() ||
        !IsNumber(line.substr(kCount.size(), equals - kCount.size()), &order) ||
        !IsNumber(line.substr(equals + 1), &count))
      Fail("expected `ngram ORDER=COUNT`, both in digits; copy or make it again");
    if (count > lines_)
      Fail(fmt::format("{} n-grams are announced, but the file has only {} lines; copy or make it again", count,
                       lines_));
  }

  void CheckNGram(std::string_view line, uint64_t order) const {
    double weight = 0;
    const std::string_view probability = TakeToken(&line);
    bool good = IsWeight(probability, &weight);
    if (good && !(weight >= -kLargest)) FailWeight("probability", probability, "; write -99 for what never comes");
    for (uint64_t i = 0; i < order && good; ++i) good = !TakeToken(&line).empty();
    if (good && !line.empty()) {
      good = line.starts_with('\t') && IsWeight(line.substr(1), &weight);
      if (good && !(std::abs(weight) <= kLargest)) FailWeight("back-off", line.substr(1), "; make it again");
    }
    if (!good)
      Fail(
          fmt::format("expected the logarithm of a probability, {} words, and a back-off or nothing after a tab; copy "
                      "or make it again",
                      order));
  }

  [[noreturn]] void FailWeight(std::string_view what, std::string_view weight, std::string_view advice) const {
    Fail(fmt::format("the {} {} is out of range: a logarithm of base 10 is a number between -{} and {}{}", what, weight,
                     kLargest, kLargest, advice));
  }

  std::string_view text_;  // what comes
  const std::string& name_;
  uint64_t lines_ = 0, number_ = 0;
};

}  // namespace

void CheckArpa(std::string_view text, const std::string& name) { ArpaCheck(text, name).Run(); }

}  // namespace graft::engine
