#include "corpus/parallel_corpus.h"

#include <fmt/format.h>

#include <optional>

#include "graft/error.h"
#include "util/line_reader.h"
#include "util/utf8.h"

namespace graft::engine {

namespace {

void RequireOneStdin(const CorpusFiles& files) {
  const int count = (files.source == "-" ? 1 : 0) + (files.target == "-" ? 1 : 0) + (files.align == "-" ? 1 : 0);
  if (count > 1) throw Error("only one of source, target and alignment can be read from stdin");
}

uint64_t CountRest(LineReader* lines) {
  uint64_t count = 0;
  while (lines->Next()) ++count;
  return count;
}

}  // namespace

struct ParallelCorpus::Impl {
  Impl(const CorpusFiles& opened, SourceFormat source_format, const SourceOptions& options, const Reporter& reporter)
      : files(opened),
        format(source_format),
        lowercase(options.lowercase),
        source(files.source, format, options, reporter),
        target(files.target, reporter),
        align(files.align, reporter) {}

  CorpusFiles files;
  SourceFormat format;
  bool lowercase;
  SourceReader source;
  LineReader target;
  LineReader align;
  uint64_t pairs = 0;

  void ReadTarget(std::vector<std::string>* tokens) {
    std::string lowered;
    std::string_view line = target.line();
    if (lowercase) line = lowered = Lowercase(line);
    const std::vector<std::string_view> split = SplitTokens(line);
    tokens->assign(split.begin(), split.end());
  }

  void ReadLinks(SentencePair* pair) {
    try {
      pair->links = ParseLinks(align.line(), pair->source.size(), static_cast<int>(pair->target.size()));
    } catch (const Error& error) {
      align.Fail(
          fmt::format("{}. Fix the line, or drop pair {} with `graft check --write-clean`.", error.what(), pairs + 1));
    }
  }

  [[noreturn]] void FailLengths(bool has_source, bool has_target, bool has_links) {
    const uint64_t sources = pairs + (has_source ? 1 + source.CountRest() : 0);
    const uint64_t targets = pairs + (has_target ? 1 + CountRest(&target) : 0);
    const uint64_t links = pairs + (has_links ? 1 + CountRest(&align) : 0);
    throw Error(fmt::format(
        "the files do not run in step: {} has {} {}, {} has {} lines, {} has {} lines. `graft check` says more.",
        source.name(), sources, format == SourceFormat::kConllu ? "sentences" : "lines", target.name(), targets,
        align.name(), links));
  }
};

ParallelCorpus::ParallelCorpus(const CorpusFiles& files, SourceFormat format, SourceOptions options,
                               const Reporter& reporter) {
  RequireOneStdin(files);
  options.longest_projectivised = kMaxSentenceWords;
  impl_ = std::make_unique<Impl>(files, format, options, reporter);
}
ParallelCorpus::~ParallelCorpus() = default;

bool ParallelCorpus::Next(SentencePair* pair) {
  Impl& impl = *impl_;
  if (impl.files.limit != 0 && impl.pairs == impl.files.limit) return false;
  const bool has_source = impl.source.Next(&pair->source);
  const bool has_target = impl.target.Next();
  const bool has_links = impl.align.Next();
  if (has_source != has_target || has_target != has_links) impl.FailLengths(has_source, has_target, has_links);
  if (!has_source) return false;
  impl.ReadTarget(&pair->target);
  impl.ReadLinks(pair);
  ++impl.pairs;
  return true;
}

uint64_t ParallelCorpus::pairs() const { return impl_->pairs; }

}  // namespace graft::engine
