// Projective trees (the paper translates projective trees only): while some arc h→d has a word strictly between
// h and d that is not a descendant of h, take the shortest such arc (tie: smallest d) and set head(d) := head(h). Arcs
// from 0 are never lifted.
#pragma once

#include <vector>

#include "util/stop_check.h"

namespace graft::engine {

// heads: 1-based, 0 = root, free of cycles. Returns whether anything changed. Takes time that grows with the square of
// the words, or little more, and for some trees a bit for each word and descendant; throws Error where these would be
// more than 512 MB. Throws Stopped as `stop` says; some heads are then lifted.
bool Projectivise(std::vector<int>* heads, const StopCheck& stop = {});

}  // namespace graft::engine
