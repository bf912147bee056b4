// SPDX-License-Identifier: Apache-2.0
// How observed statistics become parameters, and how classes are weighed before any evidence.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace credence {

// A prior is imaginary data: `strength` rows of it. For words they are spread evenly over the
// values (or by given shares); for numbers they have the mean and variance of the whole column.
struct Rule {
  enum class Kind {
    mle,         // maximum likelihood
    unbiased,    // the same, variances divided by N - 1
    m_estimate,  // maximum likelihood after `strength` imaginary rows
    laplace,     // `strength` imaginary rows of every value
    map,         // the mode of the posterior
    bayes,       // parameters integrated out: the posterior predictive
  };
  Kind kind = Kind::bayes;
  double strength = 1;  // map of words: 0 means two rows of every value, the mode that adds one

  bool has_prior() const { return kind != Kind::mle && kind != Kind::unbiased; }
  bool operator==(const Rule&) const = default;
};

// "mle", "unbiased", "m-estimate=2", "laplace=1", "map", "map=5", "bayes", "bayes=0.5".
Rule parse_rule(std::string_view text);
std::string to_string(const Rule& rule);

struct ClassPrior {
  enum class Kind {
    empirical,  // the share of each class among the rows
    uniform,    // all classes alike: decisions by maximum likelihood
    smoothed,   // the share after `strength` imaginary rows of every class
    given,      // `shares`
    tempered,   // shares to the power of `strength`: small classes have more than their share
    usual,      // of a plan: tempered where all evidence is of scores, else empirical
  };
  Kind kind = Kind::empirical;
  double strength = 1;
  std::vector<std::pair<std::string, double>> shares;

  bool operator==(const ClassPrior&) const = default;
};

// "empirical", "uniform", "tempered", "tempered=0.7", "smoothed", "smoothed=2",
// "spam=0.3,ham=0.7".
ClassPrior parse_class_prior(std::string_view text);
std::string to_string(const ClassPrior& prior);

}  // namespace credence
