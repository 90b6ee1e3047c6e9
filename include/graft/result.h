// What comes back from a translation: values, free of model and translator.
//
//   graft::Translator translator(graft::Model::Open("model"));
//   const graft::Result result = translator.Translate("Der Lehrer ruft den Arzt an. Er kommt.", {.derivation = true});
//   for (const graft::Sentence& sentence : result.sentences)
//     for (const graft::Step& step : sentence.best.derivation)
//       for (int position : step.positions) std::puts(sentence.tokens[position].text.c_str());
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace graft {

// A token and where it stands: bytes begin .. end - 1 of the text it belongs to.
struct Token {
  std::string text;
  size_t begin = 0, end = 0;
};

// A source word. Tag, head and relation are there if the input had them.
struct SourceToken : Token {
  std::string tag;
  int head = -1;  // from 1; 0: a root; -1: no tree
  std::string relation;
};

// A directed edge of the graph that the system works on, between source tokens, from 0.
struct GraphEdge {
  int from = 0, to = 0;
  bool dependency = true;  // head to dependent; else between siblings or neighbours
};

// A feature under its name in n-best lists and [weights]; natural logs, or minus counts.
struct Feature {
  std::string name;
  std::vector<float> values;  // TranslationModel has four: p(s|t) lex(s|t) p(t|s) lex(t|s); the others one
};

// One step of a derivation: a unit, in the order of translation; or with a grammar a rule or glue, after the steps that
// fill its non-terminals.
struct Step {
  std::vector<int> positions;      // source tokens, from 0; with a grammar also those under its non-terminals
  std::vector<std::string> edges;  // `u>v`: positions in the unit or source symbols, with labels if the system has them
  int target_begin = 0;            // its words: target_begin .. target_end - 1 of the translation's tokens
  int target_end = 0;
  bool copied = false;            // an unknown word, copied through
  std::vector<Feature> features;  // what this step adds
  float score = 0;                // weighted sum of features

  // With a grammar only.
  bool glue = false;                                  // S → X, S → S X, or a pseudo rule
  std::string lhs;                                    // label of the left-hand side; empty without a grammar
  std::vector<std::string> rule_source, rule_target;  // words, and non-terminals as `[X,1]`
  std::vector<int> children;                          // the steps that fill its non-terminals, in source order
};

struct Translation {
  std::string text;
  std::vector<Token> tokens;  // as the model made them, and where they stand in `text` (whose case may differ)
  float score = 0;
  std::vector<Feature> features;
  std::vector<std::pair<int, int>> alignment;  // (source token, target token), from 0, sorted
  std::vector<Step> derivation;                // on request
};

struct Sentence {
  std::string text;                 // the source
  size_t begin = 0, end = 0;        // bytes of Result::source
  std::vector<SourceToken> tokens;  // byte ranges are those of Result::source
  std::vector<GraphEdge> graph;     // with derivations: the graph that units must be connected in, if there is one
  Translation best;
  size_t target_begin = 0, target_end = 0;  // bytes of Result::text: begin .. end - 1 is best.text
  std::vector<Translation> alternatives;    // further ones on request, best first
  bool cut_short = false;                   // the time limit was reached: `best` is the source, untranslated. If there
                                            // was no time even to split the text, sentences are cut roughly and
                                            // have no tokens
};

struct Result {
  std::string source;  // the text given; of other inputs their tokens with single spaces, a sentence a line
  std::string text;    // the translations, with the white space of the source between them
  std::vector<Sentence> sentences;
  bool cut_short = false;  // some sentence was
};

}  // namespace graft
#pragma GCC visibility pop
