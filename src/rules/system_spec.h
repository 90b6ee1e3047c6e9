// One engine, nine settings: a system is a choice of which source units may be translated and how they are put
// together. Extraction, matching, storage, features and search read the fields; none of them asks for the name, and
// nothing else looks a system up by it once a name that people gave has become a spec.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/source_reader.h"
#include "graph/dependency_graph.h"
#include "util/option_value.h"

namespace graft::engine {

// What a unit (a set of source words) must be.
enum class UnitTest {
  kContiguous,  // a run of words
  kAny,         // any words; gaps are written into the rule
  kConnected,   // connected in the graph
  kContiguousConnected,
  kOneOpenNode,  // a run of words, connected and with at most one open node in the DEG (dependency_edge_graph.h)
  kBlock,        // a run of a word's dependents, with their subtrees, and itself (extract_blocks.h)
};

// Which unaligned words may join the words linked to a target span.
enum class UnalignedWords {
  kBoundary,  // neighbours of a segment, iterated: every segment keeps an aligned word
  kAny,       // any, if the unit test holds
};

// What a trie step records besides the symbol (source_side.h).
enum class SignatureKind { kNone, kGap, kEdges, kLabelledEdges, kNodes, kRole };

enum class SearchKind {
  kLeftToRight,  // paper, Algorithm 1
  kBottomUp,     // Algorithm 2: items cover any words
  kChart,        // Algorithm 3: items cover spans
  kForest,       // items cover the blocks of the tree
};

struct SystemSpec {
  // How the source was read: part of what a model must agree on.
  struct Reading {
    bool projectivise = true;  // non-projective trees first
    bool words = false;        // syntactic words instead of surface tokens
    bool upos = false;         // tags from UPOS even where XPOS is given

    SourceOptions options(bool lowercase = false) const {
      return {.words = words, .upos = upos, .projectivise = projectivise, .lowercase = lowercase};
    }
    friend bool operator==(const Reading&, const Reading&) = default;
  };

  // What rules with non-terminals look like. Initial pairs keep to max_length; this is about the rules made of them.
  struct Grammar {
    int max_nonterminals = 0;  // of a rule; 0 = no grammar
    int max_symbols = 0;  // of a rule's source side; with blocks as units, of any that is not a head with all of its
                          // dependents, which keeps to max_nonterminals only
    int mgs = 0;          // fewest source words under a non-terminal, in training; 0 where none is a sub-pair
    bool adjacent_nt = false;  // two non-terminals may follow each other in the source
    bool pos = false;          // non-terminals, left-hand side included, are labelled by parts of speech instead of X

    friend bool operator==(const Grammar&, const Grammar&) = default;
  };

  // Which rules are made where units are blocks.
  struct Blocks {
    bool parts = false;     // rules also of parts of a head with its dependents, and phrases
    bool floating = false;  // of parts without the head as well
    bool extend = false;    // words of a rule may take unaligned target words beside them

    friend bool operator==(const Blocks&, const Blocks&) = default;
  };

  // Choices that the system leaves to people and that its other fields do not tell.
  struct Choices {
    bool graph = false;  // tree, dsg or dbg; there is no default
    bool edge_labels = false;
    bool pos = false;

    friend bool operator==(const Choices&, const Choices&) = default;
  };

  std::string name;   // as in `--system`
  std::string title;  // as the paper writes it
  GraphKind graph = GraphKind::kNone;
  UnitTest unit = UnitTest::kContiguous;
  UnalignedWords unaligned = UnalignedWords::kBoundary;
  SearchKind search = SearchKind::kLeftToRight;
  bool edge_labels = false;  // edges carry dep or seq
  int max_length = 7;        // words of a unit, and of its target
  int max_extract_span = 0;  // words from first to last of a unit in training; 0 = unbounded
  Grammar grammar;           // means something only where has_grammar()
  Blocks blocks;             // where has_blocks()
  Reading reading;
  Choices takes;

  SignatureKind signature() const;
  int symbol_room() const;  // source symbols that a signature has room for
  bool reads_tree() const { return takes.graph || HasDependencies(graph) || words_on_edges(); }
  bool words_on_edges() const { return graph == GraphKind::kDeg; }
  bool has_blocks() const { return unit == UnitTest::kBlock; }
  // Non-terminals have labels other than X, so that the source words need tags.
  bool labelled() const { return grammar.pos || has_blocks(); }
  bool has_grammar() const { return grammar.max_nonterminals > 0; }
  bool contiguous() const {
    return unit == UnitTest::kContiguous || unit == UnitTest::kContiguousConnected || unit == UnitTest::kOneOpenNode;
  }
  bool connected() const {
    return unit == UnitTest::kConnected || unit == UnitTest::kContiguousConnected || unit == UnitTest::kOneOpenNode;
  }
  bool has_gap_feature() const { return !contiguous() && !has_blocks(); }

  friend bool operator==(const SystemSpec&, const SystemSpec&) = default;
};

// What the command line or a [system] table says, by the keys of that table (system_options.h); the others have the
// default of the system. A setting that means nothing for the system is an Error.
//
//   MakeSystemSpec({{"name", "gramgbmt-c"}, {"graph", "dsg"}, {"mgs", 1}})
using SystemOptions = OptionValues;

SystemSpec MakeSystemSpec(const SystemOptions& options);

// The spec as a TOML [system] table body (stable bytes: fixed key order, only keys that apply), and back.
std::string ToToml(const SystemSpec& spec);
SystemSpec SystemSpecFromToml(std::string_view toml);

std::string_view GraphName(GraphKind kind);     // "none" "chain" "tree" "dsg" "dbg" "union" "deg"
const std::vector<std::string>& SystemNames();  // all of them

// The graph as people read it beside the system's title: "DBG", "Tree", "DSG+DBG"; of systems that leave its choice or
// have one of their own kind. Empty for the others, whose title says it.
std::string GraphTitle(const SystemSpec& spec);
std::string TitleOf(const SystemSpec& spec);  // both, "SegGBMT DBG", "SERG DEG", "HPBMT"

}  // namespace graft::engine
