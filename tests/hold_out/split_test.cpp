// SPDX-License-Identifier: Apache-2.0
#include "hold_out/split.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "core/random.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

// A chunk of rows with these classes, and one column.
Chunk rows_with(const std::vector<std::size_t>& classes, const std::vector<double>& values) {
  Chunk chunk;
  chunk.rows = classes.size();
  chunk.labels.dictionary = {"a", "b", "c"};
  for (const auto cls : classes) chunk.labels.codes.push_back(static_cast<std::int32_t>(cls));
  chunk.columns.emplace_back(Numbers{values});
  return chunk;
}

RC_GTEST_PROP(Split, gives_every_class_its_share_to_the_nearest_row, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<std::size_t> classes;
  std::map<std::size_t, double> rows, tested;
  for (std::size_t i = 20 + random.below(100); i > 0; --i) {
    classes.push_back(random.below(3));
    rows[classes.back()] += 1;
  }
  SplitOptions options;
  options.share = 0.2 + 0.6 * random.uniform();
  options.seed = random.below(100);
  const auto test = test_part({rows_with(classes, std::vector<double>(classes.size()))}, options);
  for (std::size_t i = 0; i < test.size(); ++i) tested[classes[i]] += test[i];
  for (const auto& [cls, count] : rows) {
    RC_ASSERT(std::abs(tested[cls] - options.share * count) <= 0.5 + 1e-9);
  }
}

RC_GTEST_PROP(Split, never_parts_a_group, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<std::size_t> classes;
  std::vector<double> groups;
  for (std::size_t i = 200; i > 0; --i) {
    classes.push_back(random.below(3));
    groups.push_back(static_cast<double>(random.below(40)));
  }
  SplitOptions options;
  options.seed = random.below(100);
  options.group_column = 0;
  options.column_name = "who";
  const auto test = test_part({rows_with(classes, groups)}, options);
  std::map<double, std::set<bool>> parts;
  double tested = 0;
  for (std::size_t i = 0; i < test.size(); ++i) {
    parts[groups[i]].insert(test[i]);
    tested += test[i];
  }
  for (const auto& [group, sides] : parts) RC_ASSERT(sides.size() == 1u);
  RC_ASSERT(std::abs(tested / 200 - 0.25) < 0.1);
}

TEST(Split, takes_the_last_times_and_keeps_equal_ones_together) {
  SplitOptions options;
  options.time_column = 0;
  options.column_name = "day";
  options.share = 0.4;
  const auto test = test_part({rows_with({0, 1, 0, 1, 0}, {3, 1, 3, 2, 0})}, options);
  EXPECT_EQ(test, (std::vector<bool>{true, false, true, false, false}));
}

TEST(Split, refuses_an_empty_part) {
  SplitOptions options;
  EXPECT_THROW(test_part({rows_with({0}, {1})}, options), Error);
  EXPECT_THROW(test_part({}, options), Error);
}

}  // namespace
}  // namespace credence
