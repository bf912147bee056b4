// SPDX-License-Identifier: Apache-2.0
#include "families/text/cell_log.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "core/exact_sums.hpp"
#include "core/random.hpp"

namespace credence {
namespace {

using Sums = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

void expect_sums(const CellLog& log, const Sums& sums) {
  ASSERT_EQ(log.cells().size(), sums.size());
  std::size_t i = 0;
  for (const auto& [key, sum] : sums) {  // in the order of words, then classes
    const auto cell = log.cells()[i++];
    ASSERT_EQ(std::pair(cell.word, cell.cls), key);
    ASSERT_EQ(cell.sums.weight.value(), sum);
  }
}

// More than it writes down before it adds up by itself.
TEST(CellLog, adds_up_what_a_map_adds_up) {
  Random random(1);
  CellLog log;
  Sums sums;
  for (int i = 0; i < 1'500'000; ++i) {
    const auto word = static_cast<std::uint32_t>(random.below(5000));
    const auto cls = static_cast<std::uint32_t>(random.below(7));
    const auto weight = static_cast<double>(random.below(9));
    log.add(word, cls, {weight});
    sums[{word, cls}] += weight;
  }
  EXPECT_LT(log.cells().size(), 1'000'000u);
  log.add_up();
  expect_sums(log, sums);
  const auto ends = log.ends(6000);
  ASSERT_EQ(ends.size(), 6001u);
  EXPECT_EQ(ends[6000], log.cells().size());
  for (std::size_t i = 0; i < log.cells().size(); ++i) {
    const auto word = log.cells()[i].word;
    EXPECT_TRUE(ends[word] <= i && i < ends[word + 1]);
  }
}

TEST(CellLog, adds_in_the_order_in_which_it_was_told) {
  CellLog log;
  DoubleDouble sum;
  for (int i = 1; i <= 100; ++i) {
    log.add(3, 1, {DoubleDouble(1.0 / i)});
    log.add(2, 0, {DoubleDouble(1)});
    sum = i == 1 ? DoubleDouble(1.0) : sum + DoubleDouble(1.0 / i);
    if (i == 50) log.add_up();
  }
  log.add_up();
  ASSERT_EQ(log.cells().size(), 2u);
  EXPECT_EQ(log.cells()[1].sums.weight, sum);
}

TEST(CellLog, drops_and_renames_classes) {
  CellLog log;
  for (std::uint32_t cls = 0; cls < 3; ++cls) log.add(0, cls, {DoubleDouble(cls + 1.0)});
  log.add_up();
  const std::size_t to[] = {1, ExactSums::npos, 0};
  log.rearrange_classes(to);
  EXPECT_FALSE(log.added_up());
  log.add_up();
  expect_sums(log, {{{0, 0}, 3}, {{0, 1}, 1}});
}

}  // namespace
}  // namespace credence
