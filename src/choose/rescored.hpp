// SPDX-License-Identifier: Apache-2.0
// Calibrating by rows whose scores are more than memory holds: they are made anew for every look.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "credence/calibrate.hpp"
#include "credence/evaluate.hpp"

namespace credence {

// What is made of some rows, and of their log joints, rows x classes.
struct Look {
  std::vector<double> sums = {};  // added up over all rows
  std::vector<Outcome> outcomes = {};
};
using LookAt =
    std::function<Look(std::span<const ScoredRows::Row> rows, std::span<const double> log_joint)>;
// Looks at all rows: in parallel, and adds up in an order that does not depend on the threads.
using LookAtAll =
    std::function<void(const LookAt& look, const std::function<void(const Look&)>& add)>;

// Log joints made under one prior, as they are under another.
void change_prior(std::span<double> log_joint, std::span<const double> from,
                  std::span<const double> to);
bool differ(std::span<const double> log_prior, std::span<const double> other);

[[noreturn]] void no_better_than_chance(double slope);

struct Rescored {
  Calibration calibration;
  CalibrationReport report;
};

// As fit_calibration() by temperature, with one look for every step. The report is that of a model
// whose prior is `log_prior_now`.
Rescored fit_temperature(const std::vector<std::string>& classes,
                         const std::vector<double>& log_prior,
                         const std::vector<double>& log_prior_now, const LookAtAll& look_at_all);

}  // namespace credence
