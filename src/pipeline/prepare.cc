#include "pipeline/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "corpus/parallel_corpus.h"
#include "graft/error.h"
#include "search/translation.h"
#include "util/line_reader.h"
#include "util/output_file.h"

namespace graft::engine {
namespace {

// Source sentences of either form, tokenised where the model tokenises; CoNLL-U is tokenised by nature.
class SourceSentences {
 public:
  SourceSentences(const std::string& path, const SourceOptions& reading, const TextProcessor& text,
                  const Reporter& reporter)
      : text_(text) {
    if (SourceFormatOf(path) == SourceFormat::kConllu)
      conllu_.emplace(path, SourceFormat::kConllu, reading, reporter);
    else
      lines_.emplace(path, reporter);
  }

  bool Next(Sentence* sentence) {
    if (conllu_) return conllu_->Next(sentence);
    if (!lines_->Next()) return false;
    *sentence = Sentence{};
    sentence->tokens = text_.Split(Side::kSource, lines_->line());
    return true;
  }

  bool Skip() {
    Sentence skipped;
    return conllu_ ? conllu_->Next(&skipped) : lines_->Next();
  }

  bool conllu() const { return conllu_.has_value(); }
  const std::string& name() const { return conllu_ ? conllu_->name() : lines_->name(); }
  uint64_t CountRest() {
    if (conllu_) return conllu_->CountRest();
    uint64_t count = 0;
    while (lines_->Next()) ++count;
    return count;
  }

 private:
  const TextProcessor& text_;
  std::optional<SourceReader> conllu_;
  std::optional<LineReader> lines_;
};

// Sentences, references and links that run in step.
class Parts {
 public:
  Parts(const GivenTexts& given, const TextProcessor& text, const Reporter& reporter)
      : part_(given.part), source_(given.part.source, given.reading, text, reporter) {
    for (const std::string& path : part_.references) lines_.emplace_back(path, reporter);
    if (!given.align.empty()) lines_.emplace_back(given.align, reporter);
    for (uint64_t i = 0; i < part_.skip; ++i)
      if (!Advance([this] { return source_.Skip(); })) break;
  }

  bool Next(Sentence* sentence) {
    if (part_.limit != 0 && given_ == part_.limit) return false;
    if (!Advance([this, sentence] { return source_.Next(sentence); })) return false;
    ++given_;
    return true;
  }
  const LineReader& reference(size_t r) const { return lines_[r]; }
  const LineReader& links() const { return lines_.back(); }
  const SourceSentences& source() const { return source_; }

 private:
  template <class NextSource>
  bool Advance(NextSource next_source) {
    const bool more = next_source();
    bool in_step = true;
    for (LineReader& lines : lines_) {
      more_lines_.push_back(lines.Next());
      in_step = in_step && more_lines_.back() == more;
    }
    if (!in_step) FailLengths(more);
    more_lines_.clear();
    read_ += more ? 1 : 0;
    return more;
  }

  [[noreturn]] void FailLengths(bool more) {
    std::string counts = fmt::format("{} has {} {}", source_.name(), read_ + (more ? 1 + source_.CountRest() : 0),
                                     source_.conllu() ? "sentences" : "lines");
    const LineReader* shortest = nullptr;
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (!more_lines_[i]) shortest = &lines_[i];
      uint64_t rest = more_lines_[i] ? 1 : 0;
      while (more_lines_[i] && lines_[i].Next()) ++rest;
      counts += fmt::format(", {} has {} lines", lines_[i].name(), read_ + rest);
    }
    throw Error::At(shortest != nullptr ? shortest->name() : source_.name(), read_ + 1,
                    "the files do not run in step: " + counts + ". `graft check` says more.");
  }

  const TextPart& part_;
  SourceSentences source_;
  std::vector<LineReader> lines_;  // references, then links
  std::vector<bool> more_lines_;
  uint64_t read_ = 0;
  uint64_t given_ = 0;
};

std::string Conllu(const Sentence& sentence) {
  if (sentence.size() == 0) return "# empty\n\n";
  std::string text;
  const auto or_blank = [](const std::vector<std::string>& column, size_t i) {
    return column.empty() || column[i].empty() ? std::string("_") : column[i];
  };
  for (size_t i = 0; i < sentence.tokens.size(); ++i) {
    const std::string tag = or_blank(sentence.tags, i);
    text += fmt::format("{}\t{}\t_\t{}\t{}\t_\t{}\t{}\t_\t_\n", i + 1, sentence.tokens[i], tag, tag, sentence.heads[i],
                        or_blank(sentence.relations, i));
  }
  return text + "\n";
}

constexpr uint64_t kReportEvery = 1000;

void CheckForLm(const std::vector<std::string>& tokens, const LineReader& where) {
  for (const std::string& token : tokens)
    if (token == "<s>" || token == "</s>" || token == "<unk>")
      where.Fail("the text contains " + token +
                 ", which names sentence ends or unknown words in a language model; replace or remove it");
}

// How many pairs there will be, so that progress knows its end.
uint64_t Expected(const TextPart& part) {
  if (part.limit != 0) return part.limit;
  LineReader lines(part.references[0], {});
  uint64_t count = 0;
  while (lines.Next()) ++count;
  return count > part.skip ? count - part.skip : 0;
}

// The files that texts go to, and what went there.
class PreparedWriter {
 public:
  PreparedWriter(const PreparedFiles& files, bool links, const TextProcessor& text)
      : text_(text), source_(files.source), for_lm_(files.for_lm) {
    for (const std::string& path : files.references) references_.emplace_back(path);
    if (links) align_.emplace(files.align);
  }

