// SPDX-License-Identifier: Apache-2.0
#include "credence/decision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace credence {

bool DecisionRule::plain() const {
  return reject_below == 0 && !costs.given() && std::isinf(costs.reject) && thresholds.empty();
}

double Costs::expected_reject(const Posterior& posterior) const {
  if (reject_of.empty()) return reject;
  if (posterior.undecidable()) return *std::max_element(reject_of.begin(), reject_of.end());
  return std::inner_product(reject_of.begin(), reject_of.end(), posterior.probabilities.begin(),
                            0.0);
}

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

namespace {

// By cost where costs are given. Else by probability, and classes that reach a threshold of their
// own come first, by how far they are above it: else one below the most probable could never be
// given. The number of classes: none may be given.
std::size_t best_class(const std::vector<double>& p, const std::vector<double>& costs,
                       const std::vector<double>& thresholds) {
  std::size_t best = p.size();
  double worth_of_best = 0;
  for (std::size_t c = 0; c < p.size(); ++c) {
    const double threshold = thresholds.empty() ? 0.0 : thresholds[c];
    if (p[c] < threshold) continue;
    double worth = costs.empty() ? p[c] : -costs[c];
    if (costs.empty() && threshold > 0) worth = 1 + p[c] / threshold;
    if (best != p.size() && !(worth > worth_of_best)) continue;
    best = c;
    worth_of_best = worth;
  }
  return best;
}

}  // namespace

Decision decide_by_cost(const Posterior& posterior, const DecisionRule& rule) {
  Decision result;
  const double reject = rule.costs.expected_reject(posterior);
  if (posterior.undecidable()) {
    result.expected_cost = reject;
    return result;
  }
  const auto& p = posterior.probabilities;
  std::vector<double> costs;
  if (rule.costs.given()) costs = expected_costs(posterior, rule.costs);
  const std::size_t best = best_class(p, costs, rule.thresholds);
  if (best == p.size()) {
    result.expected_cost = reject;
    return result;
  }
  if (rule.costs.given()) {
    result.expected_cost = costs[best];
  } else {
    for (std::size_t c = 0; c < p.size(); ++c) result.expected_cost += c == best ? 0 : p[c];
  }
  const bool too_dear = result.expected_cost > reject;
  if (too_dear || p[best] < rule.reject_below) {
    result.expected_cost = reject;
  } else {
    result.label = best;
  }
  return result;
}

std::optional<std::size_t> decide(const Posterior& posterior, const DecisionRule& rule) {
  return decide_by_cost(posterior, rule).label;
}

std::size_t decide_positive(const Posterior& posterior, std::size_t positive, double threshold) {
  const auto& p = posterior.probabilities;
  if (p[positive] >= threshold || p.size() == 1) return positive;
  DecisionRule others;
  others.thresholds.assign(p.size(), 0);
  others.thresholds[positive] = std::numeric_limits<double>::infinity();
  return *decide(posterior, others);
}

std::optional<std::size_t> clear_winner(std::span<const double> log_scores) {
  constexpr double clearly = 1e-6;
  std::size_t best = 0;
  double second = -std::numeric_limits<double>::infinity();
  if (std::any_of(log_scores.begin(), log_scores.end(), [](double x) { return std::isnan(x); })) {
    return std::nullopt;
  }
  for (std::size_t c = 1; c < log_scores.size(); ++c) {
    const bool better = log_scores[c] > log_scores[best];
    second = std::max(second, better ? log_scores[best] : log_scores[c]);
    if (better) best = c;
  }
  if (log_scores.size() > 1 && log_scores[best] - second > clearly) return best;
  return std::nullopt;
}

std::vector<std::size_t> most_probable(const Posterior& posterior, std::size_t count) {
  const auto& p = posterior.probabilities;
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, p.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    return p[a] != p[b] ? p[a] > p[b] : a < b;
  });
  order.erase(end, order.end());
  return order;
}

}  // namespace credence
