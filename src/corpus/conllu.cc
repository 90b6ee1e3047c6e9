// Folding a multiword range into one token: the token stands for the word of the range that is nearest to the root,
// whose head therefore lies outside the range. The depth of that word is the token's depth, and the word's head belongs
// to a token of smaller depth; so folding a tree gives a tree, whatever the other words of the range hang on.
#include "corpus/conllu.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "graft/error.h"
#include "graph/projectivise.h"
#include "util/quantities.h"
#include "util/size_limits.h"
#include "util/utf8.h"

namespace graft::engine {

namespace {

constexpr int kColumns = 10;
constexpr size_t kMostProblems = 1000;  // of a block: lines without blank ones between them may be millions
enum Column { kId = 0, kForm = 1, kUpos = 3, kXpos = 4, kHead = 6, kRelation = 7 };

// Splits at tabs into the ten columns; returns how many there are.
int SplitColumns(std::string_view line, std::array<std::string_view, kColumns>* columns) {
  int count = 0;
  for (;;) {
    const auto* tab = static_cast<const char*>(std::memchr(line.data(), '\t', line.size()));
    const size_t length = tab == nullptr ? line.size() : static_cast<size_t>(tab - line.data());
    if (count < kColumns) (*columns)[count] = line.substr(0, length);
    ++count;
    if (tab == nullptr) return count;
    line.remove_prefix(length + 1);
  }
}

// Decimal digits and nothing else.
std::optional<int> ParseNumber(std::string_view text) {
  int number = 0;
  const char* end = text.data() + text.size();
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || number == INT32_MAX) return std::nullopt;
  return number;
}

// `a-b` or `a.b`.
std::optional<std::pair<int, int>> ParseNumberPair(std::string_view text, char separator) {
  const size_t at = text.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const auto first = ParseNumber(text.substr(0, at));
  const auto second = ParseNumber(text.substr(at + 1));
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

}  // namespace

bool ReadConlluBlock(LineReader* lines, ConlluBlock* block) {
  block->text.clear();
  while (lines->Next()) {
    if (lines->line().empty()) {
      if (!block->text.empty()) return true;
      continue;
    }
    if (block->text.empty()) block->first_line = lines->line_number();
    block->text += lines->line();
    block->text += '\n';
    if (block->text.size() > kMostLineBytes)
      throw Error::At(lines->name(), block->first_line,
                      "more than " + FormatBytes(kMostLineBytes) +
                          " without a blank line, the most that a sentence may have. Are the blank lines missing?");
  }
  return !block->text.empty();
}

void ConlluParser::Report(uint64_t line, std::string message) {
  if (++reported_ <= kMostProblems)
    problems_->push_back({line, std::move(message)});
  else if (reported_ == kMostProblems + 1)
    problems_->push_back(
        {line, fmt::format("more than {} problems in this sentence; the others are not told", kMostProblems)});
}

void ConlluParser::Parse(const ConlluBlock& block, Sentence* sentence, std::vector<LineProblem>* problems,
                         const StopCheck& stop) {
  stop.Poll();
  problems_ = problems;
  words_.clear();
  ranges_.clear();
  ids_in_order_ = true;
  reported_ = 0;
  const size_t problems_before = problems->size();

  uint64_t number = block.first_line;
  for (std::string_view rest = block.text; !rest.empty(); ++number) {
    const size_t length = rest.find('\n');
    if (rest.front() != '#') ParseLine(rest.substr(0, length), number);
    rest.remove_prefix(length + 1);
  }
  if (ids_in_order_) CheckEnd();
  if (problems->size() == problems_before) FindDepths();
  if (problems->size() == problems_before) {
    Fold(sentence);
    if (options_.projectivise && sentence->size() <= options_.longest_projectivised)
      MakeProjective(block, stop, sentence);
  }
  std::stable_sort(problems->begin() + static_cast<std::ptrdiff_t>(problems_before), problems->end(),
                   [](const LineProblem& a, const LineProblem& b) { return a.line < b.line; });
}

void ConlluParser::MakeProjective(const ConlluBlock& block, const StopCheck& stop, Sentence* sentence) {
  try {
    Projectivise(&sentence->heads, stop);
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    Report(block.first_line, error.what());
  }
}

void ConlluParser::ParseLine(std::string_view line, uint64_t number) {
  std::array<std::string_view, kColumns> columns;
  const int count = SplitColumns(line, &columns);
  if (count != kColumns) {
    Report(number, fmt::format("{} column{}, but CoNLL-U has 10, separated by tabs", count, count == 1 ? "" : "s"));
  }
  const std::string_view id = columns[kId];
  const int last = static_cast<int>(words_.size());
  if (const auto word = ParseNumber(id)) {
    if (*word != last + 1 && ids_in_order_) {
      Report(number, *word == 1
                         ? fmt::format("word 1 after word {}; is the blank line between two sentences missing?", last)
                         : fmt::format("word {} where word {} comes next", *word, last + 1));
      ids_in_order_ = false;
    }
    Word ignored;  // nobody asks for words whose numbers are wrong
    Word& added = ids_in_order_ ? words_.emplace_back() : ignored;
    added.form = columns[kForm];
    added.relation = columns[kRelation];
    added.line = number;
    const bool has_xpos = columns[kXpos] != "_" && !columns[kXpos].empty();
    added.tag = has_xpos && !options_.upos ? columns[kXpos] : columns[kUpos];
    if (added.tag.empty()) added.tag = "_";
    if (count != kColumns) return;
    if (added.form.empty()) Report(number, fmt::format("word {} has an empty form", *word));
    if (const auto head = ParseNumber(columns[kHead])) {
      added.head = *head;
    } else {
      Report(number, fmt::format("head {} of word {} is not a number", Quoted(columns[kHead]), *word));
    }
  } else if (ParseRange(id, columns[kForm], number)) {
    return;
  } else if (const auto empty_node = ParseNumberPair(id, '.')) {
    if (empty_node->first != last && ids_in_order_) {
      Report(number, fmt::format("empty node {} after word {}", id, last));
      ids_in_order_ = false;
    }
  } else if (count == kColumns) {
    Report(number, fmt::format("id {} is neither a number, nor a range (3-4), nor an empty node (5.1)", Quoted(id)));
    ids_in_order_ = false;
  } else {
    ids_in_order_ = false;  // the line may have been a word
  }
}

bool ConlluParser::ParseRange(std::string_view id, std::string_view form, uint64_t line) {
  const auto range = ParseNumberPair(id, '-');
  if (!range) return false;
  const auto [first, last] = *range;
  const int next = static_cast<int>(words_.size()) + 1;
  if (form.empty()) Report(line, fmt::format("range {} has an empty form", id));
  if (!ids_in_order_) return true;
  if (first > last) {
    Report(line, fmt::format("range {} ends before it starts", id));
  } else if (!ranges_.empty() && first <= ranges_.back().last) {
    Report(line, fmt::format("range {} overlaps range {}-{}", id, ranges_.back().first, ranges_.back().last));
  } else if (first != next) {
    Report(line, fmt::format("range {} where word {} comes next", id, next));
  } else {
    ranges_.push_back({first, last, form, line});
  }
  return true;
}

void ConlluParser::CheckEnd() {
  const int count = static_cast<int>(words_.size());
  const auto plural = [&] { return count == 1 ? "" : "s"; };
  for (const Range& range : ranges_) {
    if (range.last <= count) continue;
    Report(range.line,
           fmt::format("range {}-{}, but the sentence has {} word{}", range.first, range.last, count, plural()));
  }
  for (int w = 1; w <= count; ++w) {
    const Word& word = words_[w - 1];
    if (word.head > count)
      Report(word.line,
             fmt::format("head {} of word {}, but the sentence has {} word{}", word.head, w, count, plural()));
  }
}

// Climbs from every word to the first word of known depth; a word met twice on one climb is on a cycle.
void ConlluParser::FindDepths() {
  constexpr int kOnPath = -1;
  for (size_t start = 1; start <= words_.size(); ++start) {
    path_.clear();
    int at = static_cast<int>(start);
    while (at != 0 && words_[at - 1].depth == 0) {
      words_[at - 1].depth = kOnPath;
      path_.push_back(at);
      at = words_[at - 1].head;
    }
    if (at != 0 && words_[at - 1].depth == kOnPath) {
      constexpr std::ptrdiff_t kNamed = 20;
      const auto first = std::find(path_.begin(), path_.end(), at);
      const std::ptrdiff_t unnamed = path_.end() - first - kNamed;
      std::string cycle;
      for (auto on = first; on != path_.end() && on - first < kNamed; ++on) cycle += fmt::format("{} → ", *on);
      if (unnamed > 0) cycle += fmt::format("… ({} more) → ", unnamed);
      Report(words_[at - 1].line, fmt::format("the heads form a cycle: {}{}", cycle, at));
    }
    int depth = at == 0 ? 0 : std::max(words_[at - 1].depth, 0);
    for (; !path_.empty(); path_.pop_back()) words_[path_.back() - 1].depth = ++depth;
  }
}

void ConlluParser::Fold(Sentence* sentence) {
  const int count = static_cast<int>(words_.size());
  // The range of each token, one word wide outside of ranges; the word that stands for it is found on the way.
  const auto for_each_token = [&](auto use) {
    size_t range = 0;
    int token = 0;
    for (int first = 1, last = 0; first <= count; first = last + 1) {
      const bool folded = !options_.words && range < ranges_.size() && ranges_[range].first == first;
      last = folded ? ranges_[range].last : first;
      use(++token, first, last, folded ? ranges_[range].form : words_[first - 1].form);
      if (folded) ++range;
    }
    return token;
  };
  const int tokens = for_each_token([&](int token, int first, int last, std::string_view) {
    for (int w = first; w <= last; ++w) words_[w - 1].token = token;
  });
  sentence->tokens.resize(tokens);
  sentence->tags.resize(tokens);
  sentence->heads.resize(tokens);
  sentence->relations.resize(tokens);
  for_each_token([&](int token, int first, int last, std::string_view form) {
    const Word& top = *std::min_element(words_.begin() + (first - 1), words_.begin() + last,
                                        [](const Word& a, const Word& b) { return a.depth < b.depth; });
    if (options_.lowercase) {
      sentence->tokens[token - 1] = Lowercase(form);
    } else {
      sentence->tokens[token - 1].assign(form);
    }
    sentence->tags[token - 1].assign(top.tag);
    sentence->heads[token - 1] = top.head == 0 ? 0 : words_[top.head - 1].token;
    sentence->relations[token - 1].assign(top.relation);
  });
}

}  // namespace graft::engine
