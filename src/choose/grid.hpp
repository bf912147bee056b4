// SPDX-License-Identifier: Apache-2.0
// What tune tries: every combination of the choices of all lines.
#pragma once

#include <string>
#include <vector>

#include "credence/model.hpp"
#include "credence/tune.hpp"

namespace credence {

// One line: what is chosen, and from what.
struct Axis {
  std::string name;                  // rule, prior, model, unseen, weights, or columns
  std::vector<std::string> choices;  // at least one
  bool columns = false;              // the choices are families
};

struct Grid {
  std::vector<Axis> axes;
  Model model;  // all blocks of all candidates, before any row
  std::vector<Candidate> candidates;
  std::vector<std::vector<std::string>> choices;    // of each candidate, one per axis
  std::vector<std::vector<PlannedColumn>> columns;  // how each candidate uses the columns
};

// "age: gaussian | kernel", "rule: bayes=0.1 | bayes=1", "weights: off | on".
Axis parse_axis(const std::string& text, const std::vector<ColumnProfile>& profile);

// What is tried where nothing is said: strengths of the prior, and weights.
std::vector<Axis> default_axes(const Plan& plan);

// Plans every combination; the first axis varies slowest.
Grid make_grid(std::vector<Axis> axes, const Plan& plan, const std::vector<ColumnProfile>& profile);

}  // namespace credence
