#include "corpus/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "corpus/conllu.h"
#include "corpus/links.h"
#include "graft/error.h"
#include "util/file_operations.h"
#include "util/line_reader.h"
#include "util/output_file.h"
#include "util/utf8.h"

namespace graft::engine {

namespace {

namespace fs = std::filesystem;

constexpr int kUnknown = -1;

// Hands findings on and counts them.
class Findings {
 public:
  Findings(const std::function<void(const Finding&)>& found, CheckSummary* summary)
      : found_(found), summary_(summary) {}

  void Add(Severity severity, std::string message) {
    switch (severity) {
      case Severity::kError: ++summary_->errors; break;
      case Severity::kWarning: ++summary_->warnings; break;
      case Severity::kNote: ++summary_->notes; break;
    }
    if (found_) found_({severity, std::move(message)});
  }

 private:
  const std::function<void(const Finding&)>& found_;
  CheckSummary* summary_;
};

// One of the files, sentence by sentence. Problems that concern this file alone are reported on the way.
class CheckedFile {
 public:
  enum class Kind { kConllu, kText, kLinks };

  CheckedFile(const std::string& path, Kind kind, const SourceOptions& options, Findings* findings)
      : path_(path), name_(path == "-" ? "<stdin>" : path), kind_(kind), parser_(options), findings_(findings) {
    Reporter reporter;
    reporter.warn = [this](std::string_view message) { findings_->Add(Severity::kWarning, std::string(message)); };
    Guarded([&] {
      lines_.emplace(path, reporter);
      lines_->set_on_invalid([this](uint64_t line) { AddError(line, "invalid UTF-8"); });
    });
  }

  bool Next() {
    bad_ = false;
    tokens_ = kUnknown;
    if (ended_) return false;
    bool more = false;
    Guarded([&] { more = kind_ == Kind::kConllu ? ReadConlluBlock(&*lines_, &block_) : ReadLine(); });
    if (!more || broken_) {
      ended_ = true;
      return false;
    }
    ++count_;
    if (kind_ == Kind::kConllu) ParseBlock();
    if (kind_ == Kind::kText) tokens_ = static_cast<int>(SplitTokens(lines_->line()).size());
    if (kind_ != Kind::kLinks) NoteLength();
    return true;
  }

  // Of the sentence just read: as in the file, whether it has an error, and its size if that is known.
  const std::string& text() const { return block_.text; }
  bool bad() const { return bad_; }
  int tokens() const { return tokens_; }

  void AddError(uint64_t line, std::string_view message) {
    bad_ = true;
    findings_->Add(Severity::kError, fmt::format("{}:{}: {}", name_, line, message));
  }
  void AddWarning(std::string_view message) {
    findings_->Add(Severity::kWarning, fmt::format("{}:{}: {}", name_, line(), message));
  }
  uint64_t line() const { return block_.first_line; }

  const std::string& path() const { return path_; }
  const std::string& name() const { return name_; }
  uint64_t count() const { return count_; }  // sentences so far
  bool broken() const { return broken_; }    // cannot be opened or read to the end
  std::string_view unit() const { return kind_ == Kind::kConllu ? "sentence" : "line"; }
  std::string_view separator() const { return kind_ == Kind::kConllu ? "\n" : ""; }

 private:
  template <class Action>
  void Guarded(Action action) {
    try {
      action();
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      broken_ = ended_ = true;
      findings_->Add(Severity::kError, error.what());
    }
  }

  bool ReadLine() {
    if (!lines_->Next()) return false;
    block_.first_line = lines_->line_number();
    block_.text = lines_->line();
    block_.text += '\n';
    return true;
  }

  void ParseBlock() {
    problems_.clear();
    parser_.Parse(block_, &sentence_, &problems_);
    for (const LineProblem& problem : problems_)
      AddError(problem.line, fmt::format("{} (sentence {})", problem.message, count_));
    if (problems_.empty()) tokens_ = sentence_.size();
  }

