// SPDX-License-Identifier: Apache-2.0
// tune, which is also fit --best.
#pragma once

#include <string>
#include <vector>

#include "cli/options/plan.hpp"

namespace credence::cli {

struct TuneCommandOptions {
  Common common;
  PlanOptions plan;
  std::vector<std::string> tries;  // none: the automatic choice
  std::string effort = "normal";
  std::string by = "log-loss";
  std::string costs;
  FoldOptions folds;
  bool fewer_folds = false;  // where rows are few and nobody could say how many folds
  std::string output;
  std::string when;
};

// `command` is what the model's journal will say.
void run_tune(TuneCommandOptions& options, const char* command);

void add_effort(CLI::App* command, std::string& effort);

}  // namespace credence::cli
