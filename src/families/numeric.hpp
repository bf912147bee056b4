// SPDX-License-Identifier: Apache-2.0
// Distributions of one number and how they are estimated: poisson.cpp and gaussian.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/moments.hpp"
#include "families/family.hpp"

namespace credence {

// Student's t; a normal when freedom is infinite; flat (log density 0) when scale is 0.
struct NumberDensity {
  double mean = 0;
  double scale = 0;
  double freedom = 0;
  double log_norm = 0;  // all that does not depend on x
  double stretch = 1;   // of the variance, for a mean that is not known for sure

  // Mean and scale may be told in units of 2^exponent.
  static NumberDensity make(double mean, double scale, double freedom, int exponent = 0);
  double log_density(double x) const;
  sql::Expression sql(sql::Query& query, const sql::Expression& x) const;
  Working working(double x) const;
  double sample(Random& random) const;
  double probability(const NumberRange& range) const;
};

// What is added to a variance, in the square of units of 2^exponent.
struct AddedVariance {
  double variance = 0;
  int exponent = 0;
};

// What the imaginary rows of a class say: they have the mean of the whole column, and as much of
// its variance as rows of one class are thought to have.
struct NumberPrior {
  Moments column;
  double within = 1;  // that part; each row counts as so much of one where the mean is concerned
  double for_spread = 1;  // and as so many where the variance is
};

// Estimates one class from its own moments and the prior; `added` to the variance.
NumberDensity estimate_number(const Moments& observed, const NumberPrior& prior, const Rule& rule,
                              const std::string& name, const std::string& cls,
                              const AddedVariance& added = {});

// The log likelihood of observed rows under a normal in the unit of their moments; 0 where there
// are none.
double normal_log_likelihood(const Moments& observed, double mean, double variance);
// Under the normal that stands for a density: under bayes, with the variance of its plug-in twin.
double normal_log_likelihood(const Moments& observed, const NumberDensity& density);

// A Poisson rate; under bayes the Gamma(shape, rate) posterior that replaces it.
struct RateDensity {
  double rate = 0;
  double shape = 0;   // 0: a plain Poisson
  double weight = 0;  // the Gamma's rate parameter

  double log_density(double x) const;
  sql::Expression sql(sql::Query& query, const sql::Expression& x) const;  // without log x!
  Working working(double x) const;
  double sample(Random& random) const;
  double probability(const NumberRange& range) const;
};

// How probable a whole number in a range is, from the log probability of each and the distribution
// function and its complement, P(x <= k) and P(x > k), for whole k >= 0.
template <typename LogDensity, typename Below, typename Above>
double probability_of_counts(const NumberRange& range, const LogDensity& log_density,
                             const Below& below, const Above& above) {
  double first = std::max(0.0, std::ceil(range.low)), last = std::floor(range.high);
  if (first == range.low && !range.with_low) ++first;
  if (last == range.high && !range.with_high) --last;
  if (!(first <= last)) return 0;
  constexpr double few = 64;
  if (last - first < few) {
    double sum = 0;
    for (double x = first; x <= last; ++x) sum += std::exp(log_density(x));
    return sum;
  }
  // From the end at which what is taken away is small.
  const double over = std::isinf(last) ? 0 : above(last);
  if (over < 0.5) return (first == 0 ? 1.0 : above(first - 1)) - over;
  return below(last) - (first == 0 ? 0.0 : below(first - 1));
}

// Of the rule's prior at a rate, up to a constant.
double log_prior_of_rate(double rate, double column_weight, double column_sum, const Rule& rule);

// The same twice: false, or a data error that names column and class, where there is nothing to go
// on.
bool read_rate(double weight, double sum, double column_weight, double column_sum, const Rule& rule,
               RateDensity& density);
RateDensity estimate_rate(double weight, double sum, double column_weight, double column_sum,
                          const Rule& rule, const std::string& name, const std::string& cls);

// The log of the probability of counts with this weight, sum, and sum of log x!, their rate
// integrated out under s imaginary rows of this mean. docs/evidence.md
double log_marginal_of_rate(double weight, double sum, double log_factorials, double mean,
                            double s);

// The part of a linear form that one column of normals has, with squares where that is allowed; or
// why it has none.
std::string linear_in_number(const std::string& name, std::span<const NumberDensity> classes,
                             LinearForm& form);

// A rate from its posterior; without a prior all rates were as likely.
double draw_rate(double weight, double sum, double column_weight, double column_sum,
                 const Rule& rule, Random& random);

// A mean and a variance from their posterior, as moments of one row.
Moments draw_number(const Moments& observed, const NumberPrior& prior, const Rule& rule,
                    Random& random);

// The log prior density of a normal's mean and variance, up to a constant: docs/semi.md
double normal_log_prior(const NumberPrior& prior, const Rule& rule, const NumberDensity& density);

// Reads a class for every row that is held out: norms of Student's t repeat, and are kept.
class NumberReader {
 public:
  NumberReader(const Rule& rule, std::size_t classes) : rule_(rule), norms_(2 * classes) {}
  // False where there is nothing to go on.
  bool read(const Moments& observed, const NumberPrior& prior, std::size_t slot,
            NumberDensity& density);

 private:
  struct Norm {
    double freedom = 0, log = 0;
  };
  Rule rule_;
  std::vector<Norm> norms_;
};

// The strength of the prior in imaginary rows, for numbers.
inline double imaginary_rows(const Rule& rule) {
  if (!rule.has_prior()) return 0;
  return rule.strength == 0 ? 1 : rule.strength;
}

}  // namespace credence
