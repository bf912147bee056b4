// SPDX-License-Identifier: Apache-2.0
// What bayes and map stand for: the average over the posterior, and its mode.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "core/log_math.hpp"
#include "credence/scorer.hpp"
#include "families/dirichlet.hpp"
#include "families/numeric.hpp"
#include "laws/random_data.hpp"

namespace credence::laws {
namespace {

// The predictive as an average over the posterior, by Monte Carlo with its own standard error.
void expect_average(double predictive, const std::vector<double>& draws) {
  const double n = static_cast<double>(draws.size());
  const double mean = std::accumulate(draws.begin(), draws.end(), 0.0) / n;
  double variance = 0;
  for (const double draw : draws) variance += (draw - mean) * (draw - mean) / n;
  EXPECT_NEAR(predictive, mean, 5 * std::sqrt(variance / n) + 1e-12);
  EXPECT_LT(std::sqrt(variance / n), 0.02 * mean) << "too few draws to tell";
}

constexpr int draw_count = 200000;

TEST(Predictive, of_a_gaussian_is_the_average_over_mean_and_variance) {
  Random random(31);
  const std::tuple<double, double, double> priors[] = {{1, 1, 1}, {50, 1, 1}, {2, 0.25, 3}};
  for (const auto& [strength, within, for_spread] : priors) {
    Moments observed{7.3, 2.0, 11.0}, column{20.0, 1.0, 60.0};
    const auto predictive = estimate_number(observed, {column, within, for_spread},
                                            {Rule::Kind::bayes, strength}, "x", "c");
    // Normal-inverse-gamma posterior: the imaginary rows merged in.
    Moments merged = observed;
    merged.merge({strength * within, column.mean, strength * for_spread * within * 60.0 / 20.0});
    const double n = merged.weight.value(), rows = 7.3 + strength * for_spread;
    for (const double x : {-1.0, 2.0, 6.0}) {
      std::vector<double> draws;
      for (int i = 0; i < draw_count; ++i) {
        const double variance = merged.m2.value() / 2 / random.gamma(rows / 2);
        const double mean = merged.mean.value() + std::sqrt(variance / n) * random.normal();
        draws.push_back(
            std::exp(NumberDensity::make(mean, std::sqrt(variance), infinity).log_density(x)));
      }
      expect_average(std::exp(predictive.log_density(x)), draws);
    }
  }
}

TEST(Predictive, of_a_poisson_is_the_average_over_the_rate) {
  Random random(37);
  for (const double strength : {1.0, 50.0}) {
    const auto predictive = estimate_rate(6.6, 21, 30, 60, {Rule::Kind::bayes, strength}, "x", "c");
    for (const double x : {0.0, 3.0, 9.0}) {
      std::vector<double> draws;
      for (int i = 0; i < draw_count; ++i) {
        const double rate = random.gamma(21 + strength * 2, 1 / (6.6 + strength));
        draws.push_back(std::exp(RateDensity{rate, 0, 0}.log_density(x)));
      }
      expect_average(std::exp(predictive.log_density(x)), draws);
    }
  }
}

TEST(Predictive, of_words_is_the_average_over_their_shares) {
  Random random(41);
  for (const double strength : {1.0, 50.0}) {
    const std::vector<double> counts = {3.6, 0, 7};
    const auto p =
        estimate_shares(counts, {0.5, 0.3, 0.2}, {Rule::Kind::bayes, strength}, "x", "c");
    std::vector<std::vector<double>> draws(3);
    for (int i = 0; i < draw_count; ++i) {
      const double a = random.gamma(3.6 + 0.5 * strength), b = random.gamma(0.3 * strength),
                   c = random.gamma(7 + 0.2 * strength);
      const double total = a + b + c;
      draws[0].push_back(a / total);
      draws[1].push_back(b / total);
      draws[2].push_back(c / total);
    }
    for (std::size_t v = 0; v < 3; ++v) expect_average(p[v], draws[v]);
  }
}

TEST(Predictive, of_a_bag_of_draws_is_the_average_over_the_urns) {
  Case what{"multinomial_columns", ColumnKind::amount, "multinomial", 0, 1, 3};
  Settings settings;
  settings.rule = parse_rule("bayes=2");
  Chunk train;
  train.rows = 2;
  train.labels = {{0, 1}, {"a", "b"}};
  train.columns = {Numbers{{4, 1}}, Numbers{{0, 2}}, Numbers{{1, 3}}};
  const Scorer scorer(learn(model_for(what, settings), {train}));
  Chunk test;
  test.rows = 1;
  test.columns = {Numbers{{2}}, Numbers{{1}}, Numbers{{1}}};
  Random random(43);
  std::vector<double> draws;
  for (int i = 0; i < 5 * draw_count; ++i) {
    const double a = random.gamma(4 + 2.0 / 3), b = random.gamma(2.0 / 3),
                 c = random.gamma(1 + 2.0 / 3);
    const double total = a + b + c;
    draws.push_back(a * a * b * c / (total * total * total * total));
  }
  expect_average(std::exp(scorer.log_joint(test)[0] - scorer.log_prior()[0]), draws);
}

TEST(Map, of_words_is_the_mode_of_the_dirichlet) {
  const std::vector<double> counts = {3, 1, 6};
  const auto mode = estimate_shares(counts, {}, {Rule::Kind::map, 6}, "x", "c");
  const auto log_posterior = [&](const std::vector<double>& p) {
    double sum = 0;
    for (std::size_t v = 0; v < 3; ++v) sum += x_log_y(counts[v] + 2 - 1, p[v]);
    return sum;
  };
  Random random(47);
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> other = mode;
    const double step = 0.05 * random.normal();
    const std::size_t from = random.below(3), to = (from + 1) % 3;
    other[from] -= step;
    other[to] += step;
    if (other[from] <= 0 || other[to] <= 0) continue;
    EXPECT_LE(log_posterior(other), log_posterior(mode));
  }
  // The default adds one to every count.
  const auto standard = estimate_shares(counts, {}, parse_rule("map"), "x", "c");
  EXPECT_DOUBLE_EQ(standard[0], 4.0 / 13);
}

TEST(Map, of_a_gaussian_is_the_mode_of_mean_and_variance) {
  const Moments observed{7.0, 2.0, 11.0}, column{20.0, 1.0, 60.0};
  const auto map = estimate_number(observed, {column}, {Rule::Kind::map, 2}, "x", "c");
  Moments merged = observed;
  merged.merge({2.0, column.mean, 2.0 * 3.0});
  const double n = merged.weight.value();
  const auto log_posterior = [&](double mean, double variance) {
    const double shift = mean - merged.mean.value();
    return -(n + 3) / 2 * std::log(variance) -
           (merged.m2.value() + n * shift * shift) / (2 * variance);
  };
  const double best = log_posterior(map.mean, map.scale * map.scale);
  Random random(53);
  for (int i = 0; i < 2000; ++i) {
    EXPECT_LE(log_posterior(map.mean + 0.1 * random.normal(),
                            map.scale * map.scale * std::exp(0.1 * random.normal())),
              best);
  }
}

}  // namespace
}  // namespace credence::laws
