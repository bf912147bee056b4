// SPDX-License-Identifier: Apache-2.0
// Words in pictures: those that speak for each class, and all of a bag.
#pragma once

#include <string>
#include <vector>

#include "credence/parameters.hpp"
#include "plot/drawing/canvas.hpp"

namespace credence::plot {

// The lists of words of a table, a panel per class.
std::string word_panels(const ParameterTable& table, const Look& look);
// The probability of every feature of a table, in their order, a panel per class.
std::string all_words(const ParameterTable& table, const std::vector<std::string>& classes,
                      const std::string& target, const Look& look);

}  // namespace credence::plot
