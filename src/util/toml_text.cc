#include "util/toml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "graft/error.h"

namespace graft::engine {
namespace {

constexpr std::string_view kMark = "\xef\xbb\xbf";  // byte-order mark

constexpr int kMostDots = 100;

// Walks over a text and knows whether it is in a string or a comment.
class TomlScanner {
 public:
  TomlScanner(std::string_view text, const std::string& name) : text_(text), name_(name) {
    if (text_.starts_with(kMark)) text_.remove_prefix(kMark.size());  // the parser skips it
  }

  void Run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      Require(c);
      if (c == '\n') ++line_;
      if (quotes_.empty())
        Plain(c);
      else
        Quoted(c);
    }
  }

 private:
  void Require(char c) const {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f)
      throw Error::At(name_, line_, fmt::format("a control character (0x{:02x}); remove it", byte));
    if (byte >= 0x80 && quotes_.empty() && !comment_)
      throw Error::At(name_, line_, "a character beyond ASCII outside of strings; put quotes around it");
  }

  // Parsing, and giving back, what is in a table takes some of the stack for each that it is in.
  void CountDots(char c) {
    if (std::string_view("=,[{\n").find(c) != std::string_view::npos) dots_ = 0;
    if (c == '.' && ++dots_ > kMostDots)
      throw Error::At(name_, line_, fmt::format("a key of more than {} parts", kMostDots));
  }

  void Plain(char c) {
    if (!comment_) CountDots(c);
    if (c == '\n') comment_ = false;
    if (c == '#') comment_ = true;
    ++at_;
    if (comment_ || (c != '"' && c != '\'')) return;
    if (at_ >= 2 && std::string_view(" \t\r\n=[,{.").find(text_[at_ - 2]) == std::string_view::npos)
      throw Error::At(name_, line_,
                      "a string starts in the middle of something else; write a space or comma before it");
    const std::string_view three = text_.substr(at_ - 1, 3);
    quotes_ = three == "\"\"\"" || three == "'''" ? three : three.substr(0, 1);
    at_ += quotes_.size() - 1;
  }

  void Quoted(char c) {
    if (c == '\\' && quotes_.front() == '"' && at_ + 1 < text_.size()) {
      const char next = text_[++at_];
      if (next == '"' || next == '\\')
        ++at_;
      else if (quotes_.size() == 3)
        Continued();
    } else if (text_.substr(at_).starts_with(quotes_)) {
      at_ += quotes_.size();
      // Three quotes that end a string may follow two that belong to it.
      for (int more = 0; quotes_.size() == 3 && more < 2 && at_ < text_.size() && text_[at_] == quotes_.front(); ++more)
        ++at_;
      quotes_ = {};
    } else {
      if (c == '\n' && quotes_.size() == 1) quotes_ = {};  // not closed: the parser says so
      ++at_;
    }
  }

  // Behind a backslash: where the line ends, the string goes on with what is not white space.
  void Continued() const {
    const size_t next = text_.find_first_not_of(" \t\r\n", at_);
    if (next == std::string_view::npos || static_cast<unsigned char>(text_[next]) < 0x80) return;
    if (text_.substr(at_, next - at_).find('\n') != std::string_view::npos)
      throw Error::At(name_, line_,
                      "a line that a backslash joins to one that starts beyond ASCII; write it as one line");
  }

  std::string_view text_;
  const std::string& name_;
  size_t at_ = 0;
  uint64_t line_ = 1;
  std::string_view quotes_;  // of the string at hand; empty outside of one
  bool comment_ = false;
  int dots_ = 0;  // of the key at hand
};

}  // namespace

void RequireTomlText(std::string_view text, const std::string& name) { TomlScanner(text, name).Run(); }

}  // namespace graft::engine
