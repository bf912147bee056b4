// SPDX-License-Identifier: Apache-2.0
// From profiles and options to blocks.
#include <gtest/gtest.h>

#include "credence/error.hpp"
#include "credence/model.hpp"
#include "error_of.hpp"

namespace credence {
namespace {

ColumnProfile words(const std::string& name, std::size_t rows, std::size_t distinct) {
  return {name, rows, 0, distinct, false, false, false, false};
}
ColumnProfile numbers(const std::string& name, std::size_t rows, std::size_t count,
                      std::size_t distinct) {
  return {name, rows, count, distinct, false, false, false, false};
}

std::string family_of(const ColumnProfile& column, std::vector<std::string> as = {}) {
  Plan plan;
  plan.target = "class";
  plan.as = std::move(as);
  std::vector<PlannedColumn> decisions;
  plan_model({column, words("other", 10, 2), words("class", 10, 2)}, plan, &decisions);
  return decisions[0].family;
}

std::string plan_error(const Plan& plan) {
  return error_of(
      [&] {
        plan_model({words("Outlook", 14, 3), numbers("Heat", 14, 14, 9), words("Play", 14, 2)},
                   plan);
      },
      ErrorKind::usage);
}

TEST(Plan, infers_families_from_the_whole_sample) {
  EXPECT_EQ(family_of(words("x", 100, 5)), "categorical");
  EXPECT_EQ(family_of(numbers("x", 100, 100, 60)), "gaussian");
  EXPECT_EQ(family_of({"x", 100, 100, 2, true, false, true, false}), "bernoulli");
  EXPECT_EQ(family_of({"x", 100, 0, 9, false, true, true, true}), "bernoulli");
  EXPECT_EQ(family_of({"x", 100, 0, 9, false, true, true, false}), "multinomial");
  EXPECT_EQ(family_of(words("x", 0, 0)), "ignored");
}

TEST(Plan, takes_a_stray_word_among_numbers_for_a_mistake) {
  EXPECT_EQ(family_of(numbers("x", 5, 4, 5)), "gaussian");
  EXPECT_EQ(family_of(numbers("x", 100, 91, 60)), "gaussian");
  EXPECT_EQ(family_of(numbers("doors", 1728, 1296, 4)), "categorical") << "2, 3, 4 and 5more";
}

TEST(Plan, leaves_out_what_looks_like_an_identifier) {
  EXPECT_EQ(family_of(words("name", 101, 100)), "ignored");
  EXPECT_EQ(family_of(words("name", 20, 20)), "categorical") << "too few rows to tell";
  EXPECT_EQ(family_of(words("name", 101, 100), {"name: categorical"}), "categorical");
}

TEST(Plan, later_assignments_win_and_may_use_patterns) {
  EXPECT_EQ(family_of(numbers("x1", 10, 10, 9), {"*: categorical", "x*: poisson"}), "poisson");
  EXPECT_EQ(family_of(numbers("x1", 10, 10, 9), {"x1: poisson", "*: categorical"}), "categorical");
}

TEST(Plan, joins_count_columns_of_one_assignment_into_one_block) {
  Plan plan;
  plan.target = "class";
  plan.as = {"a, b: multinomial", "c: multinomial"};
  const Model model = plan_model(
      {numbers("a", 9, 9, 3), numbers("b", 9, 9, 3), numbers("c", 9, 9, 3), words("class", 9, 2)},
      plan);
  ASSERT_EQ(model.blocks().size(), 2u);
  EXPECT_EQ(model.blocks()[0].columns, (std::vector<std::size_t>{0, 1}));
}

TEST(Plan, names_what_it_cannot_use) {
  Plan plan;
  EXPECT_EQ(
      plan_error(plan),
      "which column is the class? name it with `target`; the columns are Outlook, Heat, Play");
  plan.target = "play";
  EXPECT_EQ(plan_error(plan), "`target`: no column \"play\" (did you mean \"Play\"?)");
  plan.target = "Play";
  plan.as = {"Outlok: categorical"};
  EXPECT_EQ(plan_error(plan), "`as`: no column \"Outlok\" (did you mean \"Outlook\"?)");
  plan.as = {"Outlook"};
  EXPECT_EQ(plan_error(plan), "`as Outlook`: write 'COLUMNS: FAMILY', for example 'age: gaussian'");
  plan.as = {"Heat: gausian"};
  EXPECT_EQ(plan_error(plan),
            "`as Heat: gausian`: no family \"gausian\" (did you mean \"gaussian\"?); the families "
            "are categorical, joint, bernoulli, multinomial, poisson, negative_binomial, gaussian, "
            "histogram, kernel, mixture, pairs, text, ignore, auto");
  plan.as = {"*: ignore"};
  EXPECT_EQ(plan_error(plan), "no column is left to learn from (see `as`)");
  plan.as = {};
  plan.values = {"Outlook=a|a"};
  EXPECT_EQ(plan_error(plan), "`values Outlook=a|a`: \"a\" stands twice");
  plan.values = {};
  plan.as = {"Heat: gaussian"};
  plan.settings.shares["Heat"] = {{"1", 1}};
  EXPECT_EQ(plan_error(plan),
            "`shares`: column \"Heat\" is gaussian, which takes no p (categorical does)");
}

}  // namespace
}  // namespace credence
