// SPDX-License-Identifier: Apache-2.0
// A table of words with a weight for every distinct row: all that a question about
// probabilities needs of the data, or of a model.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/double_double.hpp"
#include "credence/chunk.hpp"
#include "families/statistics/domain.hpp"

namespace credence {

// Equal rows are kept once, with the sum of their weights: memory depends on the combinations
// that occur, not on the rows read.
class WeightedTable {
 public:
  using Code = std::int32_t;
  static constexpr Code missing = Categories::missing_code;

  explicit WeightedTable(std::vector<std::string> columns);

  // One value for each column.
  void add(const std::vector<std::string>& values, double weight = 1);
  // The same by codes of the domains. A row with a missing code is counted, and left out.
  void add(std::span<const Code> codes, DoubleDouble weight);
  // The rows of a chunk; chunk.columns[places[i]] holds the words of column i.
  void observe(const Chunk& chunk, std::span<const std::size_t> places);
  // The code of a value, new or known.
  Code intern(std::size_t column, std::string_view value);

  const std::vector<std::string>& columns() const { return columns_; }
  // The place of a column; a usage error when there is none of that name.
  std::size_t column(const std::string& name) const;
  const Domain& domain(std::size_t column) const { return domains_[column]; }

  // The distinct rows, in the order in which they first occurred.
  std::size_t size() const { return weights_.size(); }
  std::span<const Code> row(std::size_t i) const {
    return {codes_.data() + i * columns_.size(), columns_.size()};
  }
  DoubleDouble weight(std::size_t i) const { return weights_[i]; }
  // The weight of these codes, 0 when they never occurred together.
  DoubleDouble weight(std::span<const Code> codes) const;

  bool counts() const { return counts_; }             // every row added had the weight 1
  std::size_t left_out() const { return left_out_; }  // rows with a missing value

  // The table of some of the columns. Rows that `keep` refuses stay, with weight 0.
  WeightedTable project(std::span<const std::size_t> columns,
                        const std::function<bool(std::span<const Code>)>& keep) const;

 private:
  std::vector<std::string> columns_;
  std::vector<Domain> domains_;
  std::vector<Code> codes_;  // size() x columns
  std::vector<DoubleDouble> weights_;
  std::unordered_map<std::string, std::size_t> places_;  // the bytes of a row's codes -> row
  bool counts_ = true;
  std::size_t left_out_ = 0;
};

}  // namespace credence
