#include "translation/prepared_input.h"

#include <fmt/format.h>

#include <utility>

#include "corpus/conllu.h"
#include "graft/error.h"
#include "graph/projectivise.h"
#include "text/sentence_splitter.h"
#include "util/quantities.h"
#include "util/size_limits.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

constexpr std::string_view kMemory = "input";  // in messages, where files have their names

// Adds a sentence of which there are tokens only; they stand on a line of the source with single spaces.
void AddTokens(Sentence sentence, PreparedInput* prepared) {
  if (!prepared->sentences.empty()) prepared->source += '\n';
  PreparedSentence added{.sentence = std::move(sentence), .range = {}, .tokens = {}};
  added.range.begin = prepared->source.size();
  for (size_t i = 0; i < added.sentence.tokens.size(); ++i) {
    if (i > 0) prepared->source += ' ';
    const size_t begin = prepared->source.size();
    prepared->source += added.sentence.tokens[i];
    added.tokens.push_back({begin, prepared->source.size()});
  }
  added.range.end = prepared->source.size();
  prepared->sentences.push_back(std::move(added));
}

// Adds the part of the source that is one sentence.
void AddText(const Model& model, TextRange range, const StopCheck& stop, PreparedInput* prepared) {
  const std::string_view text = std::string_view(prepared->source).substr(range.begin, range.end - range.begin);
  PreparedSentence added{
      .sentence = {.tokens = model.text().Split(Side::kSource, text, stop)}, .range = range, .tokens = {}};
  for (const TextRange& token : RangesOf(text, added.sentence.tokens))
    added.tokens.push_back({range.begin + token.begin, range.begin + token.end});
  prepared->sentences.push_back(std::move(added));
}

// Adds all sentences of the source, of which `ranges` gives the places; those there is no time for as `rest`, from the
// end of the others on, does.
template <class Ranges, class Rest>
void AddTexts(const Model& model, const StopCheck& stop, Ranges ranges, Rest rest, PreparedInput* prepared) {
  size_t end = 0;
  try {
    for (const TextRange& range : ranges()) {
      AddText(model, range, stop, prepared);
      end = range.end;
    }
  } catch (const Stopped& stopped) {
    if (!stopped.late()) throw;
    prepared->cut_short = true;
    for (const TextRange& range : rest(end))
      prepared->sentences.push_back({.sentence = {}, .range = range, .tokens = {}});
  }
}

void RequireRawText(const Model& model) {
  if (model.system().reads_tree())
    throw Error("raw text needs a model with a parser, and this model has none; give CoNLL-U or a parsed sentence");
  if (!model.text().tokenises())
    throw Error(
        "raw text needs a model that tokenises (text.tokeniser = \"icu\"), and this model does not; give tokens or "
        "CoNLL-U");
}

void RequireUtf8(std::string_view text) {
  if (!IsValidUtf8(text)) throw Error("the input is not UTF-8; convert it first");
}

void RequireSize(const Input& input) {
  size_t bytes = input.text().size();
  for (const std::string& token : input.tokens()) bytes += token.size();
  for (const Word& word : input.words()) bytes += word.form.size() + word.tag.size() + word.relation.size();
  if (bytes > kMostLineBytes)
    throw Error("the input has more than " + FormatBytes(kMostLineBytes) + ", the most there may be; give it in parts");
}

void PrepareConllu(const SourceOptions& reading, std::string_view text, const StopCheck& stop,
                   PreparedInput* prepared) {
  ConlluParser parser(reading);
  SourceOptions as_given = reading;
  as_given.projectivise = false;
  ConlluBlock block;
  uint64_t number = 0;
  const auto end_block = [&] {
    if (block.text.empty()) return;
    Sentence sentence;
    std::vector<LineProblem> problems;
    try {
      parser.Parse(block, &sentence, &problems, prepared->cut_short ? stop.WhenAsked() : stop);
    } catch (const Stopped& stopped) {
      if (!stopped.late()) throw;
      prepared->cut_short = true;
      parser = ConlluParser(as_given);
      sentence = {};
      parser.Parse(block, &sentence, &problems, stop.WhenAsked());
    }
    if (!problems.empty())
      throw Error::At(kMemory, problems.front().line, problems.front().message + "; correct the line");
    AddTokens(std::move(sentence), prepared);
    block.text.clear();
  };
  for (std::string_view line : SplitFields(text, "\n")) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) {
      end_block();
      continue;
    }
    if (block.text.empty()) block.first_line = number;
    block.text.append(line).append("\n");
  }
  end_block();
}

