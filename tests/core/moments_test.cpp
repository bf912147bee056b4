// SPDX-License-Identifier: Apache-2.0
#include "core/moments.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "core/random.hpp"

namespace credence {
namespace {

Moments of_all(const std::vector<double>& values) {
  Moments result;
  for (const double x : values) result.merge(Moments::of(x, 1));
  return result;
}

std::vector<double> drawn(Random& random, std::size_t count) {
  std::vector<double> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(3 + random.normal());
  return result;
}

std::vector<double> times(std::vector<double> values, int exponent) {
  for (double& x : values) x = std::ldexp(x, exponent);
  return values;
}

TEST(Moments, of_all_numbers_that_a_float_holds_are_told_as_they_are) {
  for (const double x : {0.0, 1e-38, -1.0, 3e38, 1.5e-5}) {
    EXPECT_EQ(Moments::of(x, 2).exponent, 0);
    EXPECT_EQ(Moments::of(x, 2).mean.hi, x);
  }
}

RC_GTEST_PROP(Moments, have_the_same_digits_whatever_the_power_of_two, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const int power = *rc::gen::inRange(-950, 950);
  const auto values = drawn(random, 40);
  const Moments plain = of_all(values);
  Moments scaled = of_all(times(values, power));
  RC_ASSERT(std::isfinite(scaled.m2.value()));
  scaled.tell_in(power);
  RC_ASSERT(scaled.mean == plain.mean);
  RC_ASSERT(scaled.m2 == plain.m2);
}

RC_GTEST_PROP(Moments, forget_what_was_merged_in_whatever_the_units, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const int power = *rc::gen::inRange(-950, 950);
  const auto kept = times(drawn(random, 10), power), taken = times(drawn(random, 7), power + 9);
  Moments moments = of_all(kept);
  moments.merge(of_all(taken));
  moments.forget(of_all(taken));
  moments.choose_unit();
  Moments wanted = of_all(kept);
  wanted.choose_unit();
  RC_ASSERT(moments.exponent == wanted.exponent);
  RC_ASSERT(std::abs(moments.mean.value() / wanted.mean.value() - 1) < 1e-14);
  RC_ASSERT(std::abs(moments.m2.value() / wanted.m2.value() - 1) < 1e-11);
}

TEST(Moments, take_the_unit_of_what_is_there_and_none_from_zeros) {
  Moments moments = of_all({0, 0, 1e-200, 2e-200});
  EXPECT_LT(moments.exponent, -600);
  EXPECT_GT(moments.m2.hi, 0);
  moments.forget(Moments::of(1e-200, 1));
  moments.forget(Moments::of(2e-200, 1));
  moments.choose_unit();
  EXPECT_EQ(moments.exponent, 0);
  EXPECT_EQ(moments.m2.hi, 0);
}

TEST(Moments, of_the_largest_and_the_smallest_numbers_can_be_told) {
  for (const double x : {std::numeric_limits<double>::max(), std::numeric_limits<double>::min(),
                         std::numeric_limits<double>::denorm_min()}) {
    Moments moments = of_all({x, -x, x, 0});
    EXPECT_TRUE(std::isnormal(moments.m2.hi)) << x;
    moments.choose_unit();
    EXPECT_TRUE(std::isnormal(moments.m2.hi)) << x;
  }
}

// 0.1 is no sum of powers of two: what is left of its mean must be 0.1 itself all the same.
TEST(Moments, have_the_value_itself_as_mean_where_one_value_is_left) {
  for (const double far : {5.3, -7e9, 1e12}) {
    Moments moments;
    for (int i = 0; i < 59; ++i) moments.merge(Moments::of(i == 17 ? far : 0.1, 0.7));
    moments.forget(Moments::of(far, 0.7));
    EXPECT_EQ(moments.m2, DoubleDouble(0));
    EXPECT_EQ(moments.mean, DoubleDouble(0.1)) << far;
    Moments zeros;
    for (int i = 0; i < 59; ++i) zeros.merge(Moments::of(i == 17 ? far : 0, 0.7));
    zeros.forget(Moments::of(far, 0.7));
    EXPECT_EQ(zeros.mean, DoubleDouble(0)) << far;
  }
}

}  // namespace
}  // namespace credence
