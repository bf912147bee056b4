// SPDX-License-Identifier: Apache-2.0
// The parameters of a block, as what a table shows them, and how numbers are computed from them by
// hand.
#pragma once

#include <cstddef>
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
    std::string name;  // "mean", "rate"; empty: the probability of what it is of
    std::vector<Cell> cells;
    std::vector<std::string> of = {};  // the columns, or the value, that it belongs to
    std::size_t component = 0;         // of a mixture, from 1 on; 0: there are none
    std::string label() const;         // "mean height", "2: cov height, weight", "blue"
  };
  // Words in the order of a number, where a table of all of them would be too long to read.
  struct WordList {
    std::string title;
    std::vector<std::pair<std::string, double>> words;
  };
  // Which column depends on which, beside the class.
  struct Dependence {
    std::string column;
    std::string parent;      // empty: none
    double information = 0;  // of the two given the class: nats per row
    double backoff = 0;      // rows that the column's own shares count for
  };
  std::string title;
  std::string family;
  std::string remark;  // what the density is, or why it is left out
  std::vector<Row> rows;
  std::vector<WordList> lists = {};
  double trust = 1;  // how often the evidence counts: it multiplies the log-likelihood
  std::vector<Dependence> structure = {};  // empty: columns are independent given the class
};

// log P(c, x) as intercept + sum of coefficient * feature, up to what all classes share.
struct LinearForm {
  struct Feature {
    std::string name;                  // "age", "Outlook=Sunny", "words: free"
    std::vector<double> coefficients;  // one per class
  };
  std::vector<double> intercepts;  // one per class
  std::vector<Feature> features;
  // Whether features may be squares and products of columns: "age²", "age·height".
  bool squares = false;
};

// One expression, for people and for LaTeX.
struct Notation {
  std::string plain;
  std::string latex;
};

// How a factor comes about.
struct Working {
  Notation factor;        // what stands in the product: "2/9", "0.03396"
  Notation formula = {};  // what it was computed from, where that says more; else empty
  bool density = false;   // p rather than P: not a probability, and may exceed 1
};

// "0.005291", and what LaTeX makes of "5.3e-12".
Notation notation(double value);
// The number whose logarithm this is, also where a double could not hold it.
Notation notation_of_log(double log_value);

}  // namespace credence
