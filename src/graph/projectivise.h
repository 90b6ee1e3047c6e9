// Projective trees (the paper translates projective trees only): while some arc h→d has a word strictly between
// h and d that is not a descendant of h, take the shortest such arc (tie: smallest d) and set head(d) := head(h). Arcs
// from 0 are never lifted.
#pragma once

#include <vector>

namespace graft::engine {

// heads: 1-based, 0 = root, free of cycles. Returns whether anything changed.
bool Projectivise(std::vector<int>* heads);

}  // namespace graft::engine
