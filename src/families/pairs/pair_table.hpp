// SPDX-License-Identifier: Apache-2.0
// Weights over (value of one column, value of another, class). Only pairs of values that some row
// has take room.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/exact_sums.hpp"

namespace credence {

// Numbers the pairs that it meets, in the order in which it meets them.
class PairIndex {
 public:
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  std::size_t size() const { return keys_.size(); }
  std::size_t first(std::size_t cell) const { return keys_[cell] >> 32; }
  std::size_t second(std::size_t cell) const { return keys_[cell] & 0xFFFFFFFFu; }
  std::size_t find(std::size_t first, std::size_t second) const;
  // The number of the pair, which is new if it is the size before.
  std::size_t insert(std::size_t first, std::size_t second);

 private:
  static std::uint64_t key(std::size_t first, std::size_t second) { return first << 32 | second; }
  std::size_t slot_of(std::uint64_t key) const;
  void grow();

  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> slots_;  // the number plus one, 0: free; a power of two of them
};

class PairTable {
 public:
  explicit PairTable(std::size_t classes = 0) : classes_(classes) {}

  std::size_t cells() const { return index_.size(); }
  const PairIndex& index() const { return index_; }
  double operator()(std::size_t cell, std::size_t cls) const {
    return counts_[cell * classes_ + cls];
  }
  DoubleDouble exact(std::size_t cell, std::size_t cls) const {
    return counts_.exact(cell * classes_ + cls);
  }
  // The cell of two values, made where there is none.
  std::size_t cell(std::size_t first, std::size_t second);
  void add(std::size_t cell, std::size_t cls, DoubleDouble weight) {
    counts_.add(cell * classes_ + cls, weight);
  }
  void add_one(std::size_t cell, std::size_t cls) { counts_.add_one(cell * classes_ + cls); }

  void rearrange_classes(std::span<const std::size_t> from);
  void scale(double factor) { counts_.scale(factor); }
  // Values get these new places, npos: none; cells without weight go, the others are sorted.
  void rearrange_values(std::span<const std::size_t> first, std::span<const std::size_t> second);

 private:
  std::size_t classes_;
  PairIndex index_;
  ExactSums counts_;  // [cell][class]
};

}  // namespace credence
