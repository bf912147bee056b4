// SPDX-License-Identifier: Apache-2.0
// Fitting a calibration to rows that the model has not learned, or that are held out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "credence/calibration.hpp"
#include "credence/hold_out.hpp"

namespace credence {

// Fits a calibration to held-out scores; held.log_joint was made under `log_prior`. Rows whose true
// class is impossible cannot be helped by any calibration, and are left out.
// doubt: 1 / the variance that biases of classes are thought to have; 0: nothing is thought of
// them.
Calibration fit_calibration(Calibration::Method method, const ScoredRows& held,
                            const std::vector<double>& log_prior, double doubt = 0);

// How a model is calibrated, and what is usual evidence, in one pass over the rows.
struct CalibrationOptions {
  std::optional<Calibration::Method> method;  // none: the calibration stays as it is
  bool novelty = false;
  bool held_out = false;  // the rows are others than the model has learned
  Folds folds;            // else: how they are held out
};

struct CalibrationReport {
  Metrics before, after;     // of the model, under its own prior, on the rows it was fitted to
  double impossible = 0;     // rows whose true class had probability 0: left out
  bool other_prior = false;  // the model's prior is not the shares of the classes among the rows
};

// Sets the model's calibration and novelty. Rows the model has learned must be all of them.
CalibrationReport calibrate(Model& model, const std::vector<Chunk>& chunks,
                            const CalibrationOptions& options, unsigned threads = 0);

// Some of many rows, whichever chunks they come in: all of few, and of more at least half as many
// as are kept at most, chosen by their number. For Model::learn().
class RowSample {
 public:
  static constexpr std::size_t usual = 5000;
  explicit RowSample(std::size_t most = usual) : most_(most) {}
  void add(const Chunk& chunk);
  std::vector<Chunk> chunks() const;

 private:
  struct Piece {
    std::vector<std::uint64_t> numbers;  // of the rows, from 0
    Chunk chunk;
  };
  std::size_t most_;
  std::uint64_t step_ = 1;  // one row in so many is kept
  std::uint64_t seen_ = 0;
  std::size_t kept_ = 0;
  std::vector<Piece> pieces_;
};

// The numbers of the rows that a sample of so many rows keeps, in their order: for rows that lie
// apart.
std::vector<std::uint64_t> sampled_rows(std::uint64_t rows, std::size_t most = 5000);

struct SampleCalibration {
  double rows = 0;               // held out; 0: there was nothing to go on
  double before = 0, after = 0;  // their log-loss
  double slope = 1;
  bool taken = false;  // the model has it now
};

// Calibrates by some of the rows that the model has learned, held out by subtraction: a slope, and
// biases of the classes, which are thought to be small. It is taken where the log-loss falls by
// more than a standard error: docs/calibration.md. Nothing is done with fewer than 100 rows, under
// rules but bayes, and for documents.
SampleCalibration calibrate_by_sample(Model& model, const RowSample& learnt, unsigned threads = 0);

}  // namespace credence
