// SPDX-License-Identifier: Apache-2.0
// What one row's posterior is worth.
#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "credence/evaluate.hpp"

namespace credence {

Outcome judge(std::span<const double> log_joint, std::size_t truth, double weight,
              const DecisionRule& rule) {
  thread_local Posterior row;  // for its memory
  posterior(log_joint, row);
  const auto decision = decide_by_cost(row, rule);
  Outcome result;
  result.truth = truth;
  result.prediction = decision.label.value_or(Outcome::no_label);
  result.weight = weight;
  result.log_probability = -infinity;
  if (rule.costs.given() && truth != Outcome::no_label) {
    result.expected_cost = decision.expected_cost;
    result.cost = decision.label ? rule.costs.of[truth * log_joint.size() + *decision.label]
                                 : rule.costs.reject_when(truth);
  }
  if (row.undecidable()) {
    result.brier = 1;
    return result;
  }
  // In logs: a probability may be too small for a double and still not 0.
  if (truth == Outcome::no_label) {
    result.brier = 1;
  } else {
    result.log_probability = log_joint[truth] - row.log_evidence;
  }
  for (std::size_t c = 0; c < row.probabilities.size(); ++c) {
    const double p = row.probabilities[c];
    const double miss = p - (c == truth ? 1.0 : 0.0);
    result.brier += miss * miss;
    if (p > result.confidence) {
      result.confidence = p;
      result.most_probable = c;
    }
  }
  return result;
}

std::vector<double> log_odds(std::span<const double> log_joint) {
  std::vector<double> result(log_joint.size(), -infinity);
  const auto top = static_cast<std::size_t>(std::max_element(log_joint.begin(), log_joint.end()) -
                                            log_joint.begin());
  if (log_joint.empty() || log_joint[top] == -infinity) return result;
  // The others against the top class are summed without it: 1 - P would cancel. For any other class
  // at least half of the whole is left.
  double others = 0, second = -infinity;
  for (std::size_t c = 0; c < log_joint.size(); ++c) {
    if (c != top) second = std::max(second, log_joint[c]);
  }
  for (std::size_t c = 0; c < log_joint.size(); ++c) {
    // What is below 1e-34 of the second one is not worth its exp().
    if (c != top && log_joint[c] - second > -80) others += std::exp(log_joint[c] - second);
  }
  const double log_others = second == -infinity ? -infinity : second + std::log(others);
  const double share = std::exp(log_others - log_joint[top]);  // of the others, in units of the top
  // Below this a class is no part of the others that a double could tell, and most are.
  const double nothing = log_others - log_joint[top] - 40, log_all = std::log1p(share);
  for (std::size_t c = 0; c < log_joint.size(); ++c) {
    if (c == top) {
      result[c] = log_joint[c] - log_others;
    } else if (log_joint[c] - log_joint[top] < nothing) {
      result[c] = log_joint[c] - log_joint[top] - log_all;
    } else {
      const double own = std::exp(log_joint[c] - log_joint[top]);
      result[c] = log_joint[c] - log_joint[top] - std::log1p(share - own);
    }
  }
  if (log_joint.size() == 2) result[1 - top] = -result[top];  // to the bit
  constexpr double unit = 4294967296.0;                       // 2^32
  for (double& value : result) {
    if (std::abs(value) < 1e6) value = std::round(value * unit) / unit;
  }
  return result;
}

}  // namespace credence
