// Random corpora as files, for tests that build tables.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "building/occurrences.h"
#include "oracle/examples.h"
#include "support/specs.h"
#include "temporary_folder.h"

namespace graft::engine {

using fixtures::SpecOf;

// Examples that CoNLL-U and text can hold: no tab in a word, no space in a target word.
inline std::vector<oracle::Example> RandomCorpus(int pairs, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<oracle::Example> examples;
  for (int i = 0; i < pairs; ++i) {
    oracle::Example example = oracle::RandomExample(&random);
    for (std::string& word : example.source)
      if (word.find('\t') != std::string::npos) word = "source";
    for (std::string& word : example.target)
      if (word.find_first_of(" \t") != std::string::npos) word = "target";
    examples.push_back(std::move(example));
  }
  return examples;
}

// Writes NAME.conllu, NAME.target and NAME.align.
inline TrainingCorpus WriteCorpus(const TemporaryFolder& folder, const std::string& name,
                                  const std::vector<oracle::Example>& examples, const SystemSpec& spec) {
  std::string source, target, align;
  for (const oracle::Example& example : examples) {
    for (size_t i = 0; i < example.source.size(); ++i)
      source += std::to_string(i + 1) + "\t" + example.source[i] + "\t_\tN\t" + example.tags[i] + "\t_\t" +
                std::to_string(example.heads[i]) + "\t" + (example.heads[i] == 0 ? "root" : "dep") + "\t_\t_\n";
    source += "\n";
    for (const std::string& word : example.target) target += word + " ";
    target += "\n";
    for (const auto& [s, t] : example.links) align += std::to_string(s) + "-" + std::to_string(t) + " ";
    align += "\n";
  }
  TrainingCorpus corpus;
  corpus.files = {folder.Write(name + ".conllu", source), folder.Write(name + ".target", target),
                  folder.Write(name + ".align", align)};
  corpus.format = SourceFormat::kConllu;
  corpus.source.projectivise = spec.reading.projectivise;
  return corpus;
}

// A system with a grammar in one of its variants.
struct GrammarVariant {
  bool edge_labels = false, pos = false, adjacent_nt = false;
  int mgs = 2;
};
inline SystemSpec GrammarSpec(const std::string& name, const std::string& graph, const GrammarVariant& variant) {
  SystemOptions options;
  options["name"] = name;
  if (!graph.empty()) options["graph"] = graph;
  if (variant.edge_labels) options["edge_labels"] = true;
  if (variant.pos) options["pos"] = true;
  if (variant.adjacent_nt) options["adjacent_nt"] = true;
  options["mgs"] = variant.mgs;
  return MakeSystemSpec(options);
}

inline std::vector<SystemSpec> AllSpecs() {
  return {SpecOf("pbmt"),
          SpecOf("sdtu"),
          SpecOf("tbmt"),
          SpecOf("seggbmt", "dsg"),
          SpecOf("seggbmt", "dbg"),
          SpecOf("seggbmt", "dbg", {.edge_labels = true}),
          SpecOf("dep2str"),
          GrammarSpec("hpbmt", "", {.mgs = 1}),
          GrammarSpec("serg", "", {}),
          GrammarSpec("serg", "", {.pos = true, .adjacent_nt = true, .mgs = 1}),
          GrammarSpec("gramgbmt-c", "dsg", {.pos = true, .mgs = 1}),
          GrammarSpec("gramgbmt-c", "dbg", {.edge_labels = true, .adjacent_nt = true}),
          GrammarSpec("gramgbmt-b", "dbg", {.pos = true}),
          GrammarSpec("gramgbmt-b", "tree", {.edge_labels = true, .pos = true, .adjacent_nt = true, .mgs = 1})};
}

}  // namespace graft::engine
