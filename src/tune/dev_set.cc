#include <fmt/format.h>

#include "corpus/source_reader.h"
#include "graft/error.h"
#include "text/text_processor.h"
#include "tune/tune.h"
#include "util/line_reader.h"

namespace graft::engine {
namespace {

std::vector<std::string> Tokens(const Model& model, Side side, std::string_view line) {
  std::vector<std::string> tokens = model.text().Split(side, line);
  model.text().Normalise(side, &tokens);
  return tokens;
}

std::vector<Sentence> ReadSource(const Model& model, const std::string& path, const Reporter& reporter) {
  const SystemSpec& system = model.system();
  std::vector<Sentence> sentences;
  if (ChooseFormat("", path, system.reads_tree()) == SourceFormat::kText) {
    if (system.reads_tree())
      throw Error(fmt::format("{}: {} translates parsed sentences; give CoNLL-U (a .conllu file)", path, system.name));
    LineReader lines(path, reporter);
    while (lines.Next()) sentences.push_back({.tokens = Tokens(model, Side::kSource, lines.line())});
    return sentences;
  }
  SourceReader reader(path, SourceFormat::kConllu, system.reading.options(), reporter);
  for (Sentence sentence; reader.Next(&sentence);) {
    model.text().Normalise(Side::kSource, &sentence.tokens);
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

void ReadReference(const Model& model, const std::string& path, const std::string& source, const Reporter& reporter,
                   DevSet* dev) {
  LineReader lines(path, reporter);
  size_t count = 0;
  while (lines.Next()) {
    if (count == dev->sources.size())
      lines.Fail(fmt::format("a reference too many: {} has only {} sentences", source, dev->sources.size()));
    dev->references[count++].push_back(Tokens(model, Side::kTarget, lines.line()));
  }
  if (count < dev->sources.size())
    throw Error::At(path, count,
                    fmt::format("the references end here, but {} has {} sentences; every sentence needs one line",
                                source, dev->sources.size()));
}

}  // namespace

DevSet ReadDevSet(const Model& model, const std::string& source, const std::vector<std::string>& references,
                  const Reporter& reporter) {
  if (references.empty()) throw Error("a development set needs at least one reference file");
  DevSet dev;
  dev.sources = ReadSource(model, source, reporter);
  if (dev.sources.empty()) throw Error(source + ": the development set is empty; give sentences to tune on");
  dev.references.resize(dev.sources.size());
  for (const std::string& path : references) ReadReference(model, path, source, reporter, &dev);
  return dev;
}

}  // namespace graft::engine
