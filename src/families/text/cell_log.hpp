// SPDX-License-Identifier: Apache-2.0
// Sums by (word, class) while they are being collected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "families/text/cell_list.hpp"

namespace credence {

// What is added is written down, one behind the other, and added up when there is as much again as
// there are sums. That is a few passes over memory in order, where a table of sums would be a visit
// to a random place of it for each. What is added to a sum is added in the order in which it came.
class CellLog {
 public:
  void add(std::size_t word, std::size_t cls, const CellSums& sums) {
    // Growing by and by would copy what is there again and again.
    if (cells_.size() == few) cells_.reserve(limit_);
    cells_.push_back({static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(cls), sums});
    if (cells_.size() >= limit_) add_up();
  }

  // Afterwards there is one cell for each (word, class), in the order of these numbers.
  void add_up();
  bool added_up() const { return sums_ == cells_.size(); }
  // Where the cells of each of so many words end, behind a 0. Of cells that are added up.
  std::vector<std::size_t> ends(std::size_t words) const;

  // Class c becomes to[c]; cells of a class that becomes npos are dropped.
  void rearrange_classes(std::span<const std::size_t> to);
  // Cells whose weight has become 0.
  void drop_weightless();

  const CellList& cells() const { return cells_; }

 private:
  static constexpr std::size_t few = std::size_t{1} << 16, least_limit = std::size_t{1} << 20;

  CellList cells_;
  std::size_t sums_ = 0;  // of the cells, those at the front that are added up
  std::size_t limit_ = least_limit;
};

}  // namespace credence
