// SPDX-License-Identifier: Apache-2.0
// Tuning judges candidates as cross-validation does, and its weights are where the loss is least.
#include "credence/tune.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "choose/block_weights.hpp"
#include "core/log_math.hpp"
#include "laws/random_data.hpp"

namespace credence::laws {
namespace {

// A word and two numbers: the word and the first number know the class, the second does not.
Chunk mixed_chunk(std::size_t rows, bool weighted, Random& random) {
  Chunk chunk;
  chunk.rows = rows;
  chunk.labels.dictionary = {"a", "b", "c"};
  Categories words{{}, {"x", "y", "z"}};
  Numbers knowing, ignorant;
  for (std::size_t r = 0; r < rows; ++r) {
    const auto cls = random.below(3);
    chunk.labels.codes.push_back(static_cast<std::int32_t>(cls));
    words.codes.push_back(static_cast<std::int32_t>(random.below(3) == 0 ? random.below(3) : cls));
    knowing.values.push_back(static_cast<double>(cls) + random.normal());
    ignorant.values.push_back(random.normal());
    if (weighted) chunk.weights.push_back(random.below(2) ? 0.3 : 2.0);
  }
  chunk.columns = {words, knowing, ignorant, knowing};
  return chunk;
}

// All blocks that candidates may have: the last column repeats the second.
Model all_blocks() {
  Schema schema;
  schema.target = "class";
  schema.columns = {{"word", ColumnKind::category, {}},
                    {"knowing", ColumnKind::number, {}},
                    {"ignorant", ColumnKind::number, {}},
                    {"again", ColumnKind::number, {}}};
  return {schema,
          {{"categorical", {0}},
           {"gaussian", {1}},
           {"gaussian", {2}},
           {"histogram", {1}},
           {"gaussian", {3}}}};
}

Candidate candidate(std::vector<std::size_t> blocks, const std::string& rule, bool weigh = false,
                    const std::string& prior = "empirical") {
  Candidate result{std::move(blocks), {}, weigh};
  result.settings.rule = parse_rule(rule);
  result.settings.prior = parse_class_prior(prior);
  return result;
}

TEST(Tune, judges_a_candidate_as_cross_validation_does) {
  Random random(97);
  for (const bool weighted : {false, true}) {
    const std::vector<Chunk> chunks = {mixed_chunk(120, weighted, random),
                                       mixed_chunk(80, weighted, random)};
    const std::vector<Candidate> candidates = {
        candidate({0, 1, 2}, "bayes"), candidate({0, 3, 2}, "bayes"),
        candidate({0, 1, 2}, "laplace=10", false, "uniform"), candidate({1}, "mle")};
    for (const bool one_by_one : {false, true}) {
      TuneOptions options;
      options.folds.leave_one_out = one_by_one;
      options.folds.count = 5;
      const auto tuning = tune(all_blocks(), candidates, chunks, options);
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        std::vector<BlockSpec> blocks;
        for (const auto b : candidates[i].blocks) blocks.push_back(all_blocks().blocks()[b]);
        const Model alone(all_blocks().schema(), blocks, candidates[i].settings);
        const auto expected = cross_validate(alone, chunks, options.folds).all;
        EXPECT_NEAR(tuning.tried[i].accuracy, expected.accuracy, 1e-12) << i;
        EXPECT_NEAR(tuning.tried[i].log_loss, expected.log_loss, 1e-12) << i;
      }
    }
  }
}

// One row in addition, of any row's columns and of a class drawn by the shares.
TEST(Tune, who_may_be_surprised_is_chosen_by_an_imaginary_row_as_well) {
  Random random(101);
  const std::vector<Chunk> chunks = {mixed_chunk(60, false, random)};
  const std::vector<Candidate> candidates = {candidate({0, 1, 2}, "bayes"),
                                             candidate({1, 4}, "bayes=0.01")};
  TuneOptions options;
  options.folds.count = 4;
  const auto plain = tune(all_blocks(), candidates, chunks, options);
  options.surprised = true;
  const auto tuning = tune(all_blocks(), candidates, chunks, options);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    std::vector<BlockSpec> blocks;
    for (const auto b : candidates[i].blocks) blocks.push_back(all_blocks().blocks()[b]);
    const Model alone(all_blocks().schema(), blocks, candidates[i].settings);
    const auto held = hold_out(alone, chunks, options.folds, 1);
    std::vector<double> shares(3, 0.0);
    for (const auto& row : held.rows) shares[row.cls] += 1 / 60.0;
    double surprise = 0;
    for (std::size_t r = 0; r < held.rows.size(); ++r) {
      const auto row = posterior(held.scores(r));
      for (std::size_t c = 0; c < 3; ++c) {
        surprise -= shares[c] * std::log(std::max(row.probabilities[c], std::exp(-36.0))) / 60;
      }
    }
    EXPECT_EQ(tuning.tried[i].log_loss, plain.tried[i].log_loss);
    EXPECT_NEAR(tuning.tried[i].value, plain.tried[i].value + surprise / 60, 1e-12);
    double of_folds = 0;
    for (const double value : tuning.tried[i].of_folds) of_folds += value / 4;
    EXPECT_NEAR(of_folds, tuning.tried[i].value, 1e-12);  // folds of equal size
  }
}

