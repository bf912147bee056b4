// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "families/number/number_summary.hpp"
#include "sql/query.hpp"

namespace credence {

void ZeroApart::set_apart(double zeros, double others) {
  apart = true;
  const double all = zeros + others;
  zero = zeros / all;
  log_zero = std::log(zeros / all);
  log_other = std::log(others / all);
}

double NumberOrZero::log_density(double x) const {
  if (apart && x == 0) return log_zero;
  return log_other + NumberDensity::log_density(x);
}

sql::Expression NumberOrZero::sql(sql::Query& query, const sql::Expression& x) const {
  const auto other = log_other + NumberDensity::sql(query, x);
  if (!apart) return other;
  return choose({{x == query.number(0), query.number(log_zero)}}, other);
}

double NumberOrZero::sample(Random& random) const {
  if (apart && random.uniform() < zero) return 0;
  return NumberDensity::sample(random);
}

double NumberOrZero::probability(const NumberRange& range) const {
  const double other = NumberDensity::probability(range);
  if (!apart) return other;
  return (range.contains(0) ? zero : 0) + std::exp(log_other) * other;
}

ZerosAndOthers::ZerosAndOthers(const NumberSummary& cls, const NumberSummary& column,
                               const Rule& rule) {
  const double s = imaginary_rows(rule), of_column = column.zeros.value() + column.weight.value();
  zeros = cls.zeros.value() + s * column.zeros.value() / of_column;
  others = cls.weight.value() + s * column.weight.value() / of_column;
}

}  // namespace credence
