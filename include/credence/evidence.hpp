// SPDX-License-Identifier: Apache-2.0
// How probable the rows are when no parameter is estimated at all, and the families that this and
// rows held out speak for: docs/evidence.md
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "credence/model.hpp"
#include "credence/source.hpp"

namespace credence {

// Of every block, the log of the probability (density) of its columns in all rows observed, given
// their classes: parameters are integrated out under the prior of the model's rule. Nothing where
// that has no closed form, or the rule no prior.
std::vector<std::optional<double>> log_evidence(const Model& model);

// The family that the rows speak for, for every column of numbers that the plan leaves open ("x:
// auto"); for Plan::chosen. `chunks`: all rows, selected with open_columns().
std::map<std::string, ChosenFamily> choose_families(const Plan& plan, const Schema& open,
                                                    const std::vector<Chunk>& chunks,
                                                    unsigned threads = 0);

// The columns of numbers that the plan leaves open, and the target: what has to be read to choose.
// No columns: nothing is open.
Schema open_columns(const std::vector<ColumnProfile>& profile, const Plan& plan);

}  // namespace credence
