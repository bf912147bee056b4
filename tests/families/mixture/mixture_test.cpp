// SPDX-License-Identifier: Apache-2.0
#include "families/mixture/mixture.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "credence/scorer.hpp"
#include "families/statistics/retained_rows.hpp"
#include "laws/random_data.hpp"

namespace credence {
namespace {

Model block(const std::string& family, const std::string& parameters, const std::string& rule) {
  Settings settings;
  settings.rule = parse_rule(rule);
  return laws::model_for({"", ColumnKind::number, family, 0, 1, 2, parameters}, settings);
}

// Two classes; each is two clouds, so far apart that nothing lies between them.
Chunk clouds(std::size_t rows, double gaps, std::uint64_t seed) {
  Random random(seed);
  Chunk chunk;
  chunk.rows = rows;
  chunk.labels.dictionary = {"a", "b"};
  Numbers x, y;
  for (std::size_t r = 0; r < rows; ++r) {
    const bool b = r % 2 == 1, right = random.uniform() < 0.3;
    chunk.labels.codes.push_back(b);
    x.values.push_back((right ? 10 : -10) + random.normal());
    y.values.push_back((b ? 5 : 0) + (right ? 2 : -2) + 0.5 * random.normal());
    if (random.uniform() < gaps) (random.uniform() < 0.5 ? x : y).values.back() = std::nan("");
  }
  chunk.columns = {x, y};
  return chunk;
}

std::vector<double> joints(const Model& model, const Chunk& chunk) {
  return Scorer(model).log_joint(chunk);
}

// With gaps both climb, and stop a little below the top: hence the wider bound.
TEST(Mixture, WithOneComponentIsTheGaussianBlockWithGapsToo) {
  const auto chunk = clouds(60, 0.2, 1);
  for (const std::string rule : {"mle", "m-estimate=2", "bayes"}) {
    const auto one = joints(laws::learn(block("mixture", "1", rule), {chunk}), chunk);
    const auto same = joints(laws::learn(block("gaussian", "full", rule), {chunk}), chunk);
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], same[i], 1e-6) << rule;
  }
}

TEST(Mixture, WithOneComponentIsTheGaussianBlockUnderEveryRule) {
  const auto chunk = clouds(60, 0, 1);
  for (const std::string rule :
       {"mle", "unbiased", "m-estimate=2", "laplace=1", "map=3", "bayes", "bayes=50"}) {
    const auto one = joints(laws::learn(block("mixture", "1", rule), {chunk}), chunk);
    const auto same = joints(laws::learn(block("gaussian", "full", rule), {chunk}), chunk);
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], same[i], 1e-10) << rule;
  }
}

TEST(Mixture, WithOneDiagonalComponentIsNaiveBayes) {
  const auto chunk = clouds(60, 0, 2);
  for (const std::string rule : {"mle", "unbiased", "m-estimate=2", "map=3", "bayes", "bayes=50"}) {
    Settings settings;
    settings.rule = parse_rule(rule);
    Schema schema = block("mixture", "1", rule).schema();
    // Columns by themselves, as blocks, which think of classes as wide as the column under bayes.
    const char* const alone = settings.rule.kind == Rule::Kind::bayes ? "full" : "";
    const Model naive(schema, {{"gaussian", {0}, 1, alone}, {"gaussian", {1}, 1, alone}}, settings);
    const auto one = joints(laws::learn(block("mixture", "1, diagonal", rule), {chunk}), chunk);
    const auto same = joints(laws::learn(naive, {chunk}), chunk);
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], same[i], 1e-10) << rule;
  }
}

