// SPDX-License-Identifier: Apache-2.0
// A floor: a constant that every step adds to every variance, in the squared units of the column.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "credence/scorer.hpp"
#include "families/mixture/mixture_em.hpp"
#include "laws/random_data.hpp"

namespace credence {
namespace {

Model block(const std::string& family, const std::string& parameters, const std::string& rule) {
  Settings settings;
  settings.rule = parse_rule(rule);
  return laws::model_for({"", ColumnKind::number, family, 0, 1, 2, parameters}, settings);
}

// One class; the second column is a thousand times as wide as the first.
Chunk wide_and_narrow() {
  Chunk chunk;
  chunk.rows = 5;
  chunk.labels.dictionary = {"a"};
  chunk.labels.codes.assign(5, 0);
  chunk.columns = {Numbers{{1, 2, 4, 4, 9}}, Numbers{{3000, -1000, 2000, 7000, 4000}}};
  return chunk;
}

double cell(const Model& model, const std::string& name) {
  const auto table = Scorer(model).tables()[0];
  for (const auto& row : table.rows) {
    if (row.label() == name) return row.cells[0].value;
  }
  return std::nan("");
}

// Means 4 and 3000; scatters 38 and 34e6, across 13000 (by hand).
TEST(MixtureFloor, is_added_to_the_variances_in_the_columns_own_units) {
  for (const std::string shape : {"full", "diagonal"}) {
    const auto model =
        laws::learn(block("mixture", "1, floor=0.5, " + shape, "mle"), {wide_and_narrow()});
    EXPECT_NEAR(cell(model, "1: cov x0"), 7.6 + 0.5, 1e-12) << shape;
    EXPECT_NEAR(cell(model, "1: cov x1"), 6.8e6 + 0.5, 1e-6) << shape;
    if (shape == "full") {
      EXPECT_NEAR(cell(model, "1: cov x1, x0"), 2600, 1e-9);
    }
  }
}

TEST(MixtureFloor, is_not_divided_by_rows_under_unbiased) {
  const auto model = laws::learn(block("mixture", "1, floor=0.5", "unbiased"), {wide_and_narrow()});
  EXPECT_NEAR(cell(model, "1: cov x0"), 38.0 / 4 + 0.5, 1e-12);
}

TEST(MixtureFloor, of_zero_is_none) {
  const auto chunk = wide_and_narrow();
  const auto with = laws::learn(block("mixture", "1, floor=0", "mle"), {chunk});
  const auto without = laws::learn(block("mixture", "1", "mle"), {chunk});
  EXPECT_EQ(Scorer(with).log_joint(chunk), Scorer(without).log_joint(chunk));
}

TEST(MixtureFloor, is_all_the_variance_that_a_constant_column_has) {
  auto chunk = wide_and_narrow();
  std::get<Numbers>(chunk.columns[1]).values.assign(5, 7);
  const auto model = laws::learn(block("mixture", "1, floor=0.25", "mle"), {chunk});
  EXPECT_NEAR(cell(model, "1: cov x1"), 0.25, 1e-12);
  EXPECT_NEAR(cell(model, "1: mean x1"), 7, 1e-12);
  EXPECT_THROW(Scorer(laws::learn(block("mixture", "1", "mle"), {chunk})), Error);
}

// Half of the rows are one value: without a floor a component on it has no highest likelihood.
TEST(MixtureFloor, makes_a_collapsed_component_a_maximum_like_others) {
  Random random(1);
  MixtureRows rows{Eigen::MatrixXd(1, 30), Eigen::VectorXd::Ones(30)};
  for (double& x : rows.values.reshaped()) x = random.normal();
  rows.values(0, 0) = 3;
  rows.weights[0] = 30;
  MixtureOptions options;
  options.components = 2;
  const MixturePrior floored{0, 0, Eigen::VectorXd::Constant(1, 1e-6)};
  const auto fit = fit_mixture(rows, floored, options);
  ASSERT_TRUE(fit);
  const std::size_t narrow =
      fit->components[0].covariance(0, 0) < fit->components[1].covariance(0, 0) ? 0 : 1;
  EXPECT_NEAR(fit->components[narrow].covariance(0, 0), 1e-6, 1e-15);
  EXPECT_NEAR(fit->components[narrow].mean[0], 3, 1e-12);
  EXPECT_NEAR(fit->components[narrow].share, 30.0 / 59, 1e-3);
  const auto sound = fit_mixture(rows, {}, options);
  if (sound) {
    EXPECT_LT(sound->log_likelihood, fit->log_likelihood);
  }
}

// The climb ends where both steps, done once more, change nothing: at the fixed points of the
// steps with the constant, not at those of the likelihood alone.
TEST(MixtureFloor, ends_where_the_steps_that_add_it_stand_still) {
  for (const bool diagonal : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      Random random(seed);
      MixtureRows rows{Eigen::MatrixXd(3, 60), Eigen::VectorXd::Ones(60)};
      for (double& x : rows.values.reshaped()) x = std::round(4 * random.normal()) / 4;
      MixtureOptions options;
      options.components = 3;
      options.diagonal = diagonal;
      options.starts = 2;
      const Eigen::Vector3d floor(1e-6, 0.01, 0.3);
      const MixturePrior prior{0, 0, floor};
      const auto fit = fit_mixture(rows, prior, options);
      ASSERT_TRUE(fit);
      const auto again = maximise(expect(rows, fit->components, prior).sums, prior, diagonal);
      ASSERT_TRUE(again);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto& found = fit->components[k];
        EXPECT_LT(((*again)[k].mean - found.mean).cwiseAbs().maxCoeff(), 1e-8);
        EXPECT_LT(((*again)[k].covariance - found.covariance).cwiseAbs().maxCoeff(), 1e-8);
        const Eigen::Matrix3d above = found.covariance - Eigen::Matrix3d(floor.asDiagonal());
        EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(above).eigenvalues()[0], -1e-9);
      }
    }
  }
}

TEST(MixtureFloor, is_kept_in_the_file) {
  const auto chunk = wide_and_narrow();
  const auto model = laws::learn(block("mixture", "2, floor=0.5", "mle"), {chunk});
  const auto before = Scorer(model).log_joint(chunk);
  auto copy = from_bytes(to_bytes(model), "copy");
  EXPECT_EQ(Scorer(copy).log_joint(chunk), before);
  // More rows: it has to climb again, and still knows the floor.
  copy.observe(chunk);
  const auto twice = laws::learn(block("mixture", "2, floor=0.5", "mle"), {chunk, chunk});
  EXPECT_EQ(Scorer(copy).log_joint(chunk), Scorer(twice).log_joint(chunk));
  EXPECT_GE(cell(copy, "1: cov x0"), 0.5 - 1e-12);
  EXPECT_GE(cell(copy, "2: cov x0"), 0.5 - 1e-12);
}

}  // namespace
}  // namespace credence
