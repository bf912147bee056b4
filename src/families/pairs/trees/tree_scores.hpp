// SPDX-License-Identifier: Apache-2.0
// How probable a row is under the trees of a reading.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "families/pairs/trees/star_table.hpp"

namespace credence {

class TreeScores {
 public:
  static constexpr std::int32_t gap = -1;

  // What a row is scored with; one for each thread.
  struct Room {
    std::vector<std::vector<double>> upwards;  // [column][state][class], of columns not there
    std::vector<std::uint8_t> reached;         // whether a column below such a column is there
    std::vector<double> of_trees;              // [tree][class]
    std::vector<double> of_states, row;        // one number per state, or class
  };

  explicit TreeScores(const ReadPairs& read) : read_(read), stars_(read) {}

  Room room() const;
  // out[c] = log p(row | c); the row has a state, or a gap, for every column that was kept.
  void score(std::span<const std::int32_t> row, Room& room, std::vector<double>& out) const;
  // What score() adds up of one tree: out[column * classes + c] is the log of P(column | those
  // before it in the tree's order, c), which is its parent alone where that is there.
  void factors(std::span<const std::int32_t> row, Room& room, std::span<double> out) const;

 private:
  const StateColumn& states(std::size_t i) const { return read_.columns[read_.kept[i]]; }
  void add_own(std::size_t t, std::span<const std::int32_t> row, std::size_t i, Room& room,
               double* out) const;
  void add_complete(std::size_t t, std::span<const std::int32_t> row, Room& room,
                    double* out) const;
  void add_with_gaps(std::size_t t, std::span<const std::int32_t> row, Room& room,
                     double* out) const;
  void add_given(std::size_t t, std::size_t i, std::int32_t state, std::size_t above, Room& room,
                 double* out) const;

  const ReadPairs& read_;
  StarTable stars_;
};

}  // namespace credence
