// The weight of a count in an estimate: itself for maximum likelihood, exp(digamma(count)), the exponential of the
// expected log under a Dirichlet posterior, for variational Bayes.
#pragma once

#include <algorithm>

namespace graft::engine {

double ExpDigamma(double x);  // x > 0; relative error below 1e-5 (0 where it is smaller than any float)

inline double ExpectedWeight(double count, bool bayes) { return std::max(bayes ? ExpDigamma(count) : count, 1e-30); }

}  // namespace graft::engine
