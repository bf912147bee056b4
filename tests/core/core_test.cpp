// SPDX-License-Identifier: Apache-2.0
// Exact sums, double-double arithmetic, small helpers of text, decisions.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "core/exact_sums.hpp"
#include "core/log_math.hpp"
#include "core/random.hpp"
#include "core/strings.hpp"
#include "credence/decision.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

TEST(Random, deals_many_draws_as_it_deals_few) {
  Random random(3);
  const std::vector<double> shares = {0.5, 0, 0.3, 0.2};
  for (const double count : {0.0, 7.0, 1e6, 3e6, 1e15, 1e18}) {
    double total = 0;
    const auto dealt = random.deal(count, shares);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      total += dealt[i];
      const double deviation = std::sqrt(count * shares[i] * (1 - shares[i]));
      EXPECT_LE(std::abs(dealt[i] - count * shares[i]), 6 * deviation + 3) << count << " " << i;
    }
    EXPECT_EQ(total, count);
  }
}

TEST(Random, draws_binomials_with_their_mean_and_variance) {
  Random random(4);
  const std::vector<std::pair<double, double>> cases = {
      {10, 0.3}, {1e7, 0.9}, {1e16, 1e-14}, {1e17, 0.4}};
  for (const auto& [count, p] : cases) {
    double sum = 0, squares = 0;
    constexpr int times = 4000;
    for (int i = 0; i < times; ++i) {
      const double z = (random.binomial(count, p) - count * p) / std::sqrt(count * p * (1 - p));
      sum += z;
      squares += z * z;
    }
    EXPECT_NEAR(sum / times, 0, 0.1) << count;
    EXPECT_NEAR(squares / times, 1, 0.12) << count;
  }
}

TEST(ExactSums, of_fractional_weights_do_not_depend_on_the_order) {
  Random random(5);
  std::vector<double> weights;
  for (int i = 0; i < 5000; ++i)
    weights.push_back(random.uniform() < 0.5 ? 0.3 : 7 * random.uniform());
  ExactSums forward(1), backward(1);
  for (const double w : weights) forward.add(0, w);
  for (auto w = weights.rbegin(); w != weights.rend(); ++w) backward.add(0, *w);
  EXPECT_EQ(forward.exact(0), backward.exact(0));
  for (const double w : weights) forward.add(0, -w);
  EXPECT_EQ(forward.exact(0), DoubleDouble(0));
}

TEST(ExactSums, of_whole_numbers_need_no_low_halves) {
  ExactSums sums(2);
  for (int i = 0; i < 1000; ++i) sums.add(0, 3);
  EXPECT_TRUE(sums.low().empty());
  sums.add(1, 0.1);
  EXPECT_TRUE(sums.low().empty());
  sums.add(1, 0.2);
  EXPECT_FALSE(sums.low().empty());
}

RC_GTEST_PROP(DoubleDouble, division_undoes_multiplication, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const DoubleDouble a = two_sum(random.normal() * 1e9, random.normal() * 1e-9);
  const DoubleDouble b = two_sum(random.normal(), random.normal() * 1e-18);
  const DoubleDouble back = a * b / b;
  RC_ASSERT(std::abs((back - a).value()) <= 1e-29 * std::abs(a.hi));
}

TEST(LogMath, log_sum_exp_survives_extremes) {
  const double far[] = {-1e6, -1e6 + std::log(3.0)};
  EXPECT_NEAR(log_sum_exp(far), -1e6 + std::log(4.0), 1e-9);
  const double zero[] = {-infinity, -infinity};
  EXPECT_EQ(log_sum_exp(zero), -infinity);
}

TEST(Posterior, of_tiny_probabilities_is_printed_as_such) {
  const double joint[] = {0, -119.4};
  const auto row = posterior(joint);
  EXPECT_NEAR(row.probabilities[1] / std::exp(-119.4), 1, 1e-12);
  EXPECT_EQ(row.probabilities[0], 1);
}

TEST(Decision, takes_the_first_of_equals_and_rejects_below_a_threshold) {
  const double equal[] = {std::log(0.5), std::log(0.5)};
  EXPECT_EQ(decide(posterior(equal)), 0u);
  EXPECT_EQ(decide(posterior(equal), {0.6}), std::nullopt);
  const double none[] = {-infinity, -infinity};
  EXPECT_EQ(decide(posterior(none)), std::nullopt);
}

TEST(Text, splits_outside_quotes_and_trims) {
  EXPECT_EQ(split(" a, \"b, c\" ,", ','), (std::vector<std::string>{"a", "b, c", ""}));
  EXPECT_EQ(to_number_or_fraction("3/8"), 0.375);
  EXPECT_EQ(to_number("1e999"), std::nullopt);
  EXPECT_EQ(to_number("12x"), std::nullopt);
}

TEST(Text, sorts_numbers_as_numbers) {
  EXPECT_TRUE(natural_less("9", "10"));
  EXPECT_TRUE(natural_less("10", "a"));
  EXPECT_TRUE(natural_less("No", "Yes"));
  EXPECT_FALSE(natural_less("1", "1"));
}

TEST(Text, matches_patterns_with_stars) {
  EXPECT_TRUE(glob_matches("x*", "x12"));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_FALSE(glob_matches("x*y", "xz"));
}

// The definition: a star is nothing, or any character and then a star.
bool matches_by_definition(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*') {
    return matches_by_definition(pattern.substr(1), name) ||
           (!name.empty() && matches_by_definition(pattern, name.substr(1)));
  }
  return !name.empty() && pattern[0] == name[0] &&
         matches_by_definition(pattern.substr(1), name.substr(1));
}

TEST(Text, matches_patterns_as_they_are_defined) {
  std::vector<std::string> patterns = {""}, names = {""};
  for (std::size_t i = 0; i < patterns.size() && patterns[i].size() < 5; ++i) {
    for (const char c : {'a', 'b', '*'}) patterns.push_back(patterns[i] + c);
  }
  for (std::size_t i = 0; i < names.size() && names[i].size() < 6; ++i) {
    for (const char c : {'a', 'b'}) names.push_back(names[i] + c);
  }
  for (const auto& pattern : patterns) {
    for (const auto& name : names) {
      ASSERT_EQ(glob_matches(pattern, name), matches_by_definition(pattern, name))
          << pattern << " " << name;
    }
  }
}

TEST(Text, matches_patterns_of_many_stars_at_once) {
  std::string pattern;
  for (int i = 0; i < 1000; ++i) pattern += "a*";
  const std::string name(5000, 'a');
  EXPECT_TRUE(glob_matches(pattern, name));
  EXPECT_FALSE(glob_matches(pattern + "b", name));
}

TEST(Suggestion, names_the_nearest_and_stays_silent_when_none_is_near) {
  EXPECT_EQ(suggestion("Outlok", {"Wind", "Outlook"}), " (did you mean \"Outlook\"?)");
  EXPECT_EQ(suggestion("zebra", {"Wind", "Outlook"}), "");
}

}  // namespace
}  // namespace credence