TEST(Tune, chooses_by_what_it_is_told_and_the_first_of_equals) {
  Random random(101);
  const std::vector<Chunk> chunks = {mixed_chunk(150, false, random)};
  const std::vector<Candidate> candidates = {candidate({2}, "bayes"), candidate({0, 1}, "bayes"),
                                             candidate({0, 1}, "bayes")};
  TuneOptions options;
  EXPECT_EQ(tune(all_blocks(), candidates, chunks, options).best, 1u);
  options.objective = Objective::accuracy;
  EXPECT_EQ(tune(all_blocks(), candidates, chunks, options).best, 1u);
  options.objective = Objective::cost;
  EXPECT_THROW(tune(all_blocks(), candidates, chunks, options), Error) << "no costs are given";
  // Where only a false a costs, and dearly, deciding by cost never says a.
  options.costs.of = {0, 1, 1, 1000, 0, 1, 1000, 1, 0};
  const auto by_cost = tune(all_blocks(), candidates, chunks, options);
  EXPECT_LT(by_cost.tried[by_cost.best].cost, 1.0);
}

TEST(Tune, does_not_depend_on_the_number_of_threads) {
  Random random(103);
  const std::vector<Chunk> chunks = {mixed_chunk(150, true, random)};
  const std::vector<Candidate> candidates = {candidate({0, 1, 2}, "bayes"),
                                             candidate({0, 1, 2}, "bayes", true)};
  TuneOptions one, many;
  one.threads = 1;
  many.threads = 8;
  const auto a = tune(all_blocks(), candidates, chunks, one);
  const auto b = tune(all_blocks(), candidates, chunks, many);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    EXPECT_EQ(a.tried[i].log_loss, b.tried[i].log_loss);
    EXPECT_EQ(a.tried[i].weights, b.tried[i].weights);
  }
}

TEST(Tune, passes_over_a_candidate_that_cannot_be_estimated) {
  Random random(107);
  Chunk chunk = mixed_chunk(60, false, random);
  std::get<Numbers>(chunk.columns[2]).values.assign(60, 4.0);  // it does not vary
  TuneOptions options;
  const auto tuning =
      tune(all_blocks(), {candidate({1, 2}, "mle"), candidate({1}, "mle")}, {chunk}, options);
  EXPECT_NE(tuning.tried[0].failure.text().find("do not vary"), std::string::npos);
  EXPECT_EQ(tuning.tried[1].failure.text(), "");
  EXPECT_EQ(tuning.best, 1u);
  EXPECT_THROW(tune(all_blocks(), {candidate({1, 2}, "mle")}, {chunk}, options), Error)
      << "none is left";
}

TEST(Tune, halves_what_is_said_twice_and_drops_what_says_nothing) {
  Random random(109);
  const std::vector<Chunk> chunks = {mixed_chunk(3000, false, random)};
  TuneOptions options;
  const auto tuning =
      tune(all_blocks(), {candidate({0, 1, 2, 4}, "bayes"), candidate({0, 1, 2, 4}, "bayes", true)},
           chunks, options);
  const auto& weights = tuning.tried[1].weights;
  ASSERT_EQ(weights.size(), 4u);
  EXPECT_NEAR(weights[0], 1, 0.2) << "the word is honest";
  EXPECT_NEAR(weights[1] + weights[3], 1, 0.2) << "one number, twice";
  EXPECT_NEAR(weights[1], weights[3], 1e-6);
  EXPECT_LT(tuning.tried[1].log_loss, tuning.tried[0].log_loss);
  EXPECT_EQ(tuning.best, 1u);
}

