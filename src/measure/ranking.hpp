// SPDX-License-Identifier: Apache-2.0
// How well scores put one kind of row before another: areas under curves, with ties and weights.
#pragma once

#include <cstdint>
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

// How many rows have which score, in bins that double in width when there are too many of them.
// What does not belong to the class is summed up, which is nearly all of it; rows that do belong to
// it keep their scores.
class ScoreBins {
 public:
  void add(bool is_positive, double score, double weight, std::size_t most_bins);
  Ranking ranking() const;

 private:
  struct Sum {
    double weight = 0, squares = 0;
  };
  struct Positive {
    double score, weight;
  };
  std::int32_t bin_of(double score) const;
  void widen();

  int shift_ = 0;           // a bin is so many times two of the narrowest
  std::int32_t first_ = 0;  // the bin of others_[0]
  std::vector<Sum> others_;
  Sum impossible_, certain_;  // of scores that are infinite
  std::vector<Positive> positives_;
};

// The scores of all rows for all classes, or, past a limit, how many rows are in each bin of
// scores.
class Scores {
 public:
  Scores(std::size_t classes, std::size_t limit) : classes_(classes), limit_(limit) {}

  struct Row {
    std::size_t number;  // by which rows of one score are summed up in whatever order they come
    std::size_t truth;   // the class, or any number from `classes` on for another one
    double weight;
  };
  // scores: rows x classes.
  void add(std::span<const Row> rows, std::span<const double> scores);
  Ranking ranking(std::size_t cls) const;
  bool exact() const { return bins_.empty(); }

 private:
  void put_in_bins(std::span<const Row> rows, std::span<const double> scores);
  void keep(const Row& row);

  double weight(std::size_t i) const { return weights_.empty() ? 1.0 : weights_[i]; }
  std::size_t number(std::size_t i) const { return numbers_.empty() ? i : numbers_[i]; }

  std::size_t classes_, limit_;
  std::vector<double> scores_;         // rows x classes
  std::vector<std::uint32_t> truths_;  // of each row
  std::vector<double> weights_;        // of each row; empty: all 1
  std::vector<std::size_t> numbers_;   // of each row; empty: one after the other
  std::vector<ScoreBins> bins_;        // by class
};

}  // namespace credence
