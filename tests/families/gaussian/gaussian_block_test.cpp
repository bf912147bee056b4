// SPDX-License-Identifier: Apache-2.0
// Gaussian blocks against NumPy and SciPy (make_block_reference.py), gaps, and shrinkage.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "core/strings.hpp"
#include "credence/scorer.hpp"
#include "families/gaussian/covariance.hpp"
#include "families/numeric.hpp"
#include "laws/random_data.hpp"
#include "places.hpp"

namespace credence {
namespace {

constexpr double points[3][3] = {{2.0, 1.0, 110.0}, {0.5, 3.0, 128.0}, {9.0, -4.0, 60.0}};

// The rows of make_block_reference.py.
Chunk reference_rows() {
  Chunk chunk;
  chunk.rows = 40;
  chunk.labels.dictionary = {"0", "1"};
  std::vector<Numbers> columns(3);
  std::uint64_t state = 12345;
  for (int r = 0; r < 40; ++r) {
    double row[3];
    for (double& x : row) {
      state = (1103515245u * state + 12345u) % (1u << 31);
      x = static_cast<double>(state) / 2147483648.0;
    }
    const int label = r % 2;
    const double a = row[0] * 4 + label;
    columns[0].values.push_back(a);
    columns[1].values.push_back(a * 0.5 + row[1] * 2 - label);
    columns[2].values.push_back(100 + row[2] * 30);
    chunk.labels.codes.push_back(label);
  }
  for (auto& column : columns) chunk.columns.emplace_back(std::move(column));
  return chunk;
}

Model block_model(const std::string& parameters, const std::string& rule) {
  Settings settings;
  settings.rule = parse_rule(rule);
  return laws::model_for({"", ColumnKind::number, "gaussian", 0, 1, 3, parameters}, settings);
}

Chunk one_row(const double (&x)[3]) {
  Chunk chunk;
  chunk.rows = 1;
  for (const double value : x) chunk.columns.emplace_back(Numbers{{value}});
  return chunk;
}

TEST(GaussianBlock, agrees_with_scipy_under_every_rule) {
  std::ifstream file(tests_folder() + "/families/block_reference.csv");
  std::string line;
  ASSERT_TRUE(std::getline(file, line)) << "block_reference.csv is missing";
  int count = 0;
  while (std::getline(file, line)) {
    const auto cells = split(line, ',');
    const Scorer scorer(laws::learn(block_model(cells[0], cells[1]), {reference_rows()}));
    const auto c = static_cast<std::size_t>(*to_number(cells[2]));
    const auto joint =
        scorer.log_joint(one_row(points[static_cast<std::size_t>(*to_number(cells[3]))]));
    const double expected = *to_number(cells[4]);
    EXPECT_NEAR(joint[c] - scorer.log_prior()[c], expected,
                1e-11 * std::max(1.0, std::abs(expected)))
        << line;
    ++count;
  }
  EXPECT_EQ(count, 60);
}

TEST(GaussianBlock, of_one_column_is_the_univariate_gaussian) {
  Chunk rows = reference_rows();
  rows.columns.resize(1);
  for (const auto* rule : {"mle", "unbiased", "m-estimate=3", "map"}) {
    Settings settings;
    settings.rule = parse_rule(rule);
    const laws::Case block{"", ColumnKind::number, "gaussian", 0, 1, 1, "full"},
        plain{"", ColumnKind::number, "gaussian"};
    const Scorer a(laws::learn(laws::model_for(block, settings), {rows})),
        b(laws::learn(laws::model_for(plain, settings), {rows}));
    const auto x = a.log_joint(rows), y = b.log_joint(rows);
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(x[i], y[i], 1e-12 * std::abs(y[i])) << rule;
  }
}

TEST(GaussianBlock, of_one_column_has_imaginary_rows_as_wide_as_the_column_under_bayes) {
  Chunk rows = reference_rows();
  rows.columns.resize(1);
  const auto& values = std::get<Numbers>(rows.columns[0]).values;
  Moments column, classes[2];
  for (std::size_t r = 0; r < rows.rows; ++r) {
    column.merge(Moments::of(values[r], 1));
    classes[rows.labels.codes[r]].merge(Moments::of(values[r], 1));
  }
  for (const auto* rule : {"bayes", "bayes=50"}) {
    Settings settings;
    settings.rule = parse_rule(rule);
    const laws::Case block{"", ColumnKind::number, "gaussian", 0, 1, 1, "full"};
    const Scorer scorer(laws::learn(laws::model_for(block, settings), {rows}));
    const auto joint = scorer.log_joint(rows);
    for (std::size_t i = 0; i < joint.size(); ++i) {
      const auto expected = estimate_number(classes[i % 2], {column}, settings.rule, "x", "c")
                                .log_density(values[i / 2]);
      EXPECT_NEAR(joint[i] - scorer.log_prior()[i % 2], expected, 1e-12 * std::abs(expected))
          << rule;
    }
  }
}

TEST(GaussianBlock, with_gaps_scores_the_marginal_of_what_is_there) {
  const Scorer scorer(laws::learn(block_model("full", "bayes"), {reference_rows()}));
  Chunk rows = reference_rows();
  rows.columns.resize(2);
  const laws::Case two{"", ColumnKind::number, "gaussian", 0, 1, 2, "full"};
  const Scorer smaller(laws::learn(laws::model_for(two), {rows}));
  Chunk gap = one_row({2.0, 1.0, std::nan("")}), pair = one_row({2.0, 1.0, 0.0});
  pair.columns.resize(2);
  const auto x = scorer.log_joint(gap), y = smaller.log_joint(pair);
  for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(x[c], y[c], 1e-12 * std::abs(y[c]));
}

TEST(GaussianBlock, trained_with_gaps_is_the_maximum_of_the_likelihood) {
  Chunk rows = reference_rows();
  Random random(79);
  for (auto& column : rows.columns) {
    for (auto& x : std::get<Numbers>(column).values) {
      if (random.uniform() < 0.2) x = std::nan("");
    }
  }
  const Scorer best(laws::learn(block_model("full", "mle"), {rows}));
  // Any other covariance, here those that other rows pull it to, is less likely.
  for (int i = 0; i < 20; ++i) {
    Model pulled = laws::learn(block_model("full", "mle"), {rows});
    Chunk more = reference_rows();
    const std::size_t few[] = {random.below(40), random.below(40), random.below(40)};
    pulled.observe(select_rows(more, few));
    const Scorer other(pulled);
    const auto joint = other.log_joint(rows);
    double sum = 0;
    for (std::size_t r = 0; r < rows.rows; ++r) {
      const auto c = static_cast<std::size_t>(rows.labels.codes[r]);
      sum += joint[r * 2 + c] - other.log_prior()[c] + best.log_prior()[c];
    }
    EXPECT_LT(sum, best.log_likelihood() + 1e-9);
  }
}

// The share as Ledoit and Wolf define it, row by row, not by the sums that are kept.
TEST(Covariance, shrinks_by_the_published_definition) {
  Eigen::MatrixXd y(4, 2);
  y << -1.5, -1.25, 0.5, -0.25, -0.5, 0.75, 1.5, 0.75;
  const Eigen::MatrixXd covariance = y.transpose() * y / 4;
  const Eigen::MatrixXd squares = y.cwiseProduct(y);
  const Eigen::MatrixXd fourth = squares.transpose() * squares;
  const auto raw = parse_covariance("shrunk, spherical");
  const double mu = covariance.trace() / 2;
  const double delta = (covariance - mu * Eigen::MatrixXd::Identity(2, 2)).squaredNorm() / 2;
  double beta = 0;
  for (int r = 0; r < 4; ++r)
    beta += (y.row(r).transpose() * y.row(r) - covariance).squaredNorm() / 16 / 2;
  EXPECT_NEAR(shrinkage_intensity(raw, covariance, fourth, 4), std::min(1.0, beta / delta), 1e-14);
  const auto fixed = parse_covariance("shrunk=0.25");
  const Eigen::MatrixXd shrunk = shrink(fixed, covariance, 0.25);
  EXPECT_DOUBLE_EQ(shrunk(0, 0), covariance(0, 0));
  EXPECT_DOUBLE_EQ(shrunk(0, 1), 0.75 * covariance(0, 1));
}

}  // namespace
}  // namespace credence
