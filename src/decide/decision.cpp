// SPDX-License-Identifier: Apache-2.0
#include "credence/decision.hpp"

#include <algorithm>

namespace credence {

std::vector<double> expected_costs(const Posterior& posterior, const Costs& costs) {
  const auto& p = posterior.probabilities;
  std::vector<double> result(p.size(), 0.0);
  for (std::size_t truth = 0; truth < p.size(); ++truth) {
    if (p[truth] == 0) continue;  // what cannot be costs nothing, however much it would
    for (std::size_t decided = 0; decided < p.size(); ++decided) {
      const double cost = costs.given()      ? costs.of[truth * p.size() + decided]
                          : truth == decided ? 0.0
                                             : 1.0;
      result[decided] += p[truth] * cost;
    }
  }
  return result;
}

Decision decide_by_cost(const Posterior& posterior, const DecisionRule& rule) {
  Decision result;
  if (posterior.undecidable()) {
    result.expected_cost = rule.costs.reject;
    return result;
  }
  const auto& p = posterior.probabilities;
  const auto costs = rule.costs.given() ? expected_costs(posterior, rule.costs) : p;
  std::size_t best = p.size();
  for (std::size_t c = 0; c < p.size(); ++c) {
    if (!rule.thresholds.empty() && p[c] < rule.thresholds[c]) continue;
    const bool better =
        best == p.size() || (rule.costs.given() ? costs[c] < costs[best] : p[c] > p[best]);
    if (better) best = c;
  }
  if (best == p.size()) {
    result.expected_cost = rule.costs.reject;
    return result;
  }
  if (rule.costs.given()) {
    result.expected_cost = costs[best];
  } else {
    for (std::size_t c = 0; c < p.size(); ++c) result.expected_cost += c == best ? 0 : p[c];
  }
  const bool too_dear = result.expected_cost > rule.costs.reject;
  if (too_dear || p[best] < rule.reject_below) {
    result.expected_cost = rule.costs.reject;
  } else {
    result.label = best;
  }
  return result;
}

std::optional<std::size_t> decide(const Posterior& posterior, const DecisionRule& rule) {
  return decide_by_cost(posterior, rule).label;
}

}  // namespace credence
