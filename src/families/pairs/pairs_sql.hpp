// SPDX-License-Identifier: Apache-2.0
// The trees of a reading in SQL.
#pragma once

#include <string>
#include <vector>

#include "families/pairs/read_pairs.hpp"
#include "sql/query.hpp"

namespace credence {

// log p(row | c) for every class, as TreeScores::score has it.
std::vector<sql::Expression> pairs_in_sql(const std::vector<PairColumn>& columns,
                                          const ReadPairs& read, sql::Query& query);

}  // namespace credence
