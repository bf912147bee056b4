// SPDX-License-Identifier: Apache-2.0
// Rows whose class is not known help to learn what the classes look like: docs/semi.md
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "credence/hold_out.hpp"
#include "credence/model.hpp"

namespace credence {

struct UnlabelledOptions {
  double weight = 1;             // of a row without a class, against one that has a class
  std::size_t most_steps = 200;  // of expectation and maximisation
  double tolerance = 1e-6;       // the last step raises the objective by less, per unit of weight
};

struct SemiSupervised {
  Model model;
  // After each step: log p of the rows that have a class, with it, and of those that have none,
  // times their weight, and of the parameters under the rule's prior. It never falls, unless `odd`.
  std::vector<double> objective;
  std::string odd = {};  // a block whose estimate is no maximum, so that the objective may fall
  bool converged = false;
  double labelled = 0, unlabelled = 0;  // rows
  double impossible = 0;                // rows that no class allows: left out
};

// Called after every step with the objective.
using EmProgress = std::function<void(std::size_t step, double objective)>;

// Expectation-maximisation (Nigam, McCallum, Thrun & Mitchell, 2000), from the model of the rows
// that have a class. `model` is the model before any row.
SemiSupervised learn_unlabelled(const Model& model, const std::vector<Chunk>& chunks,
                                const UnlabelledOptions& options = {}, unsigned threads = 0,
                                const EmProgress& progress = {});

struct UnlabelledWeight {
  double weight = 0;  // the best
  // Of every weight tried: the mean of -log P(true class) of rows that were held out.
  std::vector<std::pair<double, double>> log_loss;
};

// Tries weights on folds of the rows that have a class.
UnlabelledWeight choose_unlabelled_weight(
    const Model& model, const std::vector<Chunk>& chunks, const Folds& folds = {5, false, true, 1},
    const std::vector<double>& weights = {0, 0.01, 0.03, 0.1, 0.3, 1}, unsigned threads = 0,
    const std::function<void(double weight, double log_loss)>& progress = {});

// Only rows that have a class, or only those that have none.
std::vector<Chunk> with_class(const std::vector<Chunk>& chunks, bool labelled);

}  // namespace credence
