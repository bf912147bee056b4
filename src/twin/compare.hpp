// SPDX-License-Identifier: Apache-2.0
// Generative models and their discriminative twin side by side, on the same rows.
#pragma once

#include <string>
#include <vector>

#include "credence/hold_out.hpp"
#include "twin/logistic.hpp"

namespace credence {

struct Contender {
  std::string name;
  Model model;            // before any row
  bool logistic = false;  // its twin on the same columns, instead of the model itself
};

struct Figures {
  double accuracy = 0, log_loss = 0, brier = 0;
};

struct Comparison {
  std::string name;
  Metrics all;                        // over all rows, each judged by a model that has not seen it
  Figures error;                      // standard errors over the folds
  std::vector<Outcome> rows;          // in the order of the chunks
  std::vector<double> fold_log_loss;  // in the order of the folds
};

// Cross-validation, every contender on the same folds; those of cross_validate().
std::vector<Comparison> compare(const std::vector<Contender>& contenders,
                                const std::vector<Chunk>& chunks, const Folds& folds,
                                const LogisticOptions& options, unsigned threads);

struct CurveOptions {
  std::size_t repeats = 10;
  std::uint64_t seed = 1;
};

// What every contender is worth after `rows` training rows: means over the repeats and their
// standard errors, in the order of the contenders.
struct CurvePoint {
  std::size_t rows = 0;
  std::vector<Figures> mean, error;
};

// Training sizes double from one row per class up to 90 % of the rows; the rest is held out.
// Both are drawn anew for every repeat, by class.
std::vector<CurvePoint> learning_curve(const std::vector<Contender>& contenders,
                                       const std::vector<Chunk>& chunks, const CurveOptions& curve,
                                       const LogisticOptions& options, unsigned threads);

// The place of the first point from which on the one has the lower log-loss at every size;
// curve.size() if there is none.
std::size_t lower_from(const std::vector<CurvePoint>& curve, std::size_t one, std::size_t other);

}  // namespace credence
