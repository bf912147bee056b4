// SPDX-License-Identifier: Apache-2.0
// How probabilities become labels: --reject, --threshold and --costs, the same in every command.
#pragma once

#include <string>
#include <vector>

#include "cli/options/common.hpp"
#include "credence/decision.hpp"

namespace credence::cli {

struct DecideOptions {
  double reject = 0;
  std::vector<std::string> thresholds;  // 'spam=0.9'
  std::string costs;
};

void add_deciding(CLI::App* command, DecideOptions& options);

DecisionRule rule_of(const DecideOptions& options, const std::vector<std::string>& classes);

}  // namespace credence::cli
