// SPDX-License-Identifier: Apache-2.0
// What the columns of a table hold, and how much each says of the class.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/schema.hpp"

namespace credence {

struct ColumnSummary {
  double rows = 0;                                            // that have a value
  double missing = 0;                                         // rows without one
  double distinct = 0;                                        // values; of texts and sets, words
  double low = 0, high = 0, mean = 0, deviation = 0;          // of numbers
  std::vector<std::pair<std::string, double>> frequent = {};  // values, or words, and their rows
  // In bits, of a value and the class: what the rows say, and what is left of it without what as
  // many values say by chance. Of texts and sets that of the word, there or not, that says most.
  double information = 0, beyond_chance = 0;
  std::string best_word = {};
};

struct TableSummary {
  double rows = 0;
  std::vector<std::pair<std::string, double>> classes;  // by name; rows without one not counted
  double entropy = 0;                                   // of the class, in bits
  std::vector<ColumnSummary> columns;                   // in the order of the schema
};

TableSummary describe(const Schema& schema, const std::vector<Chunk>& chunks);

}  // namespace credence
