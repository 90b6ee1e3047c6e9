// Small text files of models and results: truecase models, n-best lists; and compressed streams.
#include <sstream>

#include "combine/consensus.h"
#include "fuzz/fuzz_target.h"
#include "graft/format.h"
#include "text/truecaser.h"
#include "util/compression.h"
#include "util/line_reader.h"
#include "util/output_file.h"
#include "util/utf8.h"

namespace graft::engine::fuzz {
namespace {

void RunTruecase(std::string_view bytes) {
  const std::string path = WriteScratch("truecase", bytes), again = ScratchPath("truecase.again");
  Accepts([&] {
    const Truecaser truecaser = Truecaser::Read(path, {});
    truecaser.Write(again);
    const Truecaser second = Truecaser::Read(again, {});
    Require(second.size() == truecaser.size(), "forms that do not read back");
    std::istringstream lines{std::string(bytes)};
    std::vector<std::string> tokens;
    for (std::string line; std::getline(lines, line) && tokens.size() < 20;)
      for (const std::string_view token : SplitTokens(line)) tokens.emplace_back(token);
    std::vector<std::string> once = tokens, twice;
    truecaser.Apply(&once);
    twice = once;
    second.Apply(&twice);
    Require(once.size() == tokens.size(), "tokens lost");
    Truecaser::Undo(&once);
    for (const std::string& token : once) Require(!token.empty() && IsValidUtf8(token), "a token that is no text");
  });
}

void RunNBest(std::string_view bytes) {
  const std::string path = WriteScratch("nbest", bytes);
  Accepts([&] {
    LineReader lines(path, {});
    ScoredList list;
    while (lines.Next()) {
      const ParsedNBestLine parsed = ParseNBestLine(lines.line());
      const ParsedNBestLine again = ParseNBestLine(UnderivableLine(parsed.tokens, parsed.id));
      Require(again.id == parsed.id && again.tokens == parsed.tokens, "a line that does not read back");
      list.push_back({parsed.tokens, static_cast<double>(parsed.id % 7)});
    }
    if (list.empty() || list.size() > 50) return;
    const Consensus consensus = FindConsensus({list}, {});
    Require(consensus.chosen < consensus.candidates.size(), "no consensus");
  });
}

// A byte for the kind; the rest is a stream of that kind, and a text that is packed and unpacked.
void RunCompressed(std::string_view bytes) {
  ByteSource source(bytes);
  static const char* const endings[] = {".gz", ".zst", ".xz", ""};
  const std::string ending = endings[source.Below(4)];
  constexpr uint64_t kEnough = 64 << 20;
  const auto read = [](const std::string& path) {
    std::string text, buffer(1 << 16, '\0');
    const auto reader = OpenByteReader(path);
    for (size_t n; text.size() < kEnough && (n = reader->Read(buffer.data(), buffer.size())) > 0;)
      text.append(buffer, 0, n);
    return text;
  };
  const std::string path = WriteScratch("stream" + ending, source.Rest());
  Accepts([&] { read(path); });
  Accepts([&] {
    LineReader lines(path, {});
    uint64_t seen = 0;
    while (seen < 100'000 && lines.Next()) Require(lines.line_number() == ++seen, "a line number too many");
  });
  const std::string packed = ScratchPath("packed" + ending);
  OutputFile output(packed);
  output.Write(source.Rest());
  output.Close();
  Require(read(packed) == source.Rest(), "what was packed is not what is unpacked");
}

const bool registered = Register({"truecase", "truecase models", RunTruecase}) &&
                        Register({"nbest", "n-best lists, and the consensus of one", RunNBest}) &&
                        Register({"compressed", "gzip, zstd and xz", RunCompressed});

}  // namespace
}  // namespace graft::engine::fuzz
