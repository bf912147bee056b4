// SPDX-License-Identifier: Apache-2.0
#include "ask/describe.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace credence {
namespace {

TEST(Describe, measures_the_information_gains_of_quinlans_table) {
  // Outlook and PlayTennis of the 14 days (Quinlan 1986): 0.940 bits, gain 0.246.
  Chunk chunk;
  chunk.rows = 14;
  chunk.labels = {{0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0}, {"No", "Yes"}};
  chunk.columns.emplace_back(
      Categories{{0, 0, 1, 2, 2, 2, 1, 0, 0, 2, 0, 1, 1, 2}, {"Sunny", "Overcast", "Rain"}});
  const auto table =
      describe({{{"Outlook", ColumnKind::category, {}}}, "PlayTennis", "", {}}, {chunk});
  EXPECT_NEAR(table.entropy, 0.940286, 1e-6);
  EXPECT_NEAR(table.columns[0].information, 0.246750, 1e-6);
  EXPECT_NEAR(table.columns[0].beyond_chance, 0.246750 - 2.0 / 28 / std::log(2.0), 1e-6);
  EXPECT_EQ(table.columns[0].distinct, 3);
}

TEST(Describe, counts_gaps_and_finds_ends_and_means) {
  Chunk chunk;
  chunk.rows = 4;
  chunk.columns.emplace_back(Numbers{{1e9 + 1, std::nan(""), 1e9 + 3, 1e9 + 3}});
  const auto table = describe({{{"x", ColumnKind::number, {}}}, "", "", {}}, {chunk});
  const auto& x = table.columns[0];
  EXPECT_EQ(x.missing, 1);
  EXPECT_EQ(x.distinct, 2);
  EXPECT_EQ(x.low, 1e9 + 1);
  EXPECT_EQ(x.high, 1e9 + 3);
  EXPECT_NEAR(x.mean - 1e9, 7.0 / 3, 1e-6);
  EXPECT_NEAR(x.deviation, std::sqrt(8.0 / 9), 1e-6);
  EXPECT_EQ(x.information, 0);
}

TEST(Describe, names_the_word_that_says_most) {
  Chunk chunk;
  chunk.rows = 4;
  chunk.labels = {{0, 0, 1, 1}, {"ham", "spam"}};
  Bags bags;
  bags.dictionary = {"the", "win", "cat"};
  bags.features = {0, 2, 0, 0, 1, 1};
  bags.counts = {1, 1, 3, 1, 1, 2};
  bags.offsets = {0, 2, 3, 5, 6};
  bags.missing = {0, 0, 0, 0};
  chunk.columns.emplace_back(bags);
  const auto table = describe({{{"t", ColumnKind::text, {}}}, "y", "", {}}, {chunk});
  EXPECT_EQ(table.columns[0].best_word, "win");
  EXPECT_NEAR(table.columns[0].information, 1, 1e-12);
}

}  // namespace
}  // namespace credence
