// SPDX-License-Identifier: Apache-2.0
#include "sql/rising.hpp"

#include <array>
#include <cmath>

namespace credence::sql {
namespace {

// From here on Stirling's series has all digits of a double.
constexpr double large = 20;

// log Γ(z) = (z - 1/2) log z - z + log(2π)/2 + this. Abramowitz and Stegun, 6.1.41.
constexpr std::array<double, 6> stirling = {1.0 / 12,    -1.0 / 360, 1.0 / 1260,
                                            -1.0 / 1680, 1.0 / 1188, -691.0 / 360360};

double correction(double z) {
  double sum = 0;
  for (std::size_t i = stirling.size(); i-- > 0;) sum = sum / (z * z) + stirling[i];
  return sum / z;
}

Expression correction(Query& query, const Expression& z) {
  const auto inverse = query.let(query.number(1) / z);
  const auto square = query.let(inverse * inverse);
  Expression result = query.number(stirling.back());
  for (std::size_t i = stirling.size() - 1; i-- > 0;) {
    result = result * square + query.number(stirling[i]);
  }
  return result * inverse;
}

}  // namespace

// For small a from that of a + k: Γ(a + x) / Γ(a) is Γ(a + k + x) / Γ(a + k) times the product of
// (a + j) / (a + j + x) for j < k.
Expression log_rising(Query& query, double a, const Expression& count, double scale) {
  const auto x = query.let(count);
  const int below = a < large ? static_cast<int>(std::ceil(large - a)) : 0;
  const double from = a + below;
  const auto z = query.let(from + x);
  std::vector<Expression> terms{(from - 0.5) * query.log_one_plus(x / query.number(from)),
                                x * ln(z / query.number(scale)) - x,
                                correction(query, z) - correction(from)};
  if (below > 0) {
    Expression product = query.number(1);
    for (int j = 0; j < below; ++j) product = product * (query.number(a + j) / (a + j + x));
    terms.push_back(ln(product));
  }
  return sum(terms);
}

Expression log_counts_of_gamma(Query& query, const Expression& x, double shape, double rate) {
  return log_rising(query, shape, x, rate + 1) - shape * std::log1p(1 / rate);
}

}  // namespace credence::sql
