// SPDX-License-Identifier: Apache-2.0
// Calibration: probabilities that mean what they say. docs/calibration.md
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/rule.hpp"
#include "credence/scorer.hpp"

namespace credence {

// What makes posteriors out of scores, once it is fitted to rows the scores were not made from.
struct Calibration {
  enum class Method {
    temperature,  // one slope on the log posterior: the order of the classes stays
    platt,        // the same, and a bias for every class
    isotonic,     // a rising curve for every class against the others
  };

  // Probability over log-odds: straight between its points, level beyond them.
  struct Curve {
    std::vector<double> score;  // ascending
    std::vector<double> probability;
    double at(double log_odds) const;
  };

  Method method = Method::temperature;
  std::vector<std::string> classes;
  std::vector<double> log_prior;   // shares of the classes among the rows it was fitted to, not 0
  Rule rule;                       // the scores were made under
  double rows = 0;                 // it was fitted to
  double slope = 1;                // temperature, platt
  std::vector<double> bias = {};   // platt: one per class, the first 0
  std::vector<Curve> curves = {};  // isotonic: one per class; of two classes, of the second alone
  double model_rows = 0;  // fitted to a sample of so many rows that the model had; 0: to all

  // Turns a row's log P(c, x) under this prior into log p(x) + log P(c | x), calibrated. The
  // evidence stays as it was, and so do classes that are impossible.
  void apply(std::span<double> log_joint, std::span<const double> prior_now) const;
  // The same up to what all classes of a row share; false, and nothing done, for curves.
  bool compare(std::span<double> log_joints, std::span<const double> prior_now) const;
  // The same for a linear form; false where a curve makes it none.
  bool apply(LinearForm& form, std::span<const double> prior_now) const;
  // Whether it is about these classes and this rule: else it says nothing of the model.
  bool fits(const Model& model) const;
};

Calibration::Method parse_calibration_method(const std::string& name);
std::string to_string(Calibration::Method method);

}  // namespace credence
