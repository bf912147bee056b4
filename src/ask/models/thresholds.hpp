// SPDX-License-Identifier: Apache-2.0
// What one can say of a model in numbers: where one column decides, and how many parameters there
// are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "credence/scorer.hpp"

namespace credence {

// The classes along one column of numbers.
struct Thresholds {
  std::string column;
  std::vector<double> thresholds;           // rising
  std::vector<std::size_t> winners;         // below the first, between each two, above the last
  std::optional<std::size_t> at_zero = {};  // where zeros stand apart: the class of 0 itself
};

// Whether a table has one column: a number, or a count.
bool is_one_number(const Schema& schema);

// Of a form, with squares, in which one column of numbers stands alone; nothing of any other.
std::optional<Thresholds> thresholds(const Model& model, const Scorer& scorer,
                                     const LinearForm& form);

// The same of any model of one column of numbers, found by looking and halving: where no equation
// says it. It looks where each class has drawn values, and evenly between and beyond them: a region
// that it misses is one where no class is ever likely to be met.
std::optional<Thresholds> found_thresholds(const Model& model, const Scorer& scorer);

struct ParameterCounts {
  struct Block {
    std::string title, family;
    double parameters = 0;
    std::optional<double> of_each_class = {};  // nothing where classes share some
  };
  double prior = 0, all = 0;
  std::vector<Block> blocks;
  double log10_table = 0;        // of the cells of the table of all combinations, classes included
  std::string no_table_because;  // some column has no finite list of values: which
};
ParameterCounts count_parameters(const Model& model, const Scorer& scorer);

}  // namespace credence
