// SPDX-License-Identifier: Apache-2.0
// Paired tests against SciPy 1.16: scipy.stats.binomtest(b, b + c, 0.5), and scipy.stats.t.sf of
// mean / sqrt((1/k + share) * variance) with k - 1 degrees of freedom, twice.
#include "measure/paired.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace credence {
namespace {

TEST(PairedTests, mcnemar_has_the_p_values_of_a_binomial_test) {
  struct Reference {
    double one, other, p;
  };
  for (const auto& [one, other, p] :
       {Reference{0, 0, 1}, Reference{0, 1, 1}, Reference{3, 9, 0.14599609375}, Reference{5, 5, 1},
        Reference{10, 25, 0.016673847800120715}, Reference{120, 180, 0.0006342200069283566},
        Reference{4000, 4300, 0.001029736761268162}, Reference{0, 60, 1.734723475976807e-18}}) {
    EXPECT_NEAR(mcnemar_p(one, other), p, 1e-10 * p) << one << " to " << other;
    EXPECT_EQ(mcnemar_p(one, other), mcnemar_p(other, one)) << "it must not matter who is who";
  }
}

TEST(PairedTests, the_corrected_t_test_has_the_p_values_of_students_t) {
  const std::vector<double> five = {0.01, 0.02, -0.005, 0.03, 0.012};
  const std::vector<double> ten = {0.1, 0.12, 0.09, 0.11, 0.1, 0.13, 0.08, 0.1, 0.11, 0.12};
  const std::vector<double> two = {-0.3, 0.2};
  EXPECT_NEAR(corrected_t_p(five, 0.25), 0.1979194246208616, 1e-12);
  EXPECT_NEAR(corrected_t_p(ten, 1.0 / 9), 9.371724519741919e-08, 1e-17);
  EXPECT_NEAR(corrected_t_p(two, 1), 0.9268136049596726, 1e-12);
  EXPECT_EQ(corrected_t_p(std::vector<double>{0, 0, 0}, 0.5), 1) << "no difference at all";
  EXPECT_TRUE(std::isnan(corrected_t_p(std::vector<double>{1, INFINITY}, 1)));
}

TEST(PairedTests, count_rows_that_only_one_of_two_got_right) {
  const auto outcome = [](std::size_t truth, std::size_t prediction, double weight, double log_p) {
    Outcome result;
    result.truth = truth;
    result.prediction = prediction;
    result.weight = weight;
    result.log_probability = log_p;
    return result;
  };
  const std::vector<Outcome> one = {outcome(0, 0, 1, -0.1), outcome(0, 1, 2, -1),
                                    outcome(1, Outcome::no_label, 1, -2), outcome(1, 1, 0, -9)};
  const std::vector<Outcome> other = {outcome(0, 1, 1, -0.5), outcome(0, 0, 2, -0.2),
                                      outcome(1, 1, 1, -0.4), outcome(1, 0, 0, 0)};
  const auto test = compare_pairs(one, other, std::vector<double>{1, 2}, std::vector<double>{0, 1});
  EXPECT_EQ(test.only_one, 1);
  EXPECT_EQ(test.only_other, 2);
  EXPECT_EQ(test.decisions_p, 1);
  EXPECT_NEAR(test.log_loss_difference, (0.1 - 0.5 + 2 * (1 - 0.2) + 2 - 0.4) / 4, 1e-15);
  EXPECT_EQ(test.log_loss_p, 0) << "two folds, the same difference in both";
  const std::vector<double> losses = {0.4, 0.6, 0.5};
  const std::vector<double> rounded = {0.4 + 1e-16, 0.6, 0.5 - 2e-16};
  EXPECT_EQ(compare_pairs(one, one, losses, rounded).log_loss_p, 1) << "rounding is no difference";
}

}  // namespace
}  // namespace credence