  void NoteLength() {
    if (tokens_ == 0) {
      findings_->Add(Severity::kNote, fmt::format("{}:{}: empty {}; it gives no rules", name_, line(), unit()));
    } else if (tokens_ > kMaxSentenceWords) {
      findings_->Add(Severity::kNote, fmt::format("{}:{}: {} tokens; pairs of more than {} are skipped in training",
                                                  name_, line(), tokens_, kMaxSentenceWords));
    }
  }

  std::string path_;
  std::string name_;  // for messages
  Kind kind_;
  ConlluParser parser_;
  Findings* findings_;
  std::optional<LineReader> lines_;
  ConlluBlock block_;  // of text files and alignments: one line
  Sentence sentence_;
  std::vector<LineProblem> problems_;
  uint64_t count_ = 0;
  int tokens_ = kUnknown;
  bool bad_ = false;
  bool broken_ = false;
  bool ended_ = false;
};

// Whether next to nothing is linked on a side that is long enough to tell. Aligners leave as little as that to pairs
// that are no translations of each other, about one in 30,000 of what is usually trained on.
bool HardlyAligned(int linked, int words) {
  constexpr int kShortest = 8, kMostTimes = 3;
  return words >= kShortest && words <= kMaxSentenceWords && kMostTimes * linked < words;
}

// The words of one side that have a link.
class LinkedWords {
 public:
  void Add(int word) {
    const auto at = static_cast<size_t>(word);
    if (at >= seen_.size()) seen_.resize(at + 1);
    if (!seen_[at]) ++count_;
    seen_[at] = true;
  }
  int count() const { return count_; }

 private:
  std::vector<bool> seen_;
  int count_ = 0;
};

void CheckLinks(CheckedFile* align, const CheckedFile* source, const CheckedFile* target) {
  LinkedWords linked_source, linked_target;
  const int source_words = source == nullptr ? kUnknown : source->tokens();
  const int target_words = target == nullptr ? kUnknown : target->tokens();
  const std::string_view line = align->text();  // ends in LF
  for (std::string_view text : SplitTokens(line.substr(0, line.size() - 1))) {
    WordLink link{};
    std::string problem;
    if (!ParseLink(text, source_words, target_words, &link, &problem)) {
      align->AddError(align->line(), problem);
      continue;
    }
    linked_source.Add(link.source);
    linked_target.Add(link.target);
  }
  if (align->bad()) return;
  std::vector<std::string> sides;
  const auto add_side = [&](const LinkedWords& linked, int words, std::string_view side) {
    if (HardlyAligned(linked.count(), words))
      sides.push_back(fmt::format("{} of {} {} words", linked.count(), words, side));
  };
  // A side that is empty, or too long to train on, has a note of its own.
  if (source_words != 0 && source_words <= kMaxSentenceWords && target_words != 0 &&
      target_words <= kMaxSentenceWords) {
    add_side(linked_source, source_words, "source");
    add_side(linked_target, target_words, "target");
  }
  if (!sides.empty())
    align->AddWarning(
        fmt::format("hardly aligned: only {} have a link; are these sentences translations of each other?",
                    fmt::join(sides, " and ")));
}

// The clean copies, which replace files of an earlier run only when all are complete.
class CleanCopies {
 public:
  CleanCopies(const std::string& folder, const std::vector<CheckedFile*>& files) : files_(files) {
    std::error_code error;
    MakeFolder(folder);
    for (size_t i = 0; i < files.size(); ++i) {
      const std::string& path = files[i]->path();
      if (path == "-") throw Error("clean copies (--write-clean) are of files with names, not of stdin");
      const fs::path copy = fs::path(folder) / fs::path(path).filename();
      if (fs::equivalent(copy, path, error))
        throw Error(fmt::format("clean copies in {} would overwrite {}; name another folder", folder, path));
      for (size_t j = 0; j < i; ++j) {
        if (fs::path(files[j]->path()).filename() == copy.filename())
          throw Error(
              fmt::format("clean copies go into one folder, but {} and {} have the same name", files[j]->path(), path));
      }
      copies_.emplace_back(copy.string());
    }
  }

