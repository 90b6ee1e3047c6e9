#include "corpus/source_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "corpus/conllu.h"
#include "graft/error.h"
#include "util/compression.h"
#include "util/line_reader.h"
#include "util/utf8.h"

namespace graft::engine {

namespace {

constexpr size_t kLeadingLines = 1000,
                 kLeadingBytes = size_t{1} << 20;  // of comments; beyond, it is text for all we know

bool IsFirstWordOfConllu(std::string_view line) {
  return (line.starts_with("1\t") || line.starts_with("1-")) && std::count(line.begin(), line.end(), '\t') == 9;
}

bool NamedAsConllu(std::string_view path) {
  const std::string_view name = WithoutCompressionSuffix(path);
  return name.ends_with(".conllu") || name.ends_with(".conll");
}

bool BeginsAsConllu(LineReader* lines) {
  size_t before = 0;  // bytes of comments
  for (size_t k = 0; k < kLeadingLines && before <= kLeadingBytes; ++k) {
    std::string_view line = lines->Ahead(k);
    before += line.size();
    if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (k == 0 && line.empty()) return false;  // a blank line, or nothing
    if (!line.empty() && line != "\r" && line[0] != '#') return IsFirstWordOfConllu(line);
  }
  return false;
}

}  // namespace

SourceFormat SourceFormatOf(const std::string& path) {
  if (NamedAsConllu(path)) return SourceFormat::kConllu;
  std::error_code failure;  // what cannot be read is told by whoever reads it
  if (path == "-" || !std::filesystem::is_regular_file(path, failure)) return SourceFormat::kText;
  try {
    LineReader lines(path, {});
    return BeginsAsConllu(&lines) ? SourceFormat::kConllu : SourceFormat::kText;
  } catch (const Error&) {
    return SourceFormat::kText;
  }
}

SourceFormat ChooseFormat(const std::string& given, const std::string& file, bool reads_tree, LineReader* opened) {
  if (given == "text") return SourceFormat::kText;
  if (given == "conllu" || (given.empty() && file == "-" && reads_tree)) return SourceFormat::kConllu;
  if (!given.empty()) throw Error("unknown form `" + given + "` of " + file + "; it is conllu or text");
  if (opened == nullptr) return SourceFormatOf(file);
  return NamedAsConllu(file) || BeginsAsConllu(opened) ? SourceFormat::kConllu : SourceFormat::kText;
}

struct SourceReader::Impl {
  LineReader lines;
  SourceFormat format;
  SourceOptions options;
  uint64_t first_line = 0;
  uint64_t sentences = 0;
  ConlluBlock block;
  ConlluParser parser;
  std::vector<LineProblem> problems;
  Reporter reporter;
  StopCheck stop = StopCheck(reporter.stop);
  bool warned = false;

  bool NextConllu(Sentence* sentence) {
    if (!ReadConlluBlock(&lines, &block)) return false;
    ++sentences;
    first_line = block.first_line;
    parser.Parse(block, sentence, &problems, stop);
    if (!problems.empty()) {
      const LineProblem& first = problems.front();
      throw Error::At(lines.name(), first.line,
                      fmt::format("{}. Fix the line, or drop sentence {} with `graft check --write-clean`.",
                                  first.message, sentences));
    }
    return true;
  }

  bool NextText(Sentence* sentence) {
    if (!lines.Next()) return false;
    ++sentences;
    first_line = lines.line_number();
    if (!warned && IsFirstWordOfConllu(lines.line())) {
      warned = true;
      reporter.Warn(
          fmt::format("{}:{}: read as text, but the line looks like CoNLL-U; if it is, say so (--input conllu), or "
                      "give the file a name ending in .conllu",
                      lines.name(), first_line));
    }
    sentence->tags.clear();
    sentence->heads.clear();
    sentence->relations.clear();
    if (options.lowercase) {
      SetTokens(Lowercase(lines.line()), sentence);
    } else {
      SetTokens(lines.line(), sentence);
    }
    return true;
  }

  static void SetTokens(std::string_view line, Sentence* sentence) {
    const std::vector<std::string_view> tokens = SplitTokens(line);
    sentence->tokens.assign(tokens.begin(), tokens.end());
  }
};

SourceReader::SourceReader(const std::string& path, SourceFormat format, const SourceOptions& options,
                           const Reporter& reporter)
    : SourceReader(LineReader(path, reporter), format, options, reporter) {}
SourceReader::SourceReader(LineReader lines, SourceFormat format, const SourceOptions& options,
                           const Reporter& reporter)
    : impl_(new Impl{std::move(lines), format, options, 0, 0, {}, ConlluParser(options), {}, reporter}) {}
SourceReader::~SourceReader() = default;

bool SourceReader::Next(Sentence* sentence) {
  return impl_->format == SourceFormat::kConllu ? impl_->NextConllu(sentence) : impl_->NextText(sentence);
}

uint64_t SourceReader::CountRest() {
  uint64_t count = 0;
  if (impl_->format == SourceFormat::kConllu) {
    while (ReadConlluBlock(&impl_->lines, &impl_->block)) ++count;
  } else {
    while (impl_->lines.Next()) ++count;
  }
  return count;
}

uint64_t SourceReader::line_number() const { return impl_->first_line; }
const std::string& SourceReader::name() const { return impl_->lines.name(); }

}  // namespace graft::engine
