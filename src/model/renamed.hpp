// SPDX-License-Identifier: Apache-2.0
// What was measured of a model's classes, when these get other names.
#pragma once

#include <string>
#include <vector>

#include "credence/calibration.hpp"
#include "credence/novelty.hpp"

namespace credence {

// names[c] is the new name of class c. `sorted` holds the same names in the model's new order.
Calibration renamed(const Calibration& calibration, const std::vector<std::string>& names,
                    const std::vector<std::string>& sorted);
Novelty renamed(const Novelty& novelty, const std::vector<std::string>& names,
                const std::vector<std::string>& sorted);

}  // namespace credence
