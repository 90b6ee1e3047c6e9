#include "text/word_breaks.h"

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <memory>

#include "graft/error.h"

namespace graft::engine {
namespace {

struct CloseText {
  void operator()(UText* text) const { utext_close(text); }
};

void Check(UErrorCode status) {
  if (U_FAILURE(status)) throw Error(std::string("ICU cannot find the words of a text: ") + u_errorName(status));
}

}  // namespace

void FindWordEnds(std::string_view text, std::vector<int32_t>* ends) {
  // A break iterator keeps its place, so every thread has its own.
  thread_local const std::unique_ptr<icu::BreakIterator> words = [] {
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> made(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
    Check(status);
    return made;
  }();
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UText, CloseText> utext(
      utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &status));
  Check(status);
  words->setText(utext.get(), status);
  Check(status);
  ends->clear();
  words->first();
  for (int32_t end = words->next(); end != icu::BreakIterator::DONE; end = words->next()) ends->push_back(end);
}

}  // namespace graft::engine
