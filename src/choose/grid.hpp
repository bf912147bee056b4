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
  std::string name;                  // rule, prior, model, unseen, trust, or columns
  std::vector<std::string> choices;  // at least one, the simplest first
  bool columns = false;              // the choices are families; of numbers named models, too
  bool yields = false;               // what a plan says of a column goes before the choice
  // Of each choice the columns it is for; empty: those that the axis is named after. A choice that
  // is for none leaves the plan as it is.
  std::vector<std::string> patterns = {};

  // Whether the choice is the name of a model of all numbers together, which is no family.
  bool names_model(const std::string& choice) const;
  // "numbers: kernel", as people write it under Plan::as; "" where nothing is said.
  std::string line(const std::string& choice) const;
};

struct Grid {
  std::vector<Axis> axes;
  Model model;  // all blocks of all candidates, before any row
  std::vector<Candidate> candidates;
  std::vector<std::vector<std::string>> choices;    // of each candidate, one per axis
  std::vector<std::vector<PlannedColumn>> columns;  // how each candidate uses the columns
};

// "age: gaussian | kernel", "rule: bayes=0.1 | bayes=1", "trust: off | on".
Axis parse_axis(const std::string& text, const std::vector<ColumnProfile>& profile);

// What is tried where nothing is said: families of the numbers and of the documents that nobody
// has said anything of, weights, and strengths of the prior.
std::vector<Axis> automatic_axes(const Plan& plan, const std::vector<ColumnProfile>& profile);

// Plans every combination; the first axis varies slowest.
Grid make_grid(std::vector<Axis> axes, const Plan& plan, const std::vector<ColumnProfile>& profile);

}  // namespace credence
