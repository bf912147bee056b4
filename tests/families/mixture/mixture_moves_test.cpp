// SPDX-License-Identifier: Apache-2.0
// Which of a likelihood's many maxima a mixture ends at.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "families/mixture/mixture_em.hpp"
#include "parallel/parallel.hpp"

namespace credence {
namespace {

MixtureRows normal_rows(Eigen::Index columns, Eigen::Index count, Random& random) {
  MixtureRows rows{Eigen::MatrixXd(columns, count), Eigen::VectorXd::Ones(count)};
  for (double& x : rows.values.reshaped()) x = random.normal();
  return rows;
}

// Pairs of clouds: a start that puts one component on a pair and two on a cloud is stuck, for no
// small step leads from one pair to another.
MixtureComponents pairs_of_clouds() {
  MixtureComponents result;
  for (int pair = 0; pair < 8; ++pair) {
    for (const double side : {-3.0, 3.0}) {
      const Eigen::Vector2d mean(30 * pair, side);
      result.push_back({1.0 / 16, mean / 60, Eigen::Matrix2d::Identity() / 3600});
    }
  }
  return result;
}

TEST(MixtureMoves, LeadFromOneStartAtLeastAsHighAsTheCloudsThatMadeTheRows) {
  const auto truth = pairs_of_clouds();
  for (const bool diagonal : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      Random random(seed);
      auto rows = normal_rows(2, 480, random);
      for (Eigen::Index r = 0; r < 480; ++r) {
        const auto& cloud = truth[static_cast<std::size_t>(r % 16)];
        rows.values.col(r) = cloud.mean + rows.values.col(r) / 60;
      }
      MixtureOptions options;
      options.components = truth.size();
      options.diagonal = diagonal;
      options.starts = 1;
      // So weak that it only keeps starts from collapsing.
      const auto fit = fit_mixture(rows, {0.001, 0}, options);
      ASSERT_TRUE(fit) << "seed " << seed;
      EXPECT_GT(fit->log_likelihood, expect(rows, truth, {}).log_likelihood) << seed;
      EXPECT_TRUE(std::is_sorted(fit->rise.begin(), fit->rise.end(), [](double a, double b) {
        return a < b - 1e-9 * (1 + std::abs(b));
      })) << seed;
    }
  }
}

// One normal, so that every narrow component of few rows is an accident.
TEST(MixtureMoves, DoNotEndInASpikeOnFewRows) {
  int fitted = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const auto rows = normal_rows(4, 50, random);
    MixtureOptions options;
    options.components = 3;
    const auto fit = fit_mixture(rows, {}, options);
    if (!fit) continue;
    ++fitted;
    for (const auto& component : fit->components) {
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spread(component.covariance);
      EXPECT_GT(spread.eigenvalues()[0], 2e-5) << seed;
    }
  }
  EXPECT_EQ(fitted, 20);
}

TEST(MixtureMoves, GiveTheSameBitsWithAnyNumberOfThreads) {
  Random random(3);
  const auto rows = normal_rows(3, 120, random);
  MixtureOptions options;
  options.components = 4;
  std::vector<MixtureFit> fits;
  for (const unsigned threads : {1u, 2u, 7u}) {
    with_threads(threads, [&](std::size_t) { fits.push_back(*fit_mixture(rows, {}, options)); });
  }
  for (const auto& fit : fits) {
    EXPECT_EQ(fit.rise, fits[0].rise);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(fit.components[k].mean, fits[0].components[k].mean);
      EXPECT_EQ(fit.components[k].covariance, fits[0].components[k].covariance);
    }
  }
}

// Diagonal covariances have their own, shorter, arithmetic.
TEST(MixtureMoves, OfDiagonalComponentsReportTheLikelihoodThatFullOnesWouldHave) {
  for (const double gaps : {0.0, 0.2}) {
    Random random(4);
    auto rows = normal_rows(3, 150, random);
    for (Eigen::Index r = 0; r < 150; ++r) {
      rows.weights[r] = 0.5 + random.uniform();
      if (random.uniform() < gaps) rows.values(r % 3, r) = std::nan("");
    }
    MixtureOptions options;
    options.components = 2;
    options.diagonal = true;
    const MixturePrior prior{1, 0};
    const auto fit = fit_mixture(rows, prior, options);
    ASSERT_TRUE(fit);
    const auto full = expect(rows, fit->components, prior);
    EXPECT_NEAR(full.log_likelihood, fit->log_likelihood, 1e-9);
    const auto next = maximise(full.sums, prior, true);
    ASSERT_TRUE(next);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_TRUE((*next)[k].mean.isApprox(fit->components[k].mean, 1e-6));
      EXPECT_TRUE((*next)[k].covariance.isApprox(fit->components[k].covariance, 1e-6));
    }
  }
}

}  // namespace
}  // namespace credence
