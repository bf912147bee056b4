// SPDX-License-Identifier: Apache-2.0
// The prior and one table per column, as a lecturer would write them on the board.
#pragma once

#include <string>
#include <vector>

#include "cli/print/board/sheet.hpp"
#include "credence/scorer.hpp"

namespace credence::cli {

struct TableOptions {
  Sheet sheet = Sheet::plain;
  std::size_t top = 40;    // rows of a table
  std::size_t words = 10;  // of a list
  bool fractions = true;   // of counts; a model written by hand has none
};

std::string prior_text(const Model& model, const Scorer& scorer, const TableOptions& options);
std::string table_text(const ParameterTable& table, const std::vector<std::string>& classes,
                       const TableOptions& options);

}  // namespace credence::cli
