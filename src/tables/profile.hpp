// SPDX-License-Identifier: Apache-2.0
// What a sample of rows says of each column, before any schema is fixed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "credence/source.hpp"
#include "notation/cell_text.hpp"
#include "notation/recogniser.hpp"
#include "tables/dictionary.hpp"

namespace credence::data {

class Profiler {
 public:
  explicit Profiler(const std::vector<std::string>& missing) : missing_(missing) {}

  // The column of this name, added at the end when it is new.
  std::size_t column(std::string_view name);
  // The format knows that the column holds documents, however short.
  void documents(std::size_t column) { columns_[column].profile.text = true; }
  // The format knows the values that the column may have.
  void declare(std::size_t column, std::vector<std::string> values) {
    columns_[column].profile.values = std::move(values);
  }
  // Cells are separated by semicolons, as where commas are decimal.
  void semicolons() { marks_.semicolons = true; }
  // typed: it is no text but a number, written down for this.
  void cell(std::size_t column, std::string_view text, bool typed = false);
  // A cell that is a number by its type. Its text is not kept, so that it is not among `distinct`.
  void number(std::size_t column, double value);
  void bag(std::size_t column);
  void bag_item(std::size_t column, std::string_view name, double count);

  std::vector<ColumnProfile> finish();

 private:
  struct Seen {
    ColumnProfile profile;
    std::size_t zero_or_one = 0;
    std::size_t spaces = 0;
    bool whole = true;
    bool unit = true;
    bool rising = true, falling = true;
    std::unordered_set<double> own;  // the numbers so far, while no two are the same
    bool shared = false;             // two are
    double least = 0, largest = 0;
    bool digits = true;  // every cell is made of digits alone
    double last = 0;
    Recogniser recogniser;
    std::size_t stride = 1;           // of the numbers, one in so many is kept
    std::vector<std::int32_t> cells;  // codes of some, evenly spaced
    std::size_t cells_stride = 1;
    Dictionary dictionary;
    std::vector<std::string> words;
  };

  static void count_number(Seen& seen, bool finite, double value);
  static void recognise(const Seen& seen, const TableMarks& marks, ColumnProfile& profile);

  MissingTokens missing_;
  Dictionary dictionary_;
  std::vector<std::string> names_;
  std::vector<Seen> columns_;
  TableMarks marks_;
};

}  // namespace credence::data
