// SPDX-License-Identifier: Apache-2.0
// What logistic regression minimises, with its derivatives. docs/discriminative.md
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "twin/features.hpp"

namespace credence {

// The rows that are fitted.
struct LabelledRows {
  Design x;
  std::vector<std::uint32_t> cls;
  std::vector<double> weight;
  std::size_t classes = 2;
};

// (sum of w log-loss + penalty/2 |beta|^2) / sum of w; intercepts are not penalised.
// Three classes or more have coefficients each. Of two only the second has: the first is its
// complement, and penalising the same boundary twice would halve what a penalty means.
class LogisticLoss {
 public:
  LogisticLoss(const LabelledRows& rows, double penalty);

  std::size_t features() const { return rows_.x.features; }
  std::size_t free_classes() const { return free_; }
  std::size_t first_free() const { return rows_.classes - free_; }
  std::size_t size() const { return free_ * (features() + 1); }
  // Where theta keeps a coefficient; feature == features(): the intercept.
  std::size_t place(std::size_t feature, std::size_t free_class) const {
    return feature * free_ + free_class;
  }

  // The objective at theta; also its gradient (size()) and the lower triangle of its Hessian
  // (size() x size(), by columns) where wanted.
  double value(std::span<const double> theta, std::span<double> gradient = {},
               std::span<double> hessian = {}) const;

  // Whether theta scores the true class of every row strictly highest.
  bool separates(std::span<const double> theta) const;
  // The largest change of a row's scores, relative to its true class's, when theta moves by step.
  double largest_change(std::span<const double> step) const;

 private:
  void scores(std::size_t row, std::span<const double> theta, std::vector<double>& result) const;

  const LabelledRows& rows_;
  double penalty_;
  std::size_t free_;
  double total_ = 0;
};

}  // namespace credence
