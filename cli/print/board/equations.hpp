// SPDX-License-Identifier: Apache-2.0
// A model as equations: its linear form, where two classes are equally probable, the thresholds of
// one column, and how many parameters it has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/print/board/sheet.hpp"
#include "credence/scorer.hpp"

namespace credence::cli {

// Every class's score; with two classes also their difference, whose sign decides.
std::string linear_text(const LinearForm& form, const std::vector<std::string>& classes,
                        Sheet sheet);
Json linear_json(const LinearForm& form, const std::vector<std::string>& classes);

// The log-odds of every pair of classes as a sum, and the thresholds of a model of one column.
std::string equations_text(const Model& model, const Scorer& scorer, Sheet sheet);
Json equations_json(const Model& model, const Scorer& scorer);

// The free parameters, block by block, beside those of the table of all combinations.
std::string parameters_text(const Model& model, const Scorer& scorer, Sheet sheet);
Json parameters_json(const Model& model, const Scorer& scorer);

}  // namespace credence::cli
