// SPDX-License-Identifier: Apache-2.0
#include "tables/cell_grid.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "notation/plain_decimal.hpp"
#include "tables/separators.hpp"

namespace credence::data {
namespace {

constexpr std::size_t near_cells = std::size_t{1} << 12;
// Bytes from the start of each cell on.
constexpr std::size_t readable = std::max<std::size_t>(decimal_padding, 8);

// A cell without a quote inside; false where it opens with one and does not end with one.
bool plain_cell(const char* start, const char* stop, std::string_view& cell) {
  cell = std::string_view(start, static_cast<std::size_t>(stop - start));
  if (cell.empty()) return true;
  if (cell.front() == '"') {
    if (cell.size() < 2 || cell.back() != '"') return false;
    cell = cell.substr(1, cell.size() - 2);
    return true;
  }
  if (is_space(cell.front()) || is_space(cell.back())) cell = trimmed(cell);
  return true;
}

}  // namespace

CellGrid::CellGrid(const RecordScanner& records, std::size_t columns, char delimiter)
    : records_(records),
      columns_(columns),
      delimiter_(delimiter),
      most_rows_(std::clamp<std::size_t>(near_cells / columns, 1, 512)),
      cells_(most_rows_ * columns),
      fields_(delimiter, columns) {
  lines_.reserve(most_rows_);
}

bool CellGrid::next() {
  lines_.clear();
  kept_.clear();
  misfit_ = 0;
  while (rows() < most_rows_) {
    take_plain();
    if (rows() == most_rows_ || !take_any()) break;
  }
  return rows() > 0 || misfit_ > 0;
}

void CellGrid::take_plain() {
  const std::string_view rest = records_.rest();
  const char* const end = rest.data() + rest.size();
  const char* start = rest.data();  // of the cell
  const char* whole = start;        // the end of the last record
  const std::size_t first = rows();
  std::string_view* row = cells_.data() + first * columns_;
  std::size_t column = 0;
  const std::size_t first_line = records_.next_line();
  std::size_t line = first_line;
  QuoteTracker quotes;
  bool plain = true;
  for (const char* p = start; plain && p + separator_block + readable <= end;
       p += separator_block) {
    const auto block = quotes.next(separators(p, delimiter_));
    const std::uint64_t odd = block.odd | block.doubled | block.quoted_newlines;
    plain = odd == 0;
    std::uint64_t ends = (block.delimiters | block.newlines) & ((odd & (~odd + 1)) - 1);
    for (; ends; ends &= ends - 1) {
      const int bit = std::countr_zero(ends);
      const char* const stop = p + bit;
      const bool last = block.newlines >> bit & 1;
      const bool carriage = last && stop > start && stop[-1] == '\r';
      if ((column + 1 == columns_) != last || !plain_cell(start, stop - carriage, row[column]) ||
          (last && column == 0 && row[0].empty() && *start != '"')) {
        plain = false;  // too few fields or too many, an open quote or a blank line
        break;
      }
      start = stop + 1;
      ++column;
      if (!last) continue;
      const std::string_view record(whole, static_cast<std::size_t>(stop - carriage - whole));
      const bool header = records_.is_header(record, line);
      whole = start;
      column = 0;
      if (header) {
        ++line;
        continue;
      }
      row += columns_;
      lines_.push_back(line++);
      if (rows() == most_rows_) {
        plain = false;
        break;
      }
    }
  }
  records_.step_to(whole, line - first_line);
}

bool CellGrid::take_any() {
  RecordScanner before = records_;
  if (!records_.next()) return false;
  const std::size_t found = fields_.split(records_.record(), records_.has_quotes());
  if (found != columns_) {
    if (rows() > 0) {
      records_ = before;
    } else {
      misfit_ = found;
      misfit_line_ = records_.line();
    }
    return false;
  }
  keep(fields_);
  return true;
}

void CellGrid::keep(const FieldSplitter& fields) {
  std::size_t bytes = readable;
  for (std::size_t i = 0; i < columns_; ++i) bytes += fields[i].size();
  std::string& kept = kept_.emplace_back();
  kept.reserve(bytes);
  for (std::size_t i = 0; i < columns_; ++i) kept += fields[i];
  kept.append(readable, '\0');
  const char* at = kept.data();
  std::string_view* row = cells_.data() + rows() * columns_;
  for (std::size_t i = 0; i < columns_; ++i) {
    row[i] = std::string_view(at, fields[i].size());
    at += fields[i].size();
  }
  lines_.push_back(records_.line());
}

}  // namespace credence::data
