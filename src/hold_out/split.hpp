// SPDX-License-Identifier: Apache-2.0
// Rows in two parts: one to learn from, one to test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "credence/hold_out.hpp"

namespace credence {

struct SplitOptions {
  double share = 0.25;  // of the test part
  std::uint64_t seed = 1;
  bool stratified = true;  // each class in the same shares; rows without a class are one
  // Places in the chunks' columns, as in Folds. Rows of one group stay together; in time the last
  // rows are the test, and equal times stay together.
  std::size_t group_column = Folds::no_column;
  std::size_t time_column = Folds::no_column;
  std::string column_name = {};
};

// For every row, in the order of the chunks, whether it is in the test part. Throws a usage error
// where one of the parts would be empty.
std::vector<bool> test_part(const std::vector<Chunk>& chunks, const SplitOptions& options);

}  // namespace credence
