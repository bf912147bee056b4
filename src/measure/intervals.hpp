// SPDX-License-Identifier: Apache-2.0
// How far an estimate may be from the truth. Weighted rows count as (Σw)² / Σw² rows.
#pragma once

#include <vector>

#include "credence/evaluate.hpp"

namespace credence {

// That many standard deviations lie on either side of the mean with this probability.
double normal_quantile(double confidence);

// Of a share, after Wilson (1927).
Interval wilson(double share, double rows, double z);
// value ± z deviation; cut to where values can be.
Interval normal(double value, double deviation, double z, double least, double most);
// Of an area under precision and recall: normal for its logit (Boyd, Eng and Page 2013). None at 1.
Interval logit(double value, double positives, double z);
// The middle `confidence` of the values; NaN ones are left out, unless they are most. None where
// all values are alike: that nothing went wrong yet does not mean that nothing can.
Interval middle(std::vector<double> values, double confidence);

// The mean of weighted values and its variance, in one pass.
class WeightedMean {
 public:
  void add(double value, double weight);
  double weight() const { return weight_; }
  double mean() const { return weight_ > 0 ? sum_ / weight_ : 0; }
  // The standard error of the mean: sqrt(Σ w² (x - mean)²) / Σw, times sqrt(n / (n - 1)).
  double deviation() const;
  // (Σw)² / Σw²
  double rows() const { return weight_ * weight_ / squares_; }

 private:
  double weight_ = 0, sum_ = 0;
  double squares_ = 0, mean_by_squares_ = 0, spread_ = 0;  // the same under weights w²
};

}  // namespace credence
