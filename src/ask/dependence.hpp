// SPDX-License-Identifier: Apache-2.0
// Which columns depend on each other although the class is known: what naive Bayes assumes not to
// be. docs/query.md
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ask/query.hpp"
#include "credence/chunk.hpp"
#include "families/statistics/domain.hpp"

namespace credence {

// A column of words, as they come; numbers of which there are many are cut into ranges later.
struct CodedColumn {
  std::string name;
  Domain domain;
  std::vector<std::int32_t> codes;  // negative: missing
  std::size_t ranges = 0;           // of a column of numbers; 0: its values are told apart
};

// The rows of a table column by column, all in memory.
class CodedTable {
 public:
  explicit CodedTable(const std::vector<std::string>& names);

  // chunk.columns[i] holds the words of column i.
  void observe(const Chunk& chunk);
  // Numbers with more values than that become so many ranges with about as many rows in each; the
  // class stays as it is.
  void cut_numbers(std::size_t ranges, std::size_t class_column);

  const std::vector<CodedColumn>& columns() const { return columns_; }
  const std::vector<double>& weights() const { return weights_; }  // empty: every row counts 1
  std::size_t rows() const { return rows_; }

 private:
  std::vector<CodedColumn> columns_;
  std::vector<double> weights_;
  std::size_t rows_ = 0;
};

struct PairDependence {
  std::size_t first = 0, second = 0;  // places among the columns
  double mutual_information = 0;      // nats, given the class
  Significance test = {};  // freedom 0: rows were weighed, not counted, or nothing varies
};

// Of all pairs of columns but that of the class, the most telling first: by p, then by mutual
// information. Rows in which the class or one of the two is missing are left out for that pair.
std::vector<PairDependence> dependence(const CodedTable& table, std::size_t class_column);

}  // namespace credence
