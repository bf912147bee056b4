// SPDX-License-Identifier: Apache-2.0
// Calibration and novelty as fit, update and show see them.
#pragma once

#include <string>

#include "cli/options/common.hpp"
#include "cli/options/folds.hpp"
#include "credence/calibrate.hpp"

namespace credence::cli {

// fit --calibrate and --novelty.
struct FitCalibration {
  std::string method;
  bool novelty = false;

  bool asked() const { return novelty || (!method.empty() && method != "none"); }
  // Nothing was said: fit takes some of the rows.
  bool automatic() const { return method.empty(); }
  // Refuses what cannot be read again or held out, before anything is learned.
  void check(const DataOptions& data, bool discriminative, bool unlabelled) const;
  void apply(Model& model, const DataOptions& data, const FoldOptions& folds,
             const Common& common) const;
};
void add_fit_calibration(CLI::App* command, FitCalibration& options);

// What fit found, where the model is calibrated by it.
void note_calibrated(const Common& common, const SampleCalibration& found);

// A calibration knows the classes it was made for; when they change it is removed, and a note says
// so. The same for novelty.
void drop_stale(const Common& common, Model& model);

// For show: a line for each.
std::string extras_text(const Model& model);

}  // namespace credence::cli
