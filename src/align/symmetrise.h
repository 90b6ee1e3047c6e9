// One alignment of a sentence pair from two directional ones, by the heuristics of Och and Ney (2003) and Koehn et al.
// (2003), point for point as Moses's `symal` has them:
//
//   intersect            links both directions have
//   union                links either direction has
//   grow-diag            the intersection; then, until nothing changes, every link of the union that is a neighbour,
//                        also diagonally, of a link taken, and whose source or target word has no link yet
//   grow-diag-final      then links of the union whose source or target word has no link yet
//   grow-diag-final-and  then links of the union whose source and target word both have none yet
//
// Points are scanned by target word, then source word, and a point taken is a neighbour at once; the final step goes
// through the links chosen by target words first, then through those chosen by source words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/parallel_corpus.h"

namespace graft::engine {

enum class Symmetrisation { kGrowDiagFinalAnd, kGrowDiagFinal, kGrowDiag, kIntersect, kUnion };

Symmetrisation ParseSymmetrisation(std::string_view name);  // throws Error with a suggestion
const std::vector<std::string>& SymmetrisationNames();      // in the order of the enumeration

// One direction: for each word the position of its partner on the other side, or kUnaligned.
using DirectionalAlignment = std::vector<int16_t>;
inline constexpr int16_t kUnaligned = -1;

// `source_choice` has a target position for each source word, `target_choice` a source position for each target word.
// Links sorted by source, then target.
std::vector<WordLink> Symmetrise(const DirectionalAlignment& source_choice, const DirectionalAlignment& target_choice,
                                 Symmetrisation method);

}  // namespace graft::engine
