// SPDX-License-Identifier: Apache-2.0
#include "ask/estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "credence/error.hpp"
#include "error_of.hpp"

namespace credence {
namespace {

EstimateRequest request(Distribution distribution, const std::string& rule) {
  EstimateRequest result;
  result.column = "x";
  result.distribution = distribution;
  result.rule = parse_rule(rule);
  return result;
}

Chunk words(const std::vector<std::string>& values, const std::vector<std::string>& groups = {}) {
  const auto encode = [](const std::vector<std::string>& texts) {
    Categories column;
    Domain domain;
    for (const auto& text : texts) {
      column.codes.push_back(text.empty() ? -1 : static_cast<int>(domain.insert(text)));
    }
    column.dictionary = domain.values();
    return column;
  };
  Chunk chunk;
  chunk.rows = values.size();
  chunk.columns = {encode(values)};
  chunk.labels = encode(groups);
  return chunk;
}

Chunk numbers(const std::vector<double>& values, const std::vector<std::string>& groups = {}) {
  Chunk chunk = words(std::vector<std::string>(values.size()), groups);
  chunk.columns = {Numbers{values}};
  return chunk;
}

std::vector<GroupEstimate> estimates(const EstimateRequest& request, const Chunk& chunk) {
  ColumnStatistics statistics(request);
  statistics.observe(chunk);
  return statistics.estimate();
}

GroupEstimate one(const EstimateRequest& request, const Chunk& chunk) {
  return estimates(request, chunk).at(0);
}

std::string estimate_error(const EstimateRequest& request, const Chunk& chunk, ErrorKind kind) {
  return error_of([&] { estimates(request, chunk); }, kind);
}

const std::vector<std::string> tosses = {"heads", "heads", "tails", "heads", "tails"};

TEST(Estimate, three_heads_of_five_have_their_greatest_likelihood_at_0_6) {
  const auto found = one(request(Distribution::binomial, "mle"), words(tosses));
  ASSERT_EQ(found.parameters.size(), 1u);
  const auto& theta = found.parameters[0];
  EXPECT_EQ(theta.value, "heads");
  EXPECT_EQ(theta.estimate, 0.6);
  EXPECT_EQ(theta.numerator, 3);
  EXPECT_EQ(theta.denominator, 5);
  EXPECT_NEAR(*theta.standard_error, std::sqrt(0.6 * 0.4 / 5), 1e-16);
  EXPECT_NEAR(found.log_likelihood, -3.365058335046282, 1e-14);
  EXPECT_EQ(found.rows, 5u);
}

// Quantiles in this file: bisection of the regularised incomplete functions in mpmath, 30 digits.
TEST(Estimate, laplace_1_is_the_posterior_under_a_uniform_prior) {
  const auto found = one(request(Distribution::binomial, "laplace=1"), words(tosses));
  EXPECT_NEAR(found.parameters[0].estimate, 4.0 / 7, 1e-16);
  EXPECT_NEAR(found.parameters[0].interval->low, 0.22277809550351212, 1e-14);
  EXPECT_NEAR(found.parameters[0].interval->high, 0.8818827512429748, 1e-14);
}

TEST(Estimate, one_imaginary_toss_is_half_a_head_and_half_a_tail) {
  auto asked = request(Distribution::binomial, "bayes");
  asked.level = 0.9;
  const auto found = one(asked, words(tosses));
  EXPECT_NEAR(found.parameters[0].estimate, 3.5 / 6, 1e-16);
  EXPECT_NEAR(found.parameters[0].interval->low, 0.26063370867919713, 1e-14);
  EXPECT_NEAR(found.parameters[0].interval->high, 0.87222440051640374, 1e-14);
}

TEST(Estimate, the_success_is_named_or_obvious) {
  auto asked = request(Distribution::binomial, "mle");
  const auto theta = [&](const std::vector<std::string>& values) {
    return one(asked, words(values)).parameters[0];
  };
  EXPECT_EQ(theta({"No", "Yes", "No", "No"}).estimate, 0.25);
  EXPECT_EQ(theta({"0", "1", "1", "1"}).estimate, 0.75);
  EXPECT_EQ(theta({"tails", "tails"}).estimate, 0);
  EXPECT_EQ(theta({"tails", "tails"}).value, "heads");
  EXPECT_EQ(theta({"heads", "heads"}).estimate, 1);
  EXPECT_EQ(estimate_error(asked, words({"up", "down"}), ErrorKind::usage),
            "column \"x\": which value is a success, \"down\" or \"up\"? (use `success down`)");
  EXPECT_EQ(
      estimate_error(asked, words({"up"}), ErrorKind::usage),
      "column \"x\": which value is a success, \"up\" or a value never seen? (use `success up`)");
  EXPECT_EQ(estimate_error(asked, words({"up", "down", "left"}), ErrorKind::data),
            "column \"x\": binomial needs two values, it has 3: down, left, up (use `distribution "
            "multinomial`)");
  asked.success = "up";
  EXPECT_EQ(theta({"up", "down", "down", "down"}).estimate, 0.25);
  EXPECT_EQ(theta({"up"}).estimate, 1);
  asked.success = "dwon";
  EXPECT_EQ(estimate_error(asked, words({"up", "down"}), ErrorKind::usage),
            "`success`: column \"x\" has no value \"dwon\" (did you mean \"down\"?)");
  asked.success = "heads";
  EXPECT_EQ(estimate_error(asked, words({"down"}), ErrorKind::usage),
            "`success`: column \"x\" has no value \"heads\" (`values` declares it)");
}

TEST(Estimate, a_declared_value_never_seen_gets_its_imaginary_share) {
  auto asked = request(Distribution::multinomial, "m-estimate=1");
  asked.values = {"small", "medium", "large"};
  std::vector<std::string> sizes(4, "small");
  sizes.resize(10, "large");
  const auto found = one(asked, words(sizes));
  const double expected[] = {13.0 / 33, 1.0 / 33, 19.0 / 33};
  ASSERT_EQ(found.parameters.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(found.parameters[i].value, asked.values[i]);
    EXPECT_NEAR(found.parameters[i].estimate, expected[i], 1e-15);
    EXPECT_LT(found.parameters[i].interval->low, expected[i]);
    EXPECT_GT(found.parameters[i].interval->high, expected[i]);
  }
  EXPECT_NEAR(found.log_likelihood, 4 * std::log(13.0 / 33) + 6 * std::log(19.0 / 33), 1e-13);
}

TEST(Estimate, given_shares_spread_the_imaginary_rows_and_declare_the_values) {
  auto asked = request(Distribution::multinomial, "m-estimate=2");
  asked.shares = {{"a", 0.5}, {"b", 0.25}, {"c", 0.25}};
  const auto found = one(asked, words({"a", "b"}));
  ASSERT_EQ(found.parameters.size(), 3u);
  EXPECT_EQ(found.parameters[0].estimate, 0.5);
  EXPECT_EQ(found.parameters[1].estimate, 0.375);
  EXPECT_EQ(found.parameters[2].estimate, 0.125);
}

TEST(Estimate, a_single_value_is_certain) {
  const auto found = one(request(Distribution::multinomial, "bayes"), words({"a", "a"}));
  EXPECT_EQ(found.parameters[0].estimate, 1);
  EXPECT_EQ(found.parameters[0].interval->low, 1);
  EXPECT_EQ(found.parameters[0].interval->high, 1);
}

TEST(Estimate, a_poisson_rate_is_the_mean_count) {
  const auto chunk = numbers({2, 0, 3, 1});
  const auto found = one(request(Distribution::poisson, "mle"), chunk);
  EXPECT_EQ(found.parameters[0].estimate, 1.5);
  EXPECT_NEAR(*found.parameters[0].standard_error, std::sqrt(1.5 / 4), 1e-16);
  EXPECT_NEAR(found.log_likelihood, 6 * std::log(1.5) - 6 - std::log(2.0) - std::log(6.0), 1e-14);
  const auto bayes = one(request(Distribution::poisson, "bayes"), chunk);
  EXPECT_EQ(bayes.parameters[0].estimate, 1.5);
  EXPECT_NEAR(bayes.parameters[0].interval->low, 0.62621377950432511, 1e-14);
  EXPECT_NEAR(bayes.parameters[0].interval->high, 2.7488392863442981, 1e-14);
  EXPECT_EQ(one(request(Distribution::poisson, "map"), chunk).parameters[0].estimate, 6.5 / 5);
  EXPECT_EQ(one(request(Distribution::poisson, "bayes"), numbers({0, 0})).parameters[0].estimate,
            0);
}

TEST(Estimate, gaussian_mle_and_unbiased_differ_in_the_divisor) {
  const auto chunk = numbers({1, 2, 3, 4});
  const auto mle = one(request(Distribution::gaussian, "mle"), chunk);
  EXPECT_EQ(mle.parameters[0].estimate, 2.5);
  EXPECT_NEAR(mle.parameters[2].estimate, 1.25, 1e-15);
  EXPECT_NEAR(*mle.parameters[0].standard_error, std::sqrt(1.25 / 4), 1e-15);
  EXPECT_NEAR(*mle.parameters[1].standard_error, std::sqrt(1.25 / 8), 1e-15);
  EXPECT_NEAR(mle.log_likelihood, -2 * std::log(2 * std::numbers::pi * 1.25) - 2, 1e-14);
  const auto unbiased = one(request(Distribution::gaussian, "unbiased"), chunk);
  EXPECT_NEAR(unbiased.parameters[2].estimate, 5.0 / 3, 1e-15);
  EXPECT_NEAR(*unbiased.parameters[0].standard_error, std::sqrt(5.0 / 12), 1e-15);
  EXPECT_NEAR(*unbiased.parameters[1].standard_error, std::sqrt(5.0 / 18), 1e-15);
}

// One imaginary row of mean 2.5 and variance 1.25: 5 rows, m2 = 6.25.
TEST(Estimate, gaussian_bayes_reports_posterior_means_and_credible_intervals) {
  const auto chunk = numbers({1, 2, 3, 4});
  const auto found = one(request(Distribution::gaussian, "bayes"), chunk);
  EXPECT_EQ(found.parameters[0].estimate, 2.5);
  EXPECT_NEAR(found.parameters[2].estimate, 6.25 / 3, 1e-14);
  EXPECT_NEAR(found.parameters[1].estimate, std::sqrt(6.25 / 3), 1e-14);
  EXPECT_NEAR(found.parameters[0].interval->low, 1.2147090821818422, 1e-13);
  EXPECT_NEAR(found.parameters[0].interval->high, 3.7852909178181578, 1e-13);
  EXPECT_NEAR(found.parameters[1].interval->low, 0.69788576257521357, 1e-13);
  EXPECT_NEAR(found.parameters[1].interval->high, 2.7421058004804418, 1e-13);
  EXPECT_FALSE(found.parameters[0].standard_error);
  const auto map = one(request(Distribution::gaussian, "map"), chunk);
  EXPECT_NEAR(map.parameters[2].estimate, 6.25 / 8, 1e-14);
  EXPECT_EQ(map.parameters[1].interval->low, found.parameters[1].interval->low);
}

TEST(Estimate, a_posterior_of_two_rows_has_no_mean_variance) {
  auto asked = request(Distribution::gaussian, "bayes");
  asked.by = "g";
  const auto found = estimates(asked, numbers({1, 2, 4}, {"a", "b", "b"}));
  EXPECT_TRUE(std::isnan(found[0].parameters[2].estimate));
  EXPECT_TRUE(std::isnan(found[0].log_likelihood));
  EXPECT_GT(found[0].parameters[1].interval->low, 0);
  EXPECT_FALSE(std::isnan(found[1].parameters[2].estimate));
}

TEST(Estimate, groups_are_estimated_apart_in_natural_order) {
  auto asked = request(Distribution::gaussian, "mle");
  asked.by = "g";
  const auto found =
      estimates(asked, numbers({1, 10, 3, 20, 99, NAN}, {"10", "9", "10", "9", "", "9"}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].group, "9");
  EXPECT_EQ(found[0].parameters[0].estimate, 15);
  EXPECT_EQ(found[0].rows, 2u);
  EXPECT_EQ(found[1].parameters[0].estimate, 2);
}

TEST(Estimate, a_weight_is_a_number_of_rows) {
  auto weighted = numbers({1, 2, 5});
  weighted.weights = {2, 1, 3};
  const auto found = one(request(Distribution::gaussian, "unbiased"), weighted);
  const auto repeated =
      one(request(Distribution::gaussian, "unbiased"), numbers({1, 1, 2, 5, 5, 5}));
  EXPECT_NEAR(found.parameters[1].estimate, repeated.parameters[1].estimate, 1e-15);
  EXPECT_NEAR(found.log_likelihood, repeated.log_likelihood, 1e-13);
  EXPECT_EQ(found.rows, 3u);
  EXPECT_EQ(found.weight, 6);
}

TEST(Estimate, rows_without_a_value_or_group_are_counted_as_left_out) {
  auto asked = request(Distribution::multinomial, "mle");
  asked.by = "g";
  ColumnStatistics statistics(asked);
  statistics.observe(words({"a", "", "b", "a"}, {"p", "p", "", "q"}));
  EXPECT_EQ(statistics.left_out(), 2u);
  EXPECT_EQ(statistics.estimate()[0].rows, 1u);
}

TEST(Estimate, errors_name_column_and_group) {
  auto asked = request(Distribution::gaussian, "mle");
  EXPECT_EQ(estimate_error(asked, numbers({5, 5, 5}), ErrorKind::data),
            "column \"x\": its values do not vary, so their variance is 0 (use `distribution "
            "multinomial`)");
  EXPECT_EQ(estimate_error(asked, numbers({NAN, NAN}), ErrorKind::data),
            "column \"x\": no values to estimate from");
  EXPECT_EQ(estimate_error(request(Distribution::gaussian, "bayes"), numbers({5}), ErrorKind::data),
            "column \"x\": its values do not vary, so their variance is 0 (use `distribution "
            "multinomial`)");
  asked.by = "play";
  EXPECT_EQ(estimate_error(asked, numbers({5, 5, 5, 6}, {"a", "a", "b", "b"}), ErrorKind::data),
            "column \"x\": its values where play is \"a\" do not vary, so their variance is 0 (use "
            "`rule bayes`)");
  EXPECT_EQ(estimate_error(asked, numbers({NAN, 5, 6}, {"a", "b", "b"}), ErrorKind::data),
            "column \"x\": no value where play is \"a\" (use `rule bayes`)");
}

TEST(Estimate, a_group_without_values_is_its_prior) {
  auto asked = request(Distribution::multinomial, "bayes");
  asked.by = "g";
  const auto found = estimates(asked, words({"", "u", "v"}, {"a", "b", "b"}));
  EXPECT_EQ(found[0].rows, 0u);
  EXPECT_EQ(found[0].parameters[0].estimate, 0.5);
  EXPECT_EQ(found[0].log_likelihood, 0);
}

TEST(Estimate, options_that_would_do_nothing_are_refused) {
  const auto refused = [](EstimateRequest asked) {
    return estimate_error(asked, words({"a"}), ErrorKind::usage);
  };
  auto asked = request(Distribution::gaussian, "mle");
  asked.values = {"a"};
  EXPECT_EQ(refused(asked), "`values` goes with `distribution binomial` or multinomial");
  asked = request(Distribution::poisson, "bayes");
  asked.shares = {{"a", 1}};
  EXPECT_EQ(refused(asked), "`shares` goes with `distribution binomial` or multinomial");
  asked = request(Distribution::multinomial, "mle");
  asked.shares = {{"a", 1}};
  EXPECT_EQ(refused(asked), "`shares` has no meaning under the rule mle (use `rule m-estimate=1`)");
  asked.shares = {};
  asked.success = "a";
  EXPECT_EQ(refused(asked), "`success` goes with `distribution binomial`");
  asked = request(Distribution::multinomial, "bayes");
  asked.level = 95;
  EXPECT_EQ(refused(asked), "`level 95`: a number between 0 and 1 is needed, for example 0.95");
}

TEST(Estimate, distributions_have_two_names_and_a_suggestion) {
  EXPECT_EQ(parse_distribution("bernoulli"), Distribution::binomial);
  EXPECT_EQ(parse_distribution("categorical"), Distribution::multinomial);
  try {
    parse_distribution("gausian");
    FAIL();
  } catch (const Error& problem) {
    EXPECT_STREQ(problem.what(),
                 "`distribution`: no distribution \"gausian\" (did you mean \"gaussian\"?); there "
                 "are binomial (or bernoulli), multinomial (or categorical), poisson, gaussian");
  }
}

}  // namespace
}  // namespace credence
