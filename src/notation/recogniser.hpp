// SPDX-License-Identifier: Apache-2.0
// Tells from the cells of a column how they are written. Where cells contradict each other, or
// could be read in two ways, it says so instead of choosing.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "notation/reading.hpp"

namespace credence::data {

// What the columns of one table say together of its decimal marks.
struct TableMarks {
  bool comma = false;       // a column has decimal commas for certain
  bool point = false;       // a column has decimal points for certain
  bool semicolons = false;  // its cells are separated by ;, as where commas are decimal
};

class Recogniser {
 public:
  // A cell that is a number as it stands, trimmed. Cheap, as most cells are.
  void plain(std::string_view text) {
    ++plain_;
    if (looks_at_plain_) look_at_plain(text);
  }
  // A cell that is a number by its type, whatever marks others have.
  void typed() {
    ++plain_;
    typed_ = true;
  }
  // Any other cell that is not missing.
  void other(std::string_view text) {
    ++others_;
    if (others_ <= patience || recognised_ > 0) look_at_other(text);
  }

  void mark(TableMarks& marks) const;

  struct Result {
    std::string reading;      // "": plain
    std::size_t numbers = 0;  // cells that it reads
    std::string doubt;        // why there is none although cells look like one
    bool as_plain = false;    // it reads these cells as plain numbers are read
  };
  Result finish(const TableMarks& marks) const;

 private:
  static constexpr std::size_t patience = 64;  // cells without a sign of any reading

  // Of cells that are numbers for one of the two decimal marks, or for both with different values.
  struct Numbers {
    std::size_t point = 0, comma = 0, either = 0, same = 0;
    std::size_t all(DecimalMark mark) const {
      return (mark == DecimalMark::point ? point : comma) + either + same;
    }
  };

  void look_at_plain(std::string_view text);
  void look_at_other(std::string_view text);
  bool look_at_number(std::string_view text);
  bool look_at_date(std::string_view text);
  bool look_at_time(std::string_view text);

  Result number_result(const TableMarks& marks) const;
  Result date_result() const;
  Result time_result() const;
  bool covers(std::size_t cells) const;

  std::size_t plain_ = 0, others_ = 0, recognised_ = 0;
  // Plain cells that commas for decimals would turn into others: 1.234. Without any other decimals.
  bool looks_at_plain_ = true;
  bool typed_ = false;
  std::size_t plain_grouped_ = 0;
  bool plain_decimals_ = false;  // for certain, such as 1.5
  bool long_digits_ = false;     // 1234 or more, not grouped

  Numbers bare_, with_unit_;
  std::string unit_;
  bool groups_ = false;  // some cell needs more than a plain number

  // By order, then whether there is a zone; and those that only one order fits.
  std::array<std::array<std::size_t, 2>, 3> dates_{};
  std::array<std::size_t, 3> one_order_{};
  std::size_t dates_in_all_ = 0;

  // By parts (two, three), then whether AM or PM.
  std::array<std::array<std::size_t, 2>, 2> clocks_{};
  bool long_clock_ = false;
  std::size_t durations_ = 0;
};

}  // namespace credence::data
