// SPDX-License-Identifier: Apache-2.0
// How well scores put one kind of row before another: areas under curves, with ties and weights.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "credence/evaluate.hpp"

namespace credence {

// Rows of one score: the weight of those that are of the class and of those that are not, and the
// sums of their squared weights.
struct RankStep {
  double score = 0;
  double positive = 0, negative = 0;
  double positive_squares = 0, negative_squares = 0;

  void add(bool is_positive, double weight);
};

// Steps from the highest score down, one for each score.
struct Ranking {
  std::vector<RankStep> steps;
  double positive = 0, negative = 0;  // in all
  double positive_squares = 0, negative_squares = 0;

  explicit Ranking(std::vector<RankStep> steps);

  // Σ over pairs of (positive, negative) of [s+ > s-] + [s+ = s-] / 2, over their number. NaN
  // without a pair.
  double roc_auc() const;
  // The area if ties were all in the best order, minus that of the worst, halved.
  double roc_auc_error() const;
  // DeLong's standard error, by ranks (Sun and Xu 2014); NaN with fewer than two of either kind.
  double roc_auc_deviation(double auc) const;
  // Σ over steps of (gain in recall) times precision. NaN without a positive.
  double average_precision() const;
  // The mean over all coverages of the share of negatives among the rows answered.
  double reject_area() const;
};

// The scores of all rows for all classes, or, past a limit, how many rows are in each bin of
// scores.
class Scores {
 public:
  Scores(std::size_t classes, std::size_t limit) : classes_(classes), limit_(limit) {}

  // truth: the class, or any number from `classes` on for another one.
  void add(std::span<const double> scores, std::size_t truth, double weight);
  Ranking ranking(std::size_t cls) const;
  bool exact() const { return bins_.empty(); }

 private:
  using Bins = std::map<std::int32_t, RankStep>;
  void put_in_bins(std::span<const double> scores, std::size_t truth, double weight);

  double weight(std::size_t row) const { return weights_.empty() ? 1.0 : weights_[row]; }

  std::size_t classes_, limit_;
  std::vector<double> scores_;         // rows x classes
  std::vector<std::uint32_t> truths_;  // of each row
  std::vector<double> weights_;        // of each row; empty: all 1
  std::vector<Bins> bins_;             // by class
};

}  // namespace credence
