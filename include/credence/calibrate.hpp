// SPDX-License-Identifier: Apache-2.0
// Fitting a calibration to rows that the model has not learned, or that are held out.
#pragma once

#include <optional>
#include <vector>

#include "credence/calibration.hpp"
#include "credence/hold_out.hpp"

namespace credence {

// Fits a calibration to held-out scores; held.log_joint was made under `log_prior`. Rows whose true
// class is impossible cannot be helped by any calibration, and are left out.
Calibration fit_calibration(Calibration::Method method, const ScoredRows& held,
                            const std::vector<double>& log_prior);

// How a model is calibrated, and what is usual evidence, in one pass over the rows.
struct CalibrationOptions {
  std::optional<Calibration::Method> method;  // none: the calibration stays as it is
  bool novelty = false;
  bool held_out = false;  // the rows are others than the model has learned
  Folds folds;            // else: how they are held out
};

struct CalibrationReport {
  Metrics before, after;  // on the rows it was fitted to
  double impossible = 0;  // rows whose true class had probability 0: left out
};

// Sets the model's calibration and novelty. Rows the model has learned must be all of them.
CalibrationReport calibrate(Model& model, const std::vector<Chunk>& chunks,
                            const CalibrationOptions& options, unsigned threads = 0);

}  // namespace credence
