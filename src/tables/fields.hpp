// SPDX-License-Identifier: Apache-2.0
// The fields of a record of separated values, by RFC 4180 with any delimiter.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "notation/cell_text.hpp"

namespace credence::data {

// The fields of one record, as views into it. Fields beyond `most` are only counted.
class FieldSplitter {
 public:
  FieldSplitter(char delimiter, std::size_t most) : delimiter_(delimiter), fields_(most) {}

  // How many fields the record has.
  std::size_t split(std::string_view record, bool has_quotes);

  std::string_view operator[](std::size_t i) const { return fields_[i]; }

 private:
  void add(std::string_view field) { add_verbatim(trimmed(field)); }
  void add_verbatim(std::string_view field) {
    if (count_ < fields_.size()) fields_[count_] = field;
    ++count_;
  }

  // Block by block; false where quotes are not plain, or double ones within.
  bool split_plain(std::string_view record, bool has_quotes);
  bool add_plain(std::string_view field, bool has_quotes);
  void split_quoted(std::string_view record);
  std::size_t first_of_field(std::string_view record) const;
  // Adds the quoted field that opens at `open` and returns where it ends. Text between the
  // closing quote and the delimiter belongs to the cell, as in most readers.
  std::size_t add_quoted(std::string_view record, std::size_t open);

  char delimiter_;
  std::vector<std::string_view> fields_;
  std::size_t count_ = 0;
  std::string scratch_;
};

}  // namespace credence::data
