// Settings declared once. A table says all there is to say about a group of settings, an entry for each: its key in
// configuration files, its flag on the command line, what it does, which values it takes, and for whom it means
// something. Reading and writing TOML (util/option_toml.h), flags and --help (cli/option_flags.h), rejection of what
// means nothing, suggestions, the reference page (util/option_text.h), and what calls of the library accept
// (util/option_check.h) all go through the tables.
//
//   const OptionTable<TuneOptions> table = {
//       .section = "tune",
//       .options = {{.key = "runs",
//                    .field = Member(&TuneOptions::runs),
//                    .help = "Tune this often",
//                    .flag = "--runs",
//                    .range = {1, 1000}}}};
//
// A table may have a subject: what its settings are about, e.g. a system. `applies` then says for which subjects a
// setting means something.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "util/option_value.h"

namespace graft::engine {

// Of numbers, and of each number of a list; both ends belong to it.
struct OptionRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  std::string text;  // how to say it, "1 to 8 with edge labels"; empty: by the numbers

  bool Contains(double value) const { return value >= least && value <= most; }
};

// Names of the values of an enumeration.
template <class Enum>
using OptionNames = std::vector<std::pair<std::string, Enum>>;

// Where a setting is kept: a member of the struct, or of a member of it, `Member(&Spec::grammar, &Grammar::pos)`.
template <class Struct, class Type, class... Inner>
auto Member(Type Struct::*member, Inner... inner) {
  return [=](auto& options) -> auto& { return ((options.*member).*....*inner); };
}

// A member of Struct as a value; those of enumerations need names.
template <class Struct>
class OptionField {
 public:
  template <class Access, class Member = std::decay_t<std::invoke_result_t<Access, Struct&>>>
  OptionField(Access access)  // NOLINT(google-explicit-constructor): tables read better
      : type_(TypeOf(ToValue(Member()))),
        get_([access](const Struct& from) { return ToValue(access(from)); }),
        set_([access](Struct* to, const OptionValue& value) { Assign(value, &access(*to)); }) {}

  template <class Access, class Enum>
  OptionField(Access access, OptionNames<Enum> names) : type_(OptionType::kText) {
    for (const auto& [name, value] : names) words_.push_back(name);
    get_ = [access, names](const Struct& from) -> OptionValue {
      for (const auto& [name, value] : names)
        if (value == access(from)) return name;
      return std::string();
    };
    set_ = [access, names](Struct* to, const OptionValue& word) {
      for (const auto& [name, value] : names)
        if (name == std::get<std::string>(word)) access(*to) = value;
    };
  }

  // Text that is one of some words.
  template <class Access>
  OptionField(Access access, std::vector<std::string> words) : OptionField(access) {
    words_ = std::move(words);
  }

  // What is no member.
  OptionField(OptionType type, std::function<OptionValue(const Struct&)> get,
              std::function<void(Struct*, const OptionValue&)> set, std::vector<std::string> words = {})
      : type_(type), words_(std::move(words)), get_(std::move(get)), set_(std::move(set)) {}

  OptionType type() const { return type_; }
  const std::vector<std::string>& words() const { return words_; }  // it is one of; empty: any
  OptionValue Get(const Struct& from) const { return get_(from); }
  // The value must be of the type, and one of the words.
  void Set(Struct* to, const OptionValue& value) const { set_(to, value); }

 private:
  // Those that a value has as they are.
  template <class Member>
  static constexpr bool kSame =
      std::is_same_v<Member, bool> || std::is_same_v<Member, std::string> ||
      std::is_same_v<Member, std::vector<std::string>> || std::is_same_v<Member, std::vector<double>>;

  template <class Member>
  static OptionValue ToValue(const Member& member) {
    if constexpr (kSame<Member>)
      return member;
    else if constexpr (std::is_integral_v<Member>)
      return std::in_range<int64_t>(member) ? static_cast<int64_t>(member) : INT64_MAX;
    else if constexpr (std::is_floating_point_v<Member>)
      return static_cast<double>(member);
    else
      return std::vector<int64_t>(member.begin(), member.end());
  }

