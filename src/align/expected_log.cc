#include "align/expected_log.h"

#include <cmath>

namespace graft::engine {

double ExpDigamma(double x) {
  // digamma(x) = digamma(x + n) - sum of 1 / (x + k), and exp(digamma(y + 1/2)) = y + 1/(24 y) - … for large y.
  double shift = 0;
  while (x < 6) {
    shift += 1 / x;
    x += 1;
  }
  const double y = x - 0.5;
  const double inverse = 1 / (y * y);
  const double large = y * (1 + inverse * (1.0 / 24 - inverse * (37.0 / 5760)));
  return shift == 0 ? large : large * std::exp(-shift);
}

}  // namespace graft::engine
