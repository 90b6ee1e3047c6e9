// Words and their ids: dense, in order of first insertion.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace graft::engine {

using WordId = uint32_t;
inline constexpr WordId kNoWord = UINT32_MAX;

class Vocabulary {
 public:
  // The id of `word`, inserting it when new.
  WordId Add(std::string_view word) {
    auto found = ids_.find(word);
    if (found != ids_.end()) return found->second;
    words_.emplace_back(word);  // deque: the views in ids_ stay valid
    const auto id = static_cast<WordId>(words_.size() - 1);
    ids_.emplace(words_.back(), id);
    return id;
  }

  // The id of `word`, or kNoWord.
  WordId Find(std::string_view word) const {
    auto found = ids_.find(word);
    return found == ids_.end() ? kNoWord : found->second;
  }

  const std::string& Word(WordId id) const { return words_[id]; }
  WordId size() const { return static_cast<WordId>(words_.size()); }

 private:
  std::deque<std::string> words_;
  std::unordered_map<std::string_view, WordId> ids_;
};

}  // namespace graft::engine