  void WritePair() {
    for (size_t i = 0; i < files_.size(); ++i) {
      copies_[i].Write(files_[i]->text());
      copies_[i].Write(files_[i]->separator());
    }
  }
  void Close() { OutputFile::CloseTogether(copies_); }

 private:
  std::vector<CheckedFile*> files_;
  std::vector<OutputFile> copies_;
};

void CheckOptionsMakeSense(const CheckOptions& options) {
  int given = 0;
  int stdins = 0;
  for (const std::string& path : {options.source, options.target, options.align}) {
    given += path.empty() ? 0 : 1;
    stdins += path == "-" ? 1 : 0;
  }
  if (given == 0)
    throw Error("nothing to check; name a source, a target or an alignment (--source, --target, --align)");
  if (stdins > 1) throw Error("only one of source, target and alignment can be read from stdin");
}

void CheckLengths(const std::vector<CheckedFile*>& files, Findings* findings) {
  if (std::any_of(files.begin(), files.end(), [](const CheckedFile* file) { return file->broken(); })) return;
  for (const CheckedFile* file : files)
    if (file->count() == 0)
      findings->Add(Severity::kError, fmt::format("{}: no {}s; the corpus is empty", file->name(), file->unit()));
  if (std::all_of(files.begin(), files.end(),
                  [&](const CheckedFile* file) { return file->count() == files[0]->count(); }))
    return;
  std::vector<std::string> lengths;
  for (const CheckedFile* file : files)
    lengths.push_back(
        fmt::format("{} has {} {}{}", file->name(), file->count(), file->unit(), file->count() == 1 ? "" : "s"));
  findings->Add(Severity::kError, fmt::format("the files do not run in step: {}", fmt::join(lengths, ", ")));
}

}  // namespace

CheckSummary CheckCorpus(const CheckOptions& options, const std::function<void(const Finding&)>& found,
                         const Reporter& reporter) {
  CheckOptionsMakeSense(options);
  CheckSummary summary;
  Findings findings(found, &summary);
  const SourceOptions source_options{.words = options.words, .projectivise = false};
  std::vector<std::unique_ptr<CheckedFile>> owned;
  std::vector<CheckedFile*> files;
  const auto open = [&](const std::string& path, CheckedFile::Kind kind) -> CheckedFile* {
    if (path.empty()) return nullptr;
    owned.push_back(std::make_unique<CheckedFile>(path, kind, source_options, &findings));
    files.push_back(owned.back().get());
    return files.back();
  };
  const bool conllu = options.format == SourceFormat::kConllu;
  CheckedFile* source = open(options.source, conllu ? CheckedFile::Kind::kConllu : CheckedFile::Kind::kText);
  CheckedFile* target = open(options.target, CheckedFile::Kind::kText);
  CheckedFile* align = open(options.align, CheckedFile::Kind::kLinks);
  std::optional<CleanCopies> copies;
  if (!options.clean_folder.empty()) copies.emplace(options.clean_folder, files);

  for (;; ++summary.pairs) {
    size_t present = 0;
    bool bad = false;
    for (CheckedFile* file : files) {
      if (!file->Next()) continue;
      ++present;
      if (file == align) CheckLinks(align, source, target);
      bad = bad || file->bad();
    }
    if (present == 0) break;
    if (bad || present < files.size()) {
      ++summary.bad_pairs;
    } else if (copies) {
      copies->WritePair();
    }
    constexpr uint64_t kProgressStep = 1024;
    if (summary.pairs % kProgressStep == 0) reporter.Progress("check", summary.pairs, 0);
  }
  reporter.Progress("check", summary.pairs, summary.pairs);
  CheckLengths(files, &findings);
  const bool complete =
      std::none_of(files.begin(), files.end(), [](const CheckedFile* file) { return file->broken(); });
  if (copies && complete) {
    copies->Close();
    summary.wrote_clean = true;
  }
  return summary;
}

}  // namespace graft::engine
