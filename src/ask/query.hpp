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

// Whether chance alone would do as much: the G test, 2 rows times the mutual information, beside
// chi-squared. Only of rows that were counted.
struct Significance {
  double g = 0;
  double freedom = 0;
  double p_value = 1;
};

struct Independence {
  bool independent = false;         // joint = product, to 1e-9 of it or 1e-12
  double mutual_information = 0;    // nats; of more than two columns: their total correlation
  std::vector<std::string> values;  // where joint and product are farthest apart,
  double joint = 0;                 // and what they are there
  double product = 0;
  Significance test = {};  // freedom 0: none was made
};

// The answer where the columns of a condition have these values.
struct GivenAnswer {
  std::vector<std::string> given;
  Probability share;        // of these values, among the rows that the condition allows
  Probability probability;  // by the kind of the question, one of these three
  std::vector<Cell> distribution;
  Independence independence;
};

struct Answer {
  Question question;
  bool counts = false;             // probabilities are fractions of whole rows
  std::size_t left_out = 0;        // rows in which a column of the question is missing
  Probability probability;         // by the kind of the question, one of these three
  std::vector<Cell> distribution;  // every combination that occurs, in natural order
  Independence independence;       // of a question with cases: in all of them together
  std::vector<GivenAnswer> cases;  // where the condition names columns: for each of their values
};

// The table holds the columns of the question. Throws a usage error for a value that a column does
// not have, and a data error when the condition has probability 0.
// Where `events` is given, the event is looked for there: the same rows with other weights.
Answer answer(const Question& question, const WeightedTable& table,
              const WeightedTable* events = nullptr);

}  // namespace credence
