// The hypergraph over the items of a search with a grammar.
#pragma once

#include <cstdint>
#include <span>

#include "search/hypergraph.h"
#include "search/item_stacks.h"

namespace graft::engine {

struct ItemGraphOptions {
  std::span<const uint32_t> goals;     // cells of S items over the whole sentence
  float lm_weight = 0;                 // of the language model
  uint32_t alternatives = UINT32_MAX;  // edges a node at most
};

// Over the items of the goals; empty if they have none. An edge of kind kRule has its match in store.rule(edge.unit)
// and its target in option edge.option of the match's list; an edge of kind kGlue its match in store.glue(edge.unit).
// Glue that is a border is of kind kBorder.
void WriteItemGraph(const ItemStore& store, const ItemStacks& stacks, const ItemGraphOptions& options,
                    StopCounter* stop, Hypergraph* graph);

}  // namespace graft::engine
