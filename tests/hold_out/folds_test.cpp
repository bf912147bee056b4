// SPDX-License-Identifier: Apache-2.0
// How rows are dealt into folds.
#include "hold_out/folds.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "core/random.hpp"
#include "credence/error.hpp"
#include "error_of.hpp"

namespace credence {
namespace {

RC_GTEST_PROP(GroupFolds, are_never_empty_and_never_part_a_group, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  Folds folds;
  folds.count = 2 + random.below(6);
  folds.stratified = random.below(2) == 0;
  folds.seed = random.below(1000);
  const std::size_t many = folds.count + random.below(10);
  std::vector<std::size_t> classes, groups;
  for (std::size_t g = 0; g < many; ++g) {
    for (std::size_t r = random.below(20) + 1; r > 0; --r) {
      groups.push_back(g);
      classes.push_back(random.below(3));
    }
  }
  const auto fold = deal_groups(classes, groups, folds);
  std::vector<std::set<std::size_t>> folds_of(many);
  std::set<std::size_t> used;
  for (std::size_t i = 0; i < fold.size(); ++i) {
    folds_of[groups[i]].insert(fold[i]);
    used.insert(fold[i]);
  }
  for (const auto& one : folds_of) RC_ASSERT(one.size() == 1u);
  RC_ASSERT(used.size() == folds.count);
  RC_ASSERT(*used.rbegin() + 1 == folds.count);
}

TEST(GroupFolds, share_classes_as_evenly_as_groups_allow) {
  // Twenty groups of one row, five of the rare class: each of five folds can have one of these.
  std::vector<std::size_t> classes, groups;
  for (std::size_t g = 0; g < 20; ++g) {
    groups.push_back(g);
    classes.push_back(g < 5 ? 1 : 0);
  }
  Folds folds;
  folds.count = 5;
  const auto fold = deal_groups(classes, groups, folds);
  for (std::size_t f = 0; f < 5; ++f) {
    std::size_t rows = 0, rare = 0;
    for (std::size_t i = 0; i < fold.size(); ++i) {
      rows += fold[i] == f;
      rare += fold[i] == f && classes[i] == 1;
    }
    EXPECT_EQ(rows, 4u);
    EXPECT_EQ(rare, 1u);
  }
}

RC_GTEST_PROP(TimeFolds, are_in_order_and_none_is_empty, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  Folds folds;
  folds.count = 1 + random.below(6);
  const std::size_t many = folds.count + 1 + random.below(20);
  std::vector<std::size_t> times;
  for (std::size_t t = 0; t < many; ++t) {
    for (std::size_t r = random.below(9) + 1; r > 0; --r) times.push_back(t);
  }
  const auto part = parts_in_time(times, folds);
  std::set<std::size_t> used(part.begin(), part.end());
  RC_ASSERT(used.size() == folds.count + 1);
  RC_ASSERT(std::is_sorted(part.begin(), part.end()));  // the times are
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] == times[i - 1]) RC_ASSERT(part[i] == part[i - 1]);
  }
}

TEST(TimeFolds, are_of_about_as_many_rows) {
  std::vector<std::size_t> times(60);
  for (std::size_t i = 0; i < 60; ++i) times[i] = i;
  Folds folds;
  folds.count = 5;
  const auto part = parts_in_time(times, folds);
  for (std::size_t f = 0; f < 6; ++f) EXPECT_EQ(std::count(part.begin(), part.end(), f), 10);
}

std::vector<std::size_t> ranks_of(const std::vector<std::string>& texts) {
  Chunk chunk;
  chunk.rows = texts.size();
  Categories column{{}, texts};
  std::vector<ScoredRows::Row> rows;
  for (std::size_t r = 0; r < texts.size(); ++r) {
    column.codes.push_back(static_cast<std::int32_t>(r));
    rows.push_back({0, r, 0, 0, 1});
  }
  chunk.columns = {column};
  return values_of({chunk}, rows, "t", 0, true);
}

TEST(Times, are_numbers_dates_or_texts_with_digits) {
  using Ranks = std::vector<std::size_t>;
  EXPECT_EQ(ranks_of({"10", "9", "-1.5", "9.0"}), (Ranks{2, 1, 0, 1}));
  EXPECT_EQ(ranks_of({"2024-10-01", "2024-09-30T23:59", "2024-10-01T00:00"}), (Ranks{1, 0, 2}));
  EXPECT_EQ(ranks_of({"week 10", "week 9", "a"}), (Ranks{2, 1, 0}));
  EXPECT_EQ(ranks_of({"10", "9", "1a"}), (Ranks{2, 1, 0}));
}

TEST(Folds, that_cannot_be_made_are_refused_with_what_can) {
  Folds folds;
  folds.count = 5;
  EXPECT_EQ(error_of([&] {
              deal({0, 1, 0}, folds);
            }),
            "`folds 5`: with 3 rows, 2 to 3 folds are possible");
  EXPECT_EQ(error_of([&] {
              deal_groups({0, 1, 0, 1}, {0, 1, 2, 2}, folds);
            }),
            "`folds 5`: with 3 groups, 2 to 3 folds are possible");
  EXPECT_EQ(error_of([&] {
              deal_groups({0, 1}, {0, 0}, folds);
            }),
            "`folds 5`: with 1 group, no folds are possible");
  EXPECT_EQ(error_of([&] {
              parts_in_time({0, 1, 2, 2}, folds);
            }),
            "`folds 5`: with 3 different times, 1 to 2 folds are possible");
}

}  // namespace
}  // namespace credence
