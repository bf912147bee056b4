// SPDX-License-Identifier: Apache-2.0
#include "families/registry.hpp"

#include <gtest/gtest.h>

#include <set>

namespace credence {
namespace {

TEST(Registry, has_one_usual_family_for_everything_a_column_can_look_like) {
  for (const auto look : {ColumnLook::words, ColumnLook::zero_one, ColumnLook::numbers,
                          ColumnLook::features, ColumnLook::counts, ColumnLook::documents}) {
    int usual = 0;
    for (const auto& family : families()) {
      for (const auto its : family.usual_for) usual += its == look;
    }
    EXPECT_EQ(usual, 1);
  }
}

TEST(Registry, offers_candidates_from_the_simplest_on) {
  std::set<int> ranks;
  for (const auto& family : families()) {
    EXPECT_EQ(family.rank > 0, family.suits != nullptr) << family.name;
    if (family.rank == 0) continue;
    EXPECT_TRUE(ranks.insert(family.rank).second) << family.name;
  }
  const auto names = [](const ValueLook& values) {
    std::string text;
    for (const auto* family : suitable_families(values)) text += std::string(family->name) + " ";
    return text;
  };
  EXPECT_EQ(names({100, 2, true, true}), "bernoulli poisson ");
  EXPECT_EQ(names({500, 30, true, false}), "poisson gaussian categorical histogram kernel ");
  EXPECT_EQ(names({500, 400, false, false}), "gaussian histogram kernel ");
}

TEST(Registry, knows_which_families_leave_a_row_out_by_estimating_anew) {
  std::set<std::string> anew;
  for (const auto& family : families()) {
    if (*family.long_way("") != 0) anew.insert(family.name);
  }
  EXPECT_EQ(anew, (std::set<std::string>{"histogram", "joint", "kernel", "mixture", "pairs"}));
  EXPECT_STREQ(find_family("gaussian").long_way("diagonal"), "");
  EXPECT_STRNE(find_family("gaussian").long_way("tied"), "");
}

TEST(Registry, tells_scores_from_densities) {
  EXPECT_EQ(find_family("text").score("complement")->instead, "text(multinomial)");
  EXPECT_FALSE(find_family("text").score("multinomial"));
  EXPECT_FALSE(find_family("gaussian").score(""));
}

}  // namespace
}  // namespace credence
