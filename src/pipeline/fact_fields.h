// How a struct of facts becomes what a ledger keeps (names and numbers) and back. The struct names its fields once:
//
//   struct AlignFacts {
//     uint64_t pairs = 0, links = 0;
//     template <class Self, class Visit>
//     static void Fields(Self& self, Visit visit) {
//       visit("pairs", self.pairs);
//       visit("links", self.links);
//     }
//   };
//   StoredFacts stored = StoreFacts(AlignFacts{.pairs = 10, .links = 25});  // {"pairs": 10, "links": 25}
//   AlignFacts facts = ReadFacts<AlignFacts>(stored);
//
// A field is a number, a bool, an optional (not stored if empty), a list of numbers (`key1`, `key2`, …) or a list of
// optional structs of facts, whose keys get a number each (`p.1`, `p.3`), at most kMostFacts. What is not stored keeps
// its default, and so does what no program has stored, such as a count below 0; FactsFit tells whether there is any.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace graft::engine {

using StoredFacts = std::map<std::string, double>;

inline constexpr size_t kMostFacts = 10'000;  // of a list
inline constexpr double kLargestFact = 1e15;  // either way: bytes, seconds, percent

// Whether a number of this type is stored as `stored`.
template <class Number>
bool IsStored(double stored) {
  if constexpr (std::is_same_v<Number, bool>) {
    return stored == 0 || stored == 1;
  } else if constexpr (std::is_integral_v<Number>) {
    // The least beyond is a power of two, which a double can be; the greatest within is not.
    const double beyond = std::ldexp(1.0, std::numeric_limits<Number>::digits);
    return stored < beyond && stored >= (std::is_signed_v<Number> ? -beyond : 0.0) && std::trunc(stored) == stored;
  } else {
    return std::abs(stored) <= kLargestFact;
  }
}

class FactWriter {
 public:
  FactWriter(StoredFacts* stored, std::string ending) : stored_(stored), ending_(std::move(ending)) {}

  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(const std::string& key, const Number& value) const {
    (*stored_)[key + ending_] = static_cast<double>(value);
  }
  template <class Number>
  void operator()(const std::string& key, const std::optional<Number>& value) const {
    if (value) (*this)(key, *value);
  }
  void operator()(const std::string& key, const std::vector<double>& values) const {
    for (size_t i = 0; i < values.size(); ++i) (*this)(key + std::to_string(i + 1), values[i]);
  }
  template <class Facts>
  void operator()(const std::vector<std::optional<Facts>>& list) const {
    for (size_t i = 0; i < list.size(); ++i)
      if (list[i]) Facts::Fields(*list[i], FactWriter(stored_, "." + std::to_string(i + 1)));
  }

 private:
  StoredFacts* stored_;
  std::string ending_;  // of all keys
};

class FactReader {
 public:
  FactReader(const StoredFacts* stored, std::string ending) : stored_(stored), ending_(std::move(ending)) {}

  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(const std::string& key, Number& value) {
    const auto found = stored_->find(key + ending_);
    if (found == stored_->end()) return;
    ++found_;
    fits_ &= IsStored<Number>(found->second);
    if (IsStored<Number>(found->second)) value = static_cast<Number>(found->second);
  }
  template <class Number>
  void operator()(const std::string& key, std::optional<Number>& value) {
    if (stored_->contains(key + ending_)) (*this)(key, value.emplace());
  }
  void operator()(const std::string& key, std::vector<double>& values) {
    for (size_t i = 1; stored_->contains(key + std::to_string(i)); ++i)
      (*this)(key + std::to_string(i), values.emplace_back());
  }
  template <class Facts>
  void operator()(std::vector<std::optional<Facts>>& list) {
    const size_t largest = LargestNumber();
    for (size_t i = 1; i <= largest; ++i) {
      FactReader one(stored_, "." + std::to_string(i));
      Facts facts;
      Facts::Fields(facts, [&](const std::string& key, auto& value) { one(key, value); });
      fits_ &= one.fits_;
      list.push_back(one.found_ > 0 ? std::optional(facts) : std::nullopt);
    }
  }

  bool fits() const { return fits_; }  // all that was read

 private:
  size_t LargestNumber() {  // behind the dot of some key
    size_t largest = 0;
    for (const auto& fact : *stored_) {
      const std::string_view key = fact.first;
      const size_t dot = key.rfind('.');
      if (dot == std::string_view::npos || dot + 1 == key.size()) continue;
      size_t number = 0;
      const char* const end = key.data() + key.size();
      const auto [rest, error] = std::from_chars(key.data() + dot + 1, end, number);
      if (rest != end) continue;  // another kind of key
      if (error == std::errc() && number <= kMostFacts)
        largest = std::max(largest, number);
      else
        fits_ = false;
    }
    return largest;
  }

  const StoredFacts* stored_;
  std::string ending_;
  int found_ = 0;
  bool fits_ = true;
};

template <class Facts>
StoredFacts StoreFacts(const Facts& facts) {
  StoredFacts stored;
  Facts::Fields(facts, FactWriter(&stored, ""));
  return stored;
}

template <class Facts>
Facts ReadFacts(const StoredFacts& stored) {
  Facts facts;
  Facts::Fields(facts, FactReader(&stored, ""));
  return facts;
}

// Whether these can be facts of this kind that somebody stored.
template <class Facts>
bool FactsFit(const StoredFacts& stored) {
  Facts facts;
  FactReader reader(&stored, "");
  Facts::Fields(facts, [&](auto&&... field) { reader(std::forward<decltype(field)>(field)...); });
  return reader.fits();
}

}  // namespace graft::engine
