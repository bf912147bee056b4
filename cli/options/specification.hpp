// SPDX-License-Identifier: Apache-2.0
// Models with options of their own, for compare.
#pragma once

#include <string>
#include <vector>

#include "cli/options/plan.hpp"

namespace credence::cli {

struct Specified {
  std::string name;
  PlanOptions plan;
  bool logistic = false;
};

// Each is 'NAME: OPTIONS OF FIT', read into a copy of the options of the command itself.
std::vector<Specified> parse_specs(const std::vector<std::string>& texts, const PlanOptions& base);

}  // namespace credence::cli
