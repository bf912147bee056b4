// SPDX-License-Identifier: Apache-2.0
// From posteriors to actions.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "credence/scorer.hpp"

namespace credence {

// What each decision costs when the truth is known. Without costs every mistake costs 1.
struct Costs {
  std::vector<double> of;  // [true class * classes + decided class]; empty: no costs
  double reject = std::numeric_limits<double>::infinity();  // of giving no label
  std::vector<double> reject_of = {};  // the same by true class, where it is not one for all

  bool given() const { return !of.empty(); }
  double reject_when(std::size_t truth) const {
    return reject_of.empty() ? reject : reject_of[truth];
  }
  // Under the posterior; of one that is undecidable the largest.
  double expected_reject(const Posterior& posterior) const;
};

// A CSV file whose header names the decisions and whose first column the true classes:
//   truth,ham,spam,reject
//   ham,0,10,1
//   spam,1,0,1
// Every class must have a row and a column, in any order; "reject" is optional.
Costs read_costs(const std::string& path, const std::vector<std::string>& classes);

struct DecisionRule {
  double reject_below = 0;  // no label when the best class is less probable than this
  Costs costs = {};
  // By class: given from this probability on, also where another is more probable, and only then.
  // 0: no threshold; empty: none at all.
  std::vector<double> thresholds = {};

  // Whether it asks for the most probable class and nothing else.
  bool plain() const;
};

// The expected cost of each decision under the posterior.
std::vector<double> expected_costs(const Posterior& posterior, const Costs& costs);

struct Decision {
  std::optional<std::size_t> label;  // none: rejected or undecidable
  double expected_cost = 0;          // without costs: the probability of a mistake
};

// Of the classes that reach their thresholds or have none, that of least expected cost (the first
// of equals). Without costs the one furthest above a threshold of its own, by ratio; where there is
// none, the most probable. No label where no class may be given, where rejecting costs less, or
// where the class is less probable than reject_below.
Decision decide_by_cost(const Posterior& posterior, const DecisionRule& rule = {});

// The label alone.
std::optional<std::size_t> decide(const Posterior& posterior, const DecisionRule& rule = {});

// The positive class where it is at least that probable, else the most probable of the others. The
// posterior must not be undecidable.
std::size_t decide_positive(const Posterior& posterior, std::size_t positive, double threshold);

// The class whose log score is above all others by far more than rounding, which is the most
// probable one: without probabilities, which take as long as the scores where there are few
// columns. None where it is not as clear as that.
std::optional<std::size_t> clear_winner(std::span<const double> log_scores);

// The most probable classes, so many at most, the first of equals first.
std::vector<std::size_t> most_probable(const Posterior& posterior, std::size_t count);

}  // namespace credence
