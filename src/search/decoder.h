// What one sentence goes through, whatever the system: it is prepared, searched or forced to a given target, and the
// derivations found are made into values. UnitDecoder joins units from left to right, GrammarDecoder applies the rules
// of a grammar; each works on one sentence at a time and keeps its memory for the next.
//
//   decoder->Prepare(sentence, stop);
//   const Hypergraph& graph = decoder->Search(alternatives);
//   KBest(graph).Get(0, &edges, &score);
//   const Translation best = decoder->Assemble(edges, score);
//
// All of it may throw Stopped, between any two steps; the next thing to call is then Prepare.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "corpus/sentence.h"
#include "model/search_options.h"
#include "search/decoding_model.h"
#include "search/hypergraph.h"
#include "search/translation.h"
#include "util/stop_check.h"

namespace graft::engine {

enum class ForcedResult {
  kDerived,
  kNotDerivable,
  kTooLarge,  // more edges than allowed
  kTooLong,   // a source of more than kMaxSentenceWords
};

// A target string to be forced.
struct ForcedTarget {
  const std::vector<std::string>& words;
  uint64_t max_edges;  // more than that is too large
};

class Decoder {
 public:
  virtual ~Decoder() = default;

  // Reads the sentence, which has at least one word and must outlive its use here. `stop` is for all that follows.
  virtual void Prepare(const Sentence& sentence, const StopCheck& stop) = 0;

  // The derivations that survive, at most `alternatives` edges a node; 1 leaves the best derivation alone. An empty
  // graph if there is none. Valid until the next call of anything but Assemble.
  virtual const Hypergraph& Search(uint32_t alternatives) = 0;

  // All derivations of one given target string, for checks against other decoders (`--rescore`). No beam, pop limit or
  // threshold, while the table, distortion and span limits apply. A copied word matches in the input's own case or as
  // the model looked it up. *graph is set when the string is derived, and valid as above.
  virtual ForcedResult Force(const ForcedTarget& target, const Hypergraph** graph) = 0;

  // A derivation of the last graph as KBest gives it: tails before heads, left to right.
  virtual Translation Assemble(const std::vector<const HyperEdge*>& edges, float score) const = 0;

  // Of the last Search.
  virtual const SearchStatistics& statistics() const = 0;
};

// The decoder that the model's system asks for.
std::unique_ptr<Decoder> MakeDecoder(const DecodingModel& model);

}  // namespace graft::engine
