#include "align/bitext.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "graft/error.h"
#include "text/vocabulary.h"
#include "util/line_reader.h"
#include "util/utf8.h"

namespace graft::engine {

namespace {

// Collects one side in order of appearance, then renumbers it.
class SideBuilder {
 public:
  template <class Words>
  void Add(const Words& words) {
    for (const auto& word : words) {
      const WordId id = vocabulary_.Add(word);
      if (id == last_sentence_.size()) {
        last_sentence_.push_back(SIZE_MAX);
        side_.sentence_count.push_back(0);
      }
      if (last_sentence_[id] != side_.starts.size()) {
        last_sentence_[id] = side_.starts.size();
        ++side_.sentence_count[id];
      }
      side_.words.push_back(id);
    }
    side_.starts.push_back(side_.words.size());
  }

  size_t sentences() const { return side_.starts.size() - 1; }

  BitextSide Finish() {
    std::vector<uint32_t> order(side_.types());
    std::iota(order.begin(), order.end(), 0);
    const std::vector<uint32_t>& count = side_.sentence_count;
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return count[a] > count[b]; });
    std::vector<uint32_t> rank(order.size());
    std::vector<uint32_t> sorted_count(order.size());
    for (uint32_t k = 0; k < order.size(); ++k) {
      rank[order[k]] = k;
      sorted_count[k] = count[order[k]];
    }
    for (uint32_t& word : side_.words) word = rank[word];
    side_.sentence_count = std::move(sorted_count);
    return std::move(side_);
  }

 private:
  BitextSide side_;
  Vocabulary vocabulary_;
  std::vector<size_t> last_sentence_;
};

class BitextBuilder {
 public:
  template <class Source, class Target>
  void Add(const Source& source, const Target& target) {
    if (source.empty() || target.empty()) {
      ++empty_;
    } else if (source.size() > kMaxSentenceWords || target.size() > kMaxSentenceWords) {
      ++too_long_;
    } else {
      source_.Add(source);
      target_.Add(target);
      return;
    }
    skipped_.push_back({source_.sentences(), source.size(), target.size()});
    source_.Add(std::vector<std::string>());
    target_.Add(std::vector<std::string>());
  }

  Bitext Finish() { return {source_.Finish(), target_.Finish(), empty_, too_long_, std::move(skipped_)}; }

 private:
  SideBuilder source_;
  SideBuilder target_;
  uint64_t empty_ = 0;
  uint64_t too_long_ = 0;
  std::vector<Bitext::Skipped> skipped_;
};

void RequireAlignable(const Bitext& bitext, const BitextFiles& files) {
  if (bitext.pairs() == 0)
    throw Error(fmt::format("{} and {} are empty; an alignment needs at least one pair of sentences", files.source,
                            files.target));
  if (bitext.source.words.empty())
    throw Error(
        fmt::format("{} and {} have no pair to align: of {} pairs {} have an empty side and {} a side of more than {} "
                    "words. Give sentences, tokenised, one a line.",
                    files.source, files.target, bitext.pairs(), bitext.empty, bitext.too_long, kMaxSentenceWords));
}

}  // namespace

Bitext ReadBitext(const BitextFiles& files, const Reporter& reporter) {
  if (files.source == "-" && files.target == "-") throw Error("only one of source and target can be read from stdin");
  SourceOptions options = files.source_options;
  options.projectivise = false;  // only the words matter
  SourceReader source(files.source, files.format, options, reporter);
  LineReader target(files.target, reporter);
  BitextBuilder builder;
  Sentence sentence;
  std::string lowered;
  uint64_t pairs = 0;
  while (files.limit == 0 || pairs < files.limit) {
    const bool has_source = source.Next(&sentence);
    const bool has_target = target.Next();
    if (has_source != has_target) {
      uint64_t targets = pairs + (has_target ? 1 : 0);
      while (target.Next()) ++targets;
      const uint64_t sources = pairs + (has_source ? 1 + source.CountRest() : 0);
      throw Error::At(
          has_source ? source.name() : target.name(), has_source ? source.line_number() : pairs + 1,
          fmt::format("no sentence of the other side for this one: {} has {} {}, {} has {} lines. `graft check` says "
                      "more.",
                      source.name(), sources, files.format == SourceFormat::kConllu ? "sentences" : "lines",
                      target.name(), targets));
    }
    if (!has_source) break;
    std::string_view line = target.line();
    if (options.lowercase) line = lowered = Lowercase(line);
    builder.Add(sentence.tokens, SplitTokens(line));
    if (++pairs % 1024 == 0) reporter.Progress("reading", pairs, 0);
  }
  reporter.Progress("reading", pairs, pairs);
  Bitext bitext = builder.Finish();
  RequireAlignable(bitext, files);
  return bitext;
}

Bitext MakeBitext(const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>>& pairs) {
  BitextBuilder builder;
  for (const auto& [source, target] : pairs) builder.Add(source, target);
  return builder.Finish();
}

}  // namespace graft::engine