  template <class Member>
  static void Assign(const OptionValue& value, Member* member) {
    if constexpr (kSame<Member>) {
      *member = std::get<Member>(value);
    } else if constexpr (std::is_integral_v<Member>) {  // beyond the ends: the end, which ranges then object to
      using Limits = std::numeric_limits<Member>;
      const int64_t least = std::is_unsigned_v<Member> ? 0 : static_cast<int64_t>(Limits::min());
      const int64_t most = sizeof(Member) < sizeof(int64_t) ? static_cast<int64_t>(Limits::max()) : INT64_MAX;
      *member = static_cast<Member>(std::clamp(std::get<int64_t>(value), least, most));
    } else if constexpr (std::is_floating_point_v<Member>) {
      *member = static_cast<Member>(std::get<double>(value));
    } else {
      const auto& list = std::get<std::vector<int64_t>>(value);
      member->assign(list.begin(), list.end());
    }
  }

  OptionType type_;
  std::vector<std::string> words_;
  std::function<OptionValue(const Struct&)> get_;
  std::function<void(Struct*, const OptionValue&)> set_;
};

// The subject of settings that always mean something.
struct Anything {};

template <class Struct, class Subject = Anything>
struct Option {
  std::string key;            // in TOML
  OptionField<Struct> field;  // where its value is kept
  std::string help;           // what it does, as the first words of a sentence
  std::string flag;           // empty: none. `--no-…` switches off
  std::string flag_help;      // what the flag does where that is not `help`
  std::string placeholder;    // of the value in --help; empty: by its type
  bool file = false;          // its text names files: relative to the file it stands in, and they must exist
  bool commas = false;        // the flag takes a list as one argument, joined by commas
  OptionRange range;          // of numbers
  std::optional<std::string> default_text;      // in words, where the struct does not say it; "": none
  std::function<bool(const Subject&)> applies;  // empty: for all
  std::function<OptionRange(const Struct&, const Subject&)> range_for;  // where it is not `range` for all

  bool AppliesTo(const Subject& subject) const { return !applies || applies(subject); }
  OptionRange RangeFor(const Struct& options, const Subject& subject) const {
    return range_for ? range_for(options, subject) : range;
  }
};

// A setting of a struct that is a member of another, as one of that other.
template <class Outer, class Struct>
Option<Outer> Within(Struct Outer::*member, const Option<Struct>& option) {
  OptionField<Outer> field(
      option.field.type(), [=, inner = option.field](const Outer& from) { return inner.Get(from.*member); },
      [=, inner = option.field](Outer* to, const OptionValue& value) { inner.Set(&(to->*member), value); },
      option.field.words());
  Option<Outer> outer{.key = option.key,
                      .field = std::move(field),
                      .help = option.help,
                      .flag = option.flag,
                      .flag_help = option.flag_help,
                      .placeholder = option.placeholder,
                      .file = option.file,
                      .commas = option.commas,
                      .range = option.range,
                      .default_text = option.default_text};
  if (option.range_for)
    outer.range_for = [=, range = option.range_for](const Outer& options, const Anything& any) {
      return range(options.*member, any);
    };
  return outer;
}

template <class Struct, class Subject = Anything>
struct OptionTable {
  using Entry = Option<Struct, Subject>;

  std::string section;  // "search"
  std::string help;     // what the section is about
  std::vector<Option<Struct, Subject>> options;

  const Option<Struct, Subject>* Find(std::string_view key) const {
    for (const auto& option : options)
      if (option.key == key) return &option;
    return nullptr;
  }

  std::vector<std::string> Keys() const {
    std::vector<std::string> keys;
    for (const auto& option : options) keys.push_back(option.key);
    return keys;
  }

  // Those that mean something for it, in the order of the table.
  std::vector<std::string> Keys(const Subject& subject) const {
    std::vector<std::string> keys;
    for (const auto& option : options)
      if (option.AppliesTo(subject)) keys.push_back(option.key);
    return keys;
  }
};

}  // namespace graft::engine
