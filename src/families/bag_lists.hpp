// SPDX-License-Identifier: Apache-2.0
// The word lists of a bag with many features, as those of a text.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "credence/rule.hpp"
#include "families/count_table.hpp"
#include "families/text_lists.hpp"

namespace credence {

struct BagCells {
  const KnownValues& known;
  std::span<const double> counts;  // [feature][class]
  std::span<const double> totals;  // per class: draws, or rows
  double prior;                    // imaginary count of every feature
  bool coins;                      // presence, not draws
};

// What a rule adds to the count of each of so many values.
double imaginary_count(std::size_t values, const Rule& rule);

// None for a bag whose table is short enough to be read.
std::vector<ParameterTable::WordList> bag_lists(const BagCells& cells,
                                                const std::vector<std::string>& classes,
                                                const std::vector<double>& class_weights);

}  // namespace credence
