// SPDX-License-Identifier: Apache-2.0
// The trees of aode in one piece of memory: what a state of one column says of all states of all
// columns lies side by side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "families/pairs/read_pairs.hpp"

namespace credence {

class StarTable {
 public:
  StarTable() = default;                      // empty
  explicit StarTable(const ReadPairs& read);  // empty where there are no stars, or too much to hold

  bool empty() const { return table_.empty(); }
  // of_trees[tree * classes + class] = log p(row | class) by that tree. The row has no gap.
  void score(std::span<const std::int32_t> row, std::span<double> of_trees) const;

 private:
  template <std::size_t fixed>
  void add_up(std::span<const std::int32_t> row, double* out) const;

  std::size_t classes_ = 0;
  std::size_t width_ = 0;           // of the states of all columns, times classes
  std::vector<std::size_t> first_;  // where the states of each column begin
  std::vector<double> table_;       // [state of the parent][state][class]
};

}  // namespace credence
