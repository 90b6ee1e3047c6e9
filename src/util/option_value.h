// Values of settings as configuration files, the command line and programs give them, by key.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace graft::engine {

using OptionValue = std::variant<bool, int64_t, double, std::string, std::vector<std::string>, std::vector<int64_t>,
                                 std::vector<double>>;
// In the order of OptionValue.
enum class OptionType { kSwitch, kInteger, kNumber, kText, kTexts, kIntegers, kNumbers };

inline OptionType TypeOf(const OptionValue& value) { return static_cast<OptionType>(value.index()); }

// Values by key, before it is known what they are for.
using OptionValues = std::map<std::string, OptionValue, std::less<>>;

}  // namespace graft::engine