TEST(Mixture, FindsTheCloudsThatMadeTheRows) {
  const auto model = laws::learn(block("mixture", "bic", "mle"), {clouds(2000, 0.1, 3)});
  const auto table = Scorer(model).tables()[0];
  const auto cell = [&](const std::string& name, std::size_t cls) {
    for (const auto& row : table.rows) {
      if (row.label() == name) return row.cells[cls].value;
    }
    return std::nan("");
  };
  EXPECT_TRUE(std::isnan(cell("3: share", 0)) && std::isnan(cell("3: share", 1)));
  for (std::size_t cls = 0; cls < 2; ++cls) {
    const bool left_first = cell("1: mean x0", cls) < 0;
    const std::string left = left_first ? "1: " : "2: ", right = left_first ? "2: " : "1: ";
    const double middle = cls == 1 ? 5 : 0;
    EXPECT_NEAR(cell(right + "share", cls), 0.3, 0.05);
    EXPECT_NEAR(cell(left + "mean x0", cls), -10, 0.2);
    EXPECT_NEAR(cell(right + "mean x0", cls), 10, 0.3);
    EXPECT_NEAR(cell(left + "mean x1", cls), middle - 2, 0.1);
    EXPECT_NEAR(cell(right + "cov x0", cls), 1, 0.3);
    EXPECT_NEAR(cell(right + "cov x1", cls), 0.25, 0.08);
    EXPECT_NEAR(cell(right + "cov x1, x0", cls), 0, 0.1);
  }
}

RC_GTEST_PROP(MixtureClimb, NeverFalls, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const auto d = static_cast<Eigen::Index>(1 + random.below(3)), n = Eigen::Index{40};
  MixtureRows rows{Eigen::MatrixXd(d, n), Eigen::VectorXd(n)};
  for (Eigen::Index r = 0; r < n; ++r) {
    for (Eigen::Index i = 0; i < d; ++i) {
      rows.values(i, r) = random.normal() + (r % 3 == 0 ? 2 : 0);
      if (i > 0 && random.uniform() < 0.2) rows.values(i, r) = std::nan("");
    }
    rows.weights[r] = random.below(2) ? 0.3 : 7;
  }
  const bool diagonal = random.below(2) == 1;
  const MixturePrior prior{random.below(2) ? 2.5 : 0.5, random.below(2) ? 3.0 : 0.0};
  MixtureComponents at;
  for (int k = 0; k < 3; ++k) {
    at.push_back({1.0 / 3, Eigen::VectorXd::Random(d), Eigen::MatrixXd::Identity(d, d)});
  }
  double before = -1e300;
  for (int step = 0; step < 60; ++step) {
    const auto now = expect(rows, at, prior);
    RC_ASSERT(now.objective >= before - 1e-9 * (1 + std::abs(before)));
    before = now.objective;
    at = *maximise(now.sums, prior, diagonal);
  }
}

TEST(Mixture, IsHighestAtItsEstimateAmongNearbyParameters) {
  const auto chunk = clouds(200, 0, 5);
  MixtureRows rows{Eigen::MatrixXd(2, 100), Eigen::VectorXd::Ones(100)};
  for (Eigen::Index r = 0; r < 100; ++r) {
    for (Eigen::Index i = 0; i < 2; ++i) {
      rows.values(i, r) = std::get<Numbers>(chunk.columns[static_cast<std::size_t>(i)])
                              .values[static_cast<std::size_t>(2 * r)] /
                          5;
    }
  }
  MixtureOptions options;
  options.components = 2;
  const auto fit = fit_mixture(rows, {}, options);
  ASSERT_TRUE(fit);
  Random random(6);
  for (int trial = 0; trial < 200; ++trial) {
    auto other = fit->components;
    for (auto& component : other) {
      for (double& m : component.mean) m += 0.01 * random.normal();
      component.covariance *= std::exp(0.02 * random.normal());
    }
    EXPECT_LT(expect(rows, other, {}).log_likelihood, fit->log_likelihood);
  }
}

// Rounded values repeat: some starts shrink onto a repeated one, so slowly that they still look
// sound, and high, after a hundred steps.
TEST(MixtureClimb, NeverEndsHalfWayToACollapse) {
  int fitted = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const auto n = static_cast<Eigen::Index>(8 + random.below(40));
    MixtureRows rows{Eigen::MatrixXd(1, n), Eigen::VectorXd::Ones(n)};
    for (double& x : rows.values.reshaped()) x = std::round(10 * random.normal()) / 10;
    MixtureOptions options;
    options.components = 3;
    const auto fit = fit_mixture(rows, {}, options);
    if (!fit) continue;
    ++fitted;
    std::optional<MixtureComponents> at = fit->components;
    for (int step = 0; step < 2000 && at; ++step) {
      at = maximise(expect(rows, *at, {}).sums, {}, false);
    }
    ASSERT_TRUE(at) << seed;
    EXPECT_NEAR(expect(rows, *at, {}).log_likelihood, fit->log_likelihood, 1e-6) << seed;
  }
  EXPECT_GT(fitted, 40);
}

