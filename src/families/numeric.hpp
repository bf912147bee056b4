// SPDX-License-Identifier: Apache-2.0
// Families of one number: made here, defined in poisson.cpp and gaussian.cpp.
#pragma once

#include <memory>
#include <string>

#include "core/moments.hpp"
#include "families/family.hpp"

namespace credence {

std::unique_ptr<BlockStatistics> make_poisson(std::size_t column, const std::string& name);
std::unique_ptr<BlockStatistics> make_gaussian(std::size_t column, const std::string& name);

// Student's t; a normal when freedom is infinite; flat (log density 0) when scale is 0.
struct NumberDensity {
  double mean = 0;
  double scale = 0;
  double freedom = 0;
  double log_norm = 0;  // all that does not depend on x

  static NumberDensity make(double mean, double scale, double freedom);
  double log_density(double x) const;
  double sample(Random& random) const;
};

// Estimates one class from its own moments and those of the whole column.
NumberDensity estimate_number(const Moments& observed, const Moments& column, const Rule& rule,
                              const std::string& name, const std::string& cls);

// A Poisson rate; under bayes the Gamma(shape, rate) posterior that replaces it.
struct RateDensity {
  double rate = 0;
  double shape = 0;   // 0: a plain Poisson
  double weight = 0;  // the Gamma's rate parameter

  double log_density(double x) const;
  double sample(Random& random) const;
};

RateDensity estimate_rate(double weight, double sum, double column_weight, double column_sum,
                          const Rule& rule, const std::string& name, const std::string& cls);

// The log of the probability of counts with this weight, sum, and sum of log x!, their rate
// integrated out under s imaginary rows of this mean. docs/evidence.md
double log_marginal_of_rate(double weight, double sum, double log_factorials, double mean,
                            double s);

// The strength of the prior in imaginary rows, for numbers.
double imaginary_rows(const Rule& rule);

}  // namespace credence