TEST(Tune, fits_what_fit_would_fit) {
  Random random(113);
  const Chunk chunk = mixed_chunk(90, true, random);
  const Candidate chosen = candidate({2, 0}, "laplace=2");
  const auto tuning = tune(all_blocks(), {chosen}, {chunk}, {});
  Tried weighed;
  weighed.weights = {0.5, 2};
  const Model fitted = fit_candidate(tuning.whole, chosen, weighed);
  Schema schema = all_blocks().schema();
  schema.columns = {schema.columns[0], schema.columns[2]};
  Settings settings;
  settings.rule = parse_rule("laplace=2");
  const Model expected =
      learn(Model(schema, {{"gaussian", {1}, 0.5}, {"categorical", {0}, 2}}, settings), {[&] {
              Chunk narrow = chunk;
              narrow.columns = {chunk.columns[0], chunk.columns[2]};
              return narrow;
            }()});
  EXPECT_EQ(fitted.blocks(), expected.blocks());
  Chunk narrow = chunk;
  narrow.columns = {chunk.columns[0], chunk.columns[2]};
  const auto one = Scorer(fitted).log_joint(narrow), other = Scorer(expected).log_joint(narrow);
  for (std::size_t i = 0; i < other.size(); ++i) EXPECT_NEAR(one[i], other[i], 1e-13);
}

// Rows of which every block says as much of the true class as it knows, and noise.
BlockEvidence noisy_evidence(std::size_t rows, std::size_t classes,
                             const std::vector<double>& knows, std::uint64_t seed) {
  Random random(seed);
  BlockEvidence evidence(rows, knows.size(), classes);
  const std::vector<double> shares = {std::log(0.5), std::log(0.3), std::log(0.2)};
  for (std::size_t r = 0; r < rows; ++r) {
    const auto truth = static_cast<std::size_t>(random.below(classes));
    evidence.set_row(r, truth, r % 7 == 0 ? 0.0 : 1.0 + static_cast<double>(r % 2),
                     std::span(shares).first(classes));
    for (std::size_t b = 0; b < knows.size(); ++b) {
      std::vector<double> says;
      for (std::size_t c = 0; c < classes; ++c) {
        says.push_back(random.normal() + (c == truth ? knows[b] : 0));
      }
      if (r == 11 && b == 1) says[(truth + 1) % classes] = -infinity;
      if (r == 12 && b == 1) says[truth] = -infinity;
      evidence.set(r, b, says);
    }
  }
  evidence.settle();
  return evidence;
}

std::vector<std::size_t> all_rows(const BlockEvidence& evidence) {
  std::vector<std::size_t> all(evidence.rows());
  for (std::size_t r = 0; r < all.size(); ++r) all[r] = r;
  return all;
}

double log_loss_of(const BlockEvidence& evidence, const std::vector<double>& weights) {
  double sum = 0;
  std::vector<double> joint(evidence.classes());
  for (std::size_t r = 0; r < evidence.rows(); ++r) {
    if (r == 12) continue;  // its true class is impossible, whatever the weights
    evidence.log_joint(r, weights, joint);
    if (evidence.weight(r) == 0) continue;
    sum += evidence.weight(r) * (log_sum_exp(joint) - joint[evidence.truth(r)]);
  }
  return sum;
}

// Weights are normal about a mean that is normal about 1: with the mean where this is least, the
// negative log density is half the square of what all are away, up to a constant.
double pull_of(const std::vector<double>& weights, double spread) {
  const double v = spread * spread;
  double sum = 0, result = 0;
  for (const double w : weights) sum += w;
  const double mean = (sum / v + 1) / (static_cast<double>(weights.size()) / v + 1);
  for (const double w : weights) result += 0.5 * (w - mean) * (w - mean) / v;
  return result + 0.5 * (mean - 1) * (mean - 1);
}

