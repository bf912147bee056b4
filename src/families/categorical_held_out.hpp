// SPDX-License-Identifier: Apache-2.0
// A column of words judged row by row, each row by the counts without it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "families/family.hpp"
#include "families/statistics/count_table.hpp"

namespace credence {

// Taking a row away changes one count of one class and that class's total, and nothing else, unless
// no other row has the value.
class CategoricalHeldOut {
 public:
  // reserve: a probability is kept for values never seen.
  CategoricalHeldOut(const CountTable& counts, const Estimation& estimation,
                     const std::string& column, bool reserve);

  // out[c] += weight * log p(value | c) without the row (value, cls, own_weight); place: the
  // value's in the table, npos: missing. False, and nothing done, for rows that need the long way.
  bool add(std::size_t place, std::size_t cls, double own_weight, double weight,
           std::span<double> out) const;

 private:
  // What a count is worth under the rule, the imaginary rows included.
  double worth(double count, std::size_t value) const;

  const CountTable& counts_;
  const Estimation& estimation_;
  KnownValues known_;
  bool reserve_;
  bool whole_works_ = true;  // with all rows, every class can be estimated
  std::vector<double> imaginary_;
  std::vector<double> totals_;  // of each class
  std::vector<double> log_p_;   // with all rows: [value][class]
  std::vector<std::size_t> row_of_;
};

}  // namespace credence
