// SPDX-License-Identifier: Apache-2.0
// Answers to questions about probabilities, from a weighted table. docs/query.md
#pragma once

#include <string>
#include <vector>

#include "ask/question.hpp"
#include "ask/weighted_table.hpp"

namespace credence {

struct Probability {
  double value = 0;
  // Rows, when the table counts rows; otherwise weights.
  double numerator = 0;
  double denominator = 0;
};

// A combination of values, one for each column of the question.
struct Cell {
  std::vector<std::string> values;
  Probability probability;
};

struct Independence {
  bool independent = false;         // joint = product, to 1e-9 of it or 1e-12
  double mutual_information = 0;    // nats; of more than two columns: their total correlation
  std::vector<std::string> values;  // where joint and product are farthest apart,
  double joint = 0;                 // and what they are there
  double product = 0;
};

struct Answer {
  Question question;
  bool counts = false;             // probabilities are fractions of whole rows
  std::size_t left_out = 0;        // rows in which a column of the question is missing
  Probability probability;         // by the kind of the question, one of these three
  std::vector<Cell> distribution;  // every combination that occurs, in natural order
  Independence independence;
};

// The table holds the columns of the question. Throws a usage error for a value that a column does
// not have, and a data error when the condition has probability 0.
Answer answer(const Question& question, const WeightedTable& table);

}  // namespace credence