TEST(BlockWeights, are_where_loss_and_prior_are_least_also_below_0) {
  // The last block is wrong more often than right.
  const auto evidence = noisy_evidence(400, 3, {1.0, 0.3, -0.5}, 127);
  const auto all = all_rows(evidence);
  for (const double spread : {0.1, 1.6}) {
    const auto weights = choose_weights(evidence, all, spread, {1, 1, 1}, 1);
    const auto loss = [&](const std::vector<double>& at) {
      return log_loss_of(evidence, at) + pull_of(at, spread);
    };
    EXPECT_LT(weights[2], 0);
    for (std::size_t b = 0; b < weights.size(); ++b) {
      for (const double step : {-1e-3, 1e-3}) {
        auto near = weights;
        near[b] += step;
        EXPECT_GE(loss(near), loss(weights)) << b;
      }
    }
    EXPECT_EQ(weights, choose_weights(evidence, all, spread, {1, 1, 1}, 2))
        << "threads must not matter";
    const auto again = choose_weights(evidence, all, spread, {3, -1, 2}, 1);
    for (std::size_t b = 0; b < weights.size(); ++b) EXPECT_NEAR(again[b], weights[b], 1e-5);
  }
}

// Rows of which nothing can be learnt, and none at all.
TEST(BlockWeights, of_rows_that_say_nothing_are_those_of_the_prior) {
  const auto evidence = noisy_evidence(30, 3, {1.0, 0.3}, 127);
  for (const auto& rows : std::vector<std::vector<std::size_t>>{{}, {0, 7, 12, 14}}) {
    const auto weights = choose_weights(evidence, rows, 0.4, {3, -1}, 1);
    EXPECT_NEAR(weights[0], 1, 1e-9);
    EXPECT_NEAR(weights[1], 1, 1e-9);
  }
}

TEST(BlockWeights, of_the_other_parts_are_those_that_the_other_parts_choose) {
  for (const std::size_t classes : {2u, 3u}) {
    const auto evidence = noisy_evidence(300, classes, {1.0, 0.3, -0.5}, 137);
    const auto chosen = choose_weights(evidence, all_rows(evidence), 1);
    std::vector<std::vector<std::size_t>> parts(4);
    for (std::size_t r = 0; r < 300; ++r) parts[r * r % 4 + r % 3].push_back(r);
    for (const bool in_time : {false, true}) {
      const auto without = choose_weights_without(evidence, parts, in_time, chosen, 2);
      for (std::size_t p = 0; p < parts.size(); ++p) {
        std::vector<std::size_t> others;
        for (std::size_t o = 0; o < parts.size(); ++o) {
          if (in_time ? o < p : o != p) {
            others.insert(others.end(), parts[o].begin(), parts[o].end());
          }
        }
        const auto expected = choose_weights(evidence, others, chosen.spread, {1, 1, 1}, 1);
        for (std::size_t b = 0; b < 3; ++b) EXPECT_NEAR(without[p][b], expected[b], 1e-3);
      }
    }
  }
}

TEST(BlockWeights, have_the_spread_under_which_the_rows_are_most_probable) {
  for (const auto& knows : std::vector<std::vector<double>>{{0.5, 0.5}, {1.5, -1.0}, {2.0, -0.5}}) {
    const auto evidence = noisy_evidence(150, 2, knows, 131);
    // The integral over both weights, as a sum over a grid; the prior's covariance has the
    // determinant v² + 2 v.
    constexpr double width = 0.05;
    std::vector<double> losses;
    std::vector<std::vector<double>> points;
    for (double a = -4; a < 9; a += width) {
      for (double b = -5; b < 6; b += width) {
        points.push_back({a, b});
        losses.push_back(log_loss_of(evidence, points.back()));
      }
    }
    const auto chosen = choose_weights(evidence, all_rows(evidence), 1);
    double best = -infinity, of_chosen = -infinity;
    for (double spread = 0.1; spread < 7; spread *= 2) {
      const double v = spread * spread;
      std::vector<double> logs;
      for (std::size_t i = 0; i < points.size(); ++i) {
        logs.push_back(-losses[i] - pull_of(points[i], spread) - 0.5 * std::log(v * v + 2 * v));
      }
      const double probable = log_sum_exp(logs);
      if (std::abs(spread - chosen.spread) < 1e-9) of_chosen = probable;
      best = std::max(best, probable);
    }
    EXPECT_GT(of_chosen, best - 0.05) << knows[0] << ": Laplace's way is not exact";
    EXPECT_EQ(chosen.spread > 0.7, knows[0] != knows[1]);
    const auto anew = choose_weights(evidence, all_rows(evidence), chosen.spread, {1, 1}, 1);
    for (std::size_t b = 0; b < 2; ++b) EXPECT_NEAR(chosen.weights[b], anew[b], 1e-5);
  }
}

}  // namespace
}  // namespace credence::laws
