// SPDX-License-Identifier: Apache-2.0
// What a candidate of tune() is worth, from the rows it was judged by.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "core/log_math.hpp"
#include "credence/tune.hpp"
#include "measure/tally.hpp"

namespace credence {

// What the decisions about some rows were worth, as sums over the rows.
struct Sums {
  double weight = 0, right = 0, log_loss = 0, cost = 0;
  double surprise = 0;  // the log-loss were classes drawn by their shares, whatever the columns

  void add(std::span<const double> joint, std::size_t truth, double row_weight,
           const DecisionRule& rule) {
    if (row_weight == 0) return;
    const auto outcome = judge(joint, truth, row_weight, rule);
    weight += row_weight;
    if (outcome.most_probable == truth) right += row_weight;
    log_loss -= row_weight * outcome.log_probability;
    if (!rule.costs.given()) return;
    // Who gives no label and may not reject pays for the worst decision.
    const auto costs = std::span(rule.costs.of).subspan(truth * joint.size(), joint.size());
    cost +=
        row_weight * (std::isfinite(outcome.cost) ? outcome.cost
                                                  : *std::max_element(costs.begin(), costs.end()));
  }
  void add_surprise(std::span<const double> joint, double row_weight,
                    const std::vector<double>& shares) {
    constexpr double most = 36;  // as far as a double tells from 1
    const double total = log_sum_exp(joint);
    for (std::size_t c = 0; c < joint.size(); ++c) {
      if (shares[c] > 0) surprise += row_weight * shares[c] * std::min(most, total - joint[c]);
    }
  }
  Sums& operator+=(const Sums& other) {
    weight += other.weight;
    right += other.right;
    log_loss += other.log_loss;
    cost += other.cost;
    surprise += other.surprise;
    return *this;
  }
  void finish(Tried& tried) const {
    tried.accuracy = right / weight;
    tried.log_loss = log_loss / weight;
    tried.cost = cost / weight;
  }
};

// What is no mean over rows is measured of all of them together: what became of each, and the
// log-odds by which they rank.
struct Kept {
  std::vector<Outcome> outcomes;
  std::vector<double> odds;  // rows x classes

  Kept(std::size_t rows, std::size_t classes) : outcomes(rows), odds(rows * classes) {}
  void set(std::size_t row, std::span<const double> joint, std::size_t truth, double weight,
           const DecisionRule& rule) {
    outcomes[row] = judge(joint, truth, weight, rule);
    const auto of_row = log_odds(joint);
    std::copy(of_row.begin(), of_row.end(),
              odds.begin() + static_cast<std::ptrdiff_t>(row * joint.size()));
  }
  void finish(const std::vector<std::string>& classes, Tried& tried) const {
    MeasureOptions plain;
    plain.confidence = 0;
    Tally tally(plain, classes.size());
    for (std::size_t r = 0; r < outcomes.size(); ++r) {
      tally.add(outcomes[r], std::span(odds).subspan(r * classes.size(), classes.size()));
    }
    const auto metrics = tally.finish(classes);
    tried.macro_f1 = metrics.macro_f1;
    tried.roc_auc = metrics.roc_auc;
  }
};

}  // namespace credence
