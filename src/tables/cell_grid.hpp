// SPDX-License-Identifier: Apache-2.0
// The cells of some records at once, for who takes them column by column.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "tables/fields.hpp"
#include "tables/records.hpp"

namespace credence::data {

// Behind the first byte of every cell some memory can be read, whatever its size: so that eight
// bytes can be looked at at once.
class CellGrid {
 public:
  CellGrid(const RecordScanner& records, std::size_t columns, char delimiter);

  // Steps to the next records, as many as stay in near memory; false where there are none left.
  // A record with another number of fields comes alone, as no row: misfit() is how many it has.
  bool next();

  std::size_t rows() const { return lines_.size(); }
  std::size_t line(std::size_t row) const { return lines_[row]; }
  std::string_view at(std::size_t row, std::size_t column) const {
    return cells_[row * columns_ + column];
  }
  const RecordScanner& records() const { return records_; }
  std::size_t misfit() const { return misfit_; }
  std::size_t misfit_line() const { return misfit_line_; }

 private:
  // As far as records are plain: block by block.
  void take_plain();
  // One record of any kind; false where there is none, or where it does not fit behind others.
  bool take_any();
  void keep(const FieldSplitter& fields);

  RecordScanner records_;
  std::size_t columns_;
  char delimiter_;
  std::size_t most_rows_;
  std::vector<std::string_view> cells_;
  std::vector<std::size_t> lines_;
  std::size_t misfit_ = 0, misfit_line_ = 0;
  FieldSplitter fields_;
  std::deque<std::string> kept_;  // cells that were not plain
};

}  // namespace credence::data
