// SPDX-License-Identifier: Apache-2.0
// fit --unlabelled: rows that have no class.
#pragma once

#include <string>
#include <vector>

#include "cli/options/plan.hpp"

namespace credence::cli {

struct UnlabelledArguments {
  std::vector<std::string> paths;
  bool own_rows = false;  // rows of DATA without a class, too
  std::string weight;
  std::size_t steps = 200;
  double tolerance = 1e-6;

  bool asked() const { return !paths.empty() || own_rows; }
};

void add_unlabelled(CLI::App* command, UnlabelledArguments& arguments);

// Learns DATA and the rows without a class into the planned model.
void learn_with_unlabelled(Planned& planned, const UnlabelledArguments& arguments,
                           const PlanOptions& options, const Common& common);

}  // namespace credence::cli
