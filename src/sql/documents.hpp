// SPDX-License-Identifier: Apache-2.0
// Documents in SQL: the engine finds the words by a regular expression, and adds up what a table
// says of each.
#pragma once

#include <string_view>
#include <vector>

#include "sql/query.hpp"

namespace credence::sql {

struct WordTable {
  enum class Counts { raw, binary, log };  // what a word weighs, as of TextOptions
  Counts counts;
  double scale;  // of all weights
  std::vector<std::string_view> words;
  std::vector<double> evidence;  // [word][class]: for each unit of weight
};

// For every class the sum over the words of a document; 0 where it is missing. Throws a usage error
// that names the column where the engine cannot cut documents as the library does.
std::vector<Expression> sums_over_words(Query& query, std::size_t column, const WordTable& table,
                                        std::size_t classes);

}  // namespace credence::sql
