#include "text/text_processor.h"

#include <utility>

#include "util/utf8.h"

namespace graft::engine {
namespace {

size_t Index(Side side) { return side == Side::kSource ? 0 : 1; }

}  // namespace

TextProcessor::TextProcessor(TextOptions options, Truecaser source, Truecaser target) : options_(std::move(options)) {
  CheckTextOptions(options_);
  for (size_t side = 0; side < 2; ++side)
    tokenisers_.emplace_back(side < options_.languages.size() ? options_.languages[side] : "");
  truecasers_.push_back(std::move(source));
  truecasers_.push_back(std::move(target));
}

std::vector<std::string> TextProcessor::Split(Side side, std::string_view line, const StopCheck& stop) const {
  if (tokenises()) return tokenisers_[Index(side)].Tokenise(line, stop);
  const std::vector<std::string_view> tokens = SplitTokens(line);
  return {tokens.begin(), tokens.end()};
}

void TextProcessor::Normalise(Side side, std::vector<std::string>* tokens) const {
  if (options_.lowercase)
    for (std::string& token : *tokens) token = Lowercase(token);
  if (options_.truecase) truecasers_[Index(side)].Apply(tokens);
}

std::vector<std::string> TextProcessor::WrittenTokens(std::vector<std::string> tokens) const {
  if (options_.truecase) Truecaser::Undo(&tokens);
  return tokens;
}

std::string TextProcessor::Join(const std::vector<std::string>& written) const {
  return tokenises() ? tokeniser(Side::kTarget).Detokenise(written) : JoinTokens(written);
}

const Tokeniser& TextProcessor::tokeniser(Side side) const { return tokenisers_[Index(side)]; }

}  // namespace graft::engine
