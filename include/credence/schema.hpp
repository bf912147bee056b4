// SPDX-License-Identifier: Apache-2.0
// What the columns of a table are: their names, kinds and declared values.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace credence {

enum class ColumnKind {
  number,    // any finite number
  amount,    // a number not below 0
  count,     // a whole number not below 0
  binary,    // 0 or 1; words such as yes/no and true/false; a number counts as 1 when above 0
  category,  // a word
  bag,       // a sparse set of named counts
  text,      // a document, read as the bag of its tokens
};

struct ColumnSpec {
  std::string name;
  ColumnKind kind = ColumnKind::category;
  std::vector<std::string> values;  // the declared domain of a category, empty: discovered
  std::string tokens = {};          // how a text is cut: "ngrams=1-2, stem=english" (docs/text.md)
  // How a cell is written: "comma", "point(%)", "date(dmy)" (docs/reading.md); "": a plain number.
  std::string reading = {};
  std::string from = {};  // the column of the table that holds it; "": the one of its own name

  const std::string& in_file() const { return from.empty() ? name : from; }
};

struct Schema {
  std::vector<ColumnSpec> columns;  // the columns a model learns from
  std::string target;               // empty: no class column is read
  std::string weights;              // empty: every row weighs 1
  // Cells that mean "no value".
  std::vector<std::string> missing = {"", "NA", "?", "NaN", "null"};
  // The first classes in their order, whether rows have them or not; others follow, sorted.
  std::vector<std::string> classes = {};
};

}  // namespace credence