// Throws unless every head is a word of the sentence and no word depends on itself.
void RequireTree(const std::vector<int>& heads) {
  const auto words = static_cast<int>(heads.size());
  for (int word = 0; word < words; ++word) {
    if (heads[word] < 0 || heads[word] > words)
      throw Error(fmt::format("head {} of word {}, but the sentence has {} words", heads[word], word + 1, words));
  }
  std::vector<bool> leads_to_root(heads.size() + 1);
  leads_to_root[0] = true;
  for (int word = 1; word <= words; ++word) {
    int steps = 0;
    for (int up = word; !leads_to_root[up]; up = heads[up - 1])
      if (++steps > words) throw Error(fmt::format("word {} depends on itself; heads must make a tree", word));
    for (int up = word; !leads_to_root[up]; up = heads[up - 1]) leads_to_root[up] = true;
  }
}

void PrepareParsed(const SourceOptions& reading, const std::vector<Word>& words, const StopCheck& stop,
                   PreparedInput* prepared) {
  Sentence sentence;
  for (const Word& word : words) {
    if (word.form.empty()) throw Error(fmt::format("word {} has no form", sentence.size() + 1));
    for (const std::string* text : {&word.form, &word.tag, &word.relation}) RequireUtf8(*text);
    sentence.tokens.push_back(word.form);
    sentence.tags.push_back(word.tag.empty() ? "_" : word.tag);
    sentence.heads.push_back(word.head);
    sentence.relations.push_back(word.relation.empty() ? "_" : word.relation);
  }
  RequireTree(sentence.heads);
  const std::vector<int> heads = sentence.heads;
  try {
    if (reading.projectivise) Projectivise(&sentence.heads, stop);
  } catch (const Stopped& stopped) {
    if (!stopped.late()) throw;
    prepared->cut_short = true;
    sentence.heads = heads;
  }
  AddTokens(std::move(sentence), prepared);
}

}  // namespace

std::string_view PreparedInput::Between(size_t index) const {
  const size_t begin = index == 0 ? 0 : sentences[index - 1].range.end;
  const size_t end = index == sentences.size() ? source.size() : sentences[index].range.begin;
  return std::string_view(source).substr(begin, end - begin);
}

PreparedInput Prepare(const Model& model, const SourceOptions& reading, const Input& input, const StopCheck& stop) {
  RequireSize(input);
  PreparedInput prepared;
  switch (input.kind()) {
    case Input::Kind::kText:
      RequireRawText(model);
      RequireUtf8(input.text());
      prepared.source = input.text();
      AddTexts(
          model, stop, [&] { return SplitSentences(model.text().tokeniser(Side::kSource), prepared.source, stop); },
          [&](size_t from) { return SplitRoughly(prepared.source, from); }, &prepared);
      break;
    case Input::Kind::kLine:
      RequireRawText(model);
      RequireUtf8(input.text());
      prepared.source = input.text();
      AddTexts(
          model, stop,
          [&] {
            return std::vector<TextRange>{{0, prepared.source.size()}};
          },
          [&](size_t) {
            return std::vector<TextRange>{{0, prepared.source.size()}};
          },
          &prepared);
      break;
    case Input::Kind::kTokens:
      if (model.system().reads_tree())
        throw Error(model.system().name + " translates parsed sentences; give CoNLL-U or a parsed sentence");
      for (const std::string& token : input.tokens()) RequireUtf8(token);
      prepared.writing = Writing::kTokens;
      AddTokens({.tokens = input.tokens()}, &prepared);
      break;
    case Input::Kind::kConllu:
      RequireUtf8(input.text());
      PrepareConllu(reading, input.text(), stop, &prepared);
      break;
    case Input::Kind::kParsed: PrepareParsed(reading, input.words(), stop, &prepared); break;
  }
  return prepared;
}

}  // namespace graft::engine