  // The pair at which `parts` stands.
  void Write(const Parts& parts, Sentence* sentence) {
    text_.Normalise(Side::kSource, &sentence->tokens);
    source_.Write(parts.source().conllu() ? Conllu(*sentence) : JoinTokens(sentence->tokens) + "\n");
    size_t target_words = 0;
    for (size_t r = 0; r < references_.size(); ++r) {
      std::vector<std::string> tokens = text_.Split(Side::kTarget, parts.reference(r).line());
      text_.Normalise(Side::kTarget, &tokens);
      if (r == 0 && for_lm_) CheckForLm(tokens, parts.reference(r));
      if (r == 0) target_words = tokens.size();
      references_[r].Write(JoinTokens(tokens) + "\n");
    }
    if (align_) WriteLinks(parts.links(), sentence->size(), static_cast<int>(target_words));
    Count(sentence->tokens.size(), target_words);
  }
  void Close() {
    source_.Close();
    for (OutputFile& file : references_) file.Close();
    if (align_) align_->Close();
  }
  const PreparedTotals& totals() const { return totals_; }

 private:
  void WriteLinks(const LineReader& links, int source_words, int target_words) {
    try {
      ParseLinks(links.line(), source_words, target_words);
    } catch (const Error& error) {
      links.Fail(
          fmt::format("{}. Links count the tokens as trained; `graft check` shows every such line.", error.what()));
    }
    align_->Write(std::string(links.line()) + "\n");
  }
  void Count(size_t source_words, size_t target_words) {
    ++totals_.pairs;
    totals_.source_words += source_words;
    totals_.target_words += target_words;
    const size_t longest = std::max(source_words, target_words);
    if (source_words == 0 || target_words == 0 || longest > kMaxSentenceWords) ++totals_.unusable;
  }

  const TextProcessor& text_;
  OutputFile source_;
  std::vector<OutputFile> references_;
  std::optional<OutputFile> align_;
  bool for_lm_;
  PreparedTotals totals_;
};

}  // namespace

PreparedTotals PrepareTexts(const GivenTexts& given, const TextProcessor& text, const PreparedFiles& files,
                            std::string_view step, const Reporter& reporter) {
  const TextPart& part = given.part;
  Parts parts(given, text, reporter);
  PreparedWriter writer(files, !given.align.empty(), text);
  const PreparedTotals& totals = writer.totals();
  const uint64_t expected = Expected(part);
  for (Sentence sentence; parts.Next(&sentence);) {
    writer.Write(parts, &sentence);
    if (totals.pairs % kReportEvery == 0) reporter.Progress(step, totals.pairs, expected);
  }
  if (totals.pairs == 0)
    throw Error(part.source + (part.skip > 0 ? fmt::format(": has no sentences after the first {}", part.skip)
                                             : ": is empty; give sentences and their translations"));
  if (part.limit > totals.pairs)
    reporter.Warn(fmt::format("{}: {} pairs, fewer than the limit of {}", part.source, totals.pairs, part.limit));
  writer.Close();
  reporter.Progress(step, totals.pairs, totals.pairs);
  return totals;
}

Truecasers LearnCase(const TextPart& corpus, const SourceOptions& reading, const TextOptions& options,
                     const Reporter& reporter) {
  TextOptions as_written = options;  // tokenised as in training, but not cased
  as_written.truecase = false;
  const TextProcessor text(as_written, {}, {});
  const GivenTexts given{corpus, "", reading};
  Parts parts(given, text, reporter);
  const uint64_t expected = Expected(corpus);
  Truecasers casers;
  uint64_t pairs = 0;
  for (Sentence sentence; parts.Next(&sentence);) {
    casers.source.Count(sentence.tokens);
    casers.target.Count(text.Split(Side::kTarget, parts.reference(0).line()));
    if (++pairs % kReportEvery == 0) reporter.Progress("learn case", pairs, expected);
  }
  casers.source.Finish();
  casers.target.Finish();
  reporter.Progress("learn case", pairs, pairs);
  return casers;
}

void PrepareTargetText(const std::string& path, const TextProcessor& text, const std::string& output,
                       const Reporter& reporter) {
  LineReader lines(path, reporter);
  OutputFile file(output);
  while (lines.Next()) {
    std::vector<std::string> tokens = text.Split(Side::kTarget, lines.line());
    text.Normalise(Side::kTarget, &tokens);
    CheckForLm(tokens, lines);
    file.Write(JoinTokens(tokens) + "\n");
    if (lines.line_number() % kReportEvery == 0) reporter.Progress("prepare text", lines.line_number(), 0);
  }
  file.Close();
  reporter.Progress("prepare text", lines.line_number(), lines.line_number());
}

}  // namespace graft::engine
