// KenLM's exceptions carry the place in its sources before the message ("lm/x.cc:65 in void f() threw T because
// `c'.\n"). Users get the message alone.
#pragma once

#include <string>
#include <string_view>

namespace graft::engine {

// The message of a KenLM exception's what(), on one line.
inline std::string KenlmMessage(std::string_view what) {
  const size_t place = what.find(" threw ");
  const size_t end_of_place = what.find(".\n");
  if (place != std::string_view::npos && end_of_place != std::string_view::npos && place < end_of_place)
    what.remove_prefix(end_of_place + 2);
  std::string message(what);
  for (char& c : message)
    if (c == '\n' || c == '\t') c = ' ';
  while (!message.empty() && (message.back() == ' ' || message.back() == '.')) message.pop_back();
  return message;
}

}  // namespace graft::engine
