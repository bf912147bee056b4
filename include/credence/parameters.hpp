// SPDX-License-Identifier: Apache-2.0
// The parameters of a block as a table for people.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace credence {

// What `show` prints of a block: one row per parameter, one cell per class.
struct ParameterTable {
  struct Cell {
    double value = 0;
    double numerator = 0;    // of the fraction of counts that value is,
    double denominator = 0;  // 0: not a fraction
  };
  struct Row {
    std::string name;
    std::vector<Cell> cells;
  };
  // Words in the order of a number, where a table of all of them would be too long to read.
  struct WordList {
    std::string title;
    std::vector<std::pair<std::string, double>> words;
  };
  std::string title;
  std::string family;
  std::string remark;  // what the density is, or why it is left out
  std::vector<Row> rows;
  std::vector<WordList> lists = {};
};

// log P(c, x) as intercept + sum of coefficient * feature, up to what all classes share.
struct LinearForm {
  struct Feature {
    std::string name;                  // "age", "Outlook=Sunny", "words: free"
    std::vector<double> coefficients;  // one per class
  };
  std::vector<double> intercepts;  // one per class
  std::vector<Feature> features;
};

}  // namespace credence
