// SPDX-License-Identifier: Apache-2.0
// What a reading makes of counts of pairs: trees, and a table for each of their edges.
#pragma once

#include <vector>

#include "families/pairs/conditional.hpp"
#include "families/pairs/trees/structure.hpp"

namespace credence {

struct ReadPairs {
  ReadPairs(const PairCounts& counts, const std::vector<PairColumn>& columns,
            const Reading& reading, const Estimation& estimation);

  const Conditional& table(std::size_t tree, std::size_t column) const {
    return tables[table_of[tree][column]];
  }

  std::size_t classes;
  std::vector<StateColumn> columns;  // of the block
  std::vector<std::size_t> kept;     // those that vary, of which the trees are made
  std::vector<ColumnTree> trees;
  std::vector<Conditional> tables;
  std::vector<std::vector<std::size_t>> table_of;  // [tree][column]; a root has none
  std::vector<std::vector<double>> information;    // [tree][column]: with its parent, per row
  std::size_t parameters = 0;
  double log_likelihood = 0;  // NaN: counts of pairs do not tell
};

}  // namespace credence
