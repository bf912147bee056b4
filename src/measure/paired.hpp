// SPDX-License-Identifier: Apache-2.0
// Whether of two models, judged on the same rows in the same folds, one is really the better.
#pragma once

#include <span>
#include <vector>

#include "credence/evaluate.hpp"

namespace credence {

// McNemar's exact test: of the rows that only one of the two got right, how surprising it is that
// so many are the one's, were each as likely the other's. Two-sided.
double mcnemar_p(double only_one, double only_other);

// The corrected resampled t-test (Nadeau & Bengio, 2003) of the mean of these differences, one per
// fold, against 0: a fold's training rows are mostly those of the other folds, so the differences
// are not independent and their variance is enlarged by `test_share`, the rows tested per row
// learnt from. Two-sided; NaN where a difference is not finite.
double corrected_t_p(std::span<const double> differences, double test_share);

struct PairedTest {
  double only_one = 0, only_other = 0;  // rows that only the one, only the other, got right
  double decisions_p = 1;               // McNemar's
  double log_loss_difference = 0;       // the one's less the other's
  double log_loss_p = 1;                // corrected t
};

// Outcomes in the order of the rows, and log-losses in that of the folds. Rows of weight 0 are not
// counted; others count once.
PairedTest compare_pairs(std::span<const Outcome> one, std::span<const Outcome> other,
                         std::span<const double> one_by_fold,
                         std::span<const double> other_by_fold);

}  // namespace credence