TEST(Mixture, GivesTheSameBitsAfterSavingAndLoadingWithoutClimbingAgain) {
  const auto chunk = clouds(80, 0.2, 7);
  const auto model = laws::learn(block("mixture", "2", "bayes"), {chunk});
  const auto before = joints(model, chunk);
  auto copy = from_bytes(to_bytes(model), "copy");
  int told = 0;
  const Scorer scorer(copy, [&](const std::string&) { ++told; });
  EXPECT_EQ(scorer.log_joint(chunk), before);
  EXPECT_EQ(told, 0);
  copy.observe(clouds(4, 0, 8));
  const Scorer changed(copy, [&](const std::string&) { ++told; });
  EXPECT_EQ(told, 2);  // classes
}

TEST(Mixture, ByBicHasNoComponentsThatOnlyThePriorMade) {
  Random random(11);
  Chunk chunk;
  chunk.rows = 160;
  chunk.labels.dictionary = {"a", "b"};
  Numbers x, y;
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    const bool b = r % 2 == 1;
    chunk.labels.codes.push_back(b);
    x.values.push_back((b ? 5 : r % 4 == 0 ? 0 : 10) + 0.1 * random.normal());
    y.values.push_back(random.normal());
  }
  chunk.columns = {x, y};
  for (const double weight : {0.001, 1.0, 40.0}) {
    chunk.weights.assign(chunk.rows, weight);
    // A strong prior for its weight would hide the clouds: it is as weak as the rows are light.
    const auto rule = "bayes=" + std::to_string(weight);
    const auto table = Scorer(laws::learn(block("mixture", "bic", rule), {chunk})).tables()[0];
    int components[2] = {0, 0};
    for (const auto& row : table.rows) {
      if (!row.label().ends_with(": share")) continue;
      for (int c = 0; c < 2; ++c) {
        components[c] += !std::isnan(row.cells[static_cast<std::size_t>(c)].value);
      }
    }
    EXPECT_EQ(components[0], 2) << weight;
    EXPECT_EQ(components[1], 1) << weight;
  }
}

TEST(Mixture, OfAClassWithoutValuesIsThePriorAsForGaussian) {
  auto chunk = clouds(40, 0, 12);
  for (std::size_t r = 1; r < chunk.rows; r += 2) {
    for (auto& column : chunk.columns) std::get<Numbers>(column).values[r] = std::nan("");
  }
  const auto rows = clouds(40, 0, 12);
  const auto one = joints(laws::learn(block("mixture", "1", "bayes"), {chunk}), rows);
  const auto same = joints(laws::learn(block("gaussian", "full", "bayes"), {chunk}), rows);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], same[i], 1e-10);
}

TEST(Mixture, RefusesMoreComponentsThanAClassHasRows) {
  const auto model = laws::learn(block("mixture", "4", "bayes"), {clouds(6, 0, 9)});
  try {
    const Scorer scorer(model);
    FAIL() << "4 components of 3 rows";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "columns \"x0, x1\": class \"a\" has 3 different rows with values, too few for 4 "
                 "components (use mixture(bic), or gaussian)");
  }
}

TEST(RetainedRows, AreTheSameWhateverTheOrderAndAddUpEqualRows) {
  RetainedRows a(2), b(2);
  const double x[] = {1, std::nan("")}, y[] = {-0.0, 2}, z[] = {0.0, 2};
  a.add(x, 0.3), a.add(y, 7), a.add(z, 1);
  b.add(z, 8), b.add(x, 0.3);
  a.canonicalise(), b.canonicalise();
  Tensors left, right;
  a.save(left, "r"), b.save(right, "r");
  ASSERT_EQ(a.size(), 2u);
  for (const auto& [name, tensor] : left.all) EXPECT_EQ(tensor.bytes, right.all.at(name).bytes);
  b.merge(a, -1);
  EXPECT_EQ(b.size(), 0u);
  b.merge(a, -1);
  EXPECT_TRUE(b.overdrawn());
}

}  // namespace
}  // namespace credence
