// SPDX-License-Identifier: Apache-2.0
// Weights over (value of one column, value of another, class), for every two columns of a block;
// and over (value, class) for each. Only pairs of values that some row has take room.
// docs/families/pairs.md
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/tensors.hpp"
#include "families/pairs/pair_table.hpp"
#include "families/statistics/count_table.hpp"

namespace credence {

struct CodedCells;

// The arrays of a block's statistics (declared.hpp).
class PairCounts {
 public:
  // names: the columns; declared: the values of each that need not be seen to be known.
  PairCounts(std::vector<std::string> names, const std::vector<std::vector<std::string>>& declared);

  std::size_t columns() const { return singles_.size(); }
  std::size_t classes() const { return classes_; }
  const CountTable& single(std::size_t column) const { return singles_[column]; }
  // The values of `first` come first; first < second.
  const PairTable& pair(std::size_t first, std::size_t second) const {
    return pairs_[place(first, second)];
  }
  // classes[row] is the row's class, negative: skip the row. Empty weights: every row weighs 1.
  void observe(const std::vector<const CodedCells*>& columns, std::span<const double> weights,
               std::span<const std::int32_t> classes);

  std::vector<double> row_weights() const;  // [class][column]
  void rearrange_classes(std::span<const std::size_t> from);
  void merge(const PairCounts& other, std::span<const std::size_t> class_map, int sign);
  void scale(double factor);
  void canonicalise();
  std::string defect(const std::string& columns, const std::vector<std::string>& classes) const;
  void save(Tensors& tensors, const std::string& prefix) const;
  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes);

 private:
  std::size_t place(std::size_t first, std::size_t second) const {
    return second * (second - 1) / 2 + first;
  }
  template <typename Visit>  // (first, second, place), in the order of the places
  void each_pair(const Visit& visit) const;
  std::string defect_of_pair(std::size_t first, std::size_t second,
                             const std::vector<std::string>& classes) const;

  std::vector<std::string> names_;
  std::size_t classes_ = 0;
  std::vector<CountTable> singles_;
  std::vector<PairTable> pairs_;
};

}  // namespace credence
