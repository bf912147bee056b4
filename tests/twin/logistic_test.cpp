// SPDX-License-Identifier: Apache-2.0
// Logistic regression: derivatives, agreement with scikit-learn, weights, separable data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/chunk_rows.hpp"
#include "core/random.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "credence/hold_out.hpp"
#include "credence/scorer.hpp"
#include "error_of.hpp"
#include "laws/random_data.hpp"
#include "places.hpp"
#include "twin/learned_table.hpp"
#include "twin/model.hpp"
#include "twin/start.hpp"

namespace credence {
namespace {

Table relearn(const Table& table, std::vector<Chunk> chunks) {
  return {laws::learn(table.model.empty(), chunks), chunks};
}

// A chunk of two numbers; the class is a, b or c.
Chunk points(const std::vector<std::array<double, 2>>& x,
             const std::vector<std::int32_t>& classes) {
  Chunk chunk;
  chunk.rows = x.size();
  Numbers first, second;
  for (const auto& [a, b] : x) {
    first.values.push_back(a);
    second.values.push_back(b);
  }
  chunk.columns = {first, second};
  chunk.labels = {classes, {"a", "b", "c"}};
  return chunk;
}

Table of_points(const Chunk& chunk) {
  Schema schema;
  schema.target = "class";
  schema.columns = {{"x", ColumnKind::number, {}}, {"y", ColumnKind::number, {}}};
  const Model empty(schema, {{"gaussian", {0}, 1}, {"gaussian", {1}, 1}});
  return {laws::learn(empty, {chunk}), {chunk}};
}

std::string fit_error(const Table& table, const LogisticOptions& options) {
  return error_of([&] { LogisticModel::fit(table.model, table.chunks, options); });
}

LabelledRows random_rows(std::size_t classes, Random& random) {
  LabelledRows rows;
  rows.classes = classes;
  rows.x.features = 4;
  for (std::size_t r = 0; r < 30; ++r) {
    for (std::uint32_t j = 0; j < 4; ++j) {
      if (random.uniform() < 0.3) continue;
      rows.x.index.push_back(j);
      rows.x.value.push_back(random.normal());
    }
    rows.x.offsets.push_back(rows.x.index.size());
    rows.cls.push_back(static_cast<std::uint32_t>(random.below(classes)));
    rows.weight.push_back(0.2 + random.uniform());
  }
  return rows;
}

TEST(LogisticLoss, derivatives_equal_finite_differences) {
  Random random(3);
  for (const std::size_t classes : {2, 3, 5}) {
    const auto rows = random_rows(classes, random);
    const LogisticLoss objective(rows, 0.7);
    std::vector<double> theta(objective.size());
    for (auto& t : theta) t = random.normal();
    const std::size_t n = objective.size();
    std::vector<double> gradient(n), hessian(n * n), above(n), below(n);
    objective.value(theta, gradient, hessian);
    for (std::size_t i = 0; i < n; ++i) {
      const double h = 1e-5;
      auto moved = theta;
      moved[i] += h;
      const double up = objective.value(moved, above);
      moved[i] -= 2 * h;
      const double down = objective.value(moved, below);
      EXPECT_NEAR(gradient[i], (up - down) / (2 * h), 1e-9);
      for (std::size_t j = i; j < n; ++j) {
        EXPECT_NEAR(hessian[i * n + j], (above[j] - below[j]) / (2 * h), 1e-9);
      }
    }
  }
}

TEST(Logistic, lbfgs_finds_what_newton_finds) {
  Random random(5);
  for (const std::size_t classes : {2, 4}) {
    const auto rows = random_rows(classes, random);
    const LogisticLoss objective(rows, 0.5);
    LogisticOptions options;
    const auto newton = minimise(objective, std::vector<double>(objective.size(), 0.0), options);
    options.newton_below = 0;
    const auto lbfgs = minimise(objective, std::vector<double>(objective.size(), 0.0), options);
    EXPECT_TRUE(newton.converged);
    EXPECT_TRUE(lbfgs.converged);
    EXPECT_LT(newton.iterations, 12u);
    for (std::size_t i = 0; i < objective.size(); ++i) {
      EXPECT_NEAR(newton.theta[i], lbfgs.theta[i], 1e-6);
    }
  }
}

TEST(Logistic, agrees_with_scikit_learn) {
  struct Set {
    std::string file, target;
  };
  const std::string shared = shared_data() + "/tabular/", examples = examples_folder() + "/";
  const std::map<std::string, Set> sets = {
      {"iris", {shared + "iris.csv", "species"}},
      {"wine", {shared + "wine.csv", "cultivar"}},
      {"breast_cancer", {shared + "breast_cancer_wisconsin_diagnostic.csv", "diagnosis"}},
      {"tennis", {examples + "tennis.csv", "PlayTennis"}},
      {"weighted_tennis", {examples + "tennis.csv", "PlayTennis"}},
      {"temperatures", {examples + "temperatures.csv", "play"}},
  };
  std::map<std::string, std::vector<double>> found;
  std::map<std::string, std::vector<std::string>> classes;
  for (const auto& [name, set] : sets) {
    if (!std::filesystem::exists(set.file)) continue;
    Table table = read_table(set.file, set.target);
    ASSERT_EQ(table.chunks.size(), 1u);
    auto& chunk = table.chunks[0];
    if (name == "weighted_tennis") {
      for (std::size_t r = 0; r < chunk.rows; ++r) chunk.weights.push_back(1.0 + r % 3);
      table = relearn(table, {chunk});
    }
    const auto model = LogisticModel::fit(table.model, table.chunks);
    EXPECT_TRUE(model.converged()) << name;
    EXPECT_LE(model.gradient_norm(), 1e-8) << name;
    found[name] = model.log_posterior(table.chunks[0]);
    classes[name] = model.classes();
  }
  std::ifstream file(tests_folder() + "/twin/reference.csv");
  std::string line;
  std::getline(file, line);
  std::size_t compared = 0;
  while (std::getline(file, line)) {
    const auto cells = split(line, ',');
    if (!found.contains(cells[0])) continue;
    const auto& names = classes[cells[0]];
    const auto cls = std::find(names.begin(), names.end(), cells[2]) - names.begin();
    const auto place = std::stoul(cells[1]) * names.size() + static_cast<std::size_t>(cls);
    EXPECT_NEAR(std::exp(found[cells[0]].at(place)), std::stod(cells[3]), 1e-6) << line;
    ++compared;
  }
  EXPECT_GE(compared, 84u);
}

TEST(Logistic, a_weight_is_a_repetition) {
  const Table table = read_table(examples_folder() + "/temperatures.csv", "play");
  Chunk weighted = table.chunks[0];
  std::vector<std::size_t> repeated;
  for (std::size_t r = 0; r < weighted.rows; ++r) {
    weighted.weights.push_back(static_cast<double>(r % 4));
    for (std::size_t k = 0; k < r % 4; ++k) repeated.push_back(r);
  }
  const Table once = relearn(table, {weighted});
  const Table often = relearn(table, {select_rows(table.chunks[0], repeated)});
  const auto one = LogisticModel::fit(once.model, once.chunks).log_posterior(table.chunks[0]);
  const auto other = LogisticModel::fit(often.model, often.chunks).log_posterior(table.chunks[0]);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], 1e-7);
}

TEST(Logistic, separable_classes_have_an_answer_with_a_penalty) {
  for (const auto& classes : {std::vector<std::int32_t>{0, 0, 1, 1}, {0, 1, 2, 2}}) {
    const auto table = of_points(points({{0, 0}, {1, 3}, {5, 1}, {6, 2}}, classes));
    for (const double penalty : {1e-6, 1.0, 1e6}) {
      LogisticOptions options;
      options.penalty = penalty;
      const auto model = LogisticModel::fit(table.model, table.chunks, options);
      EXPECT_TRUE(model.converged()) << penalty;
      for (const double p : model.log_posterior(table.chunks[0])) EXPECT_TRUE(std::isfinite(p));
    }
  }
}

TEST(Logistic, separable_classes_have_none_without) {
  LogisticOptions options;
  options.penalty = 0;
  const auto separable = of_points(points({{0, 0}, {1, 3}, {5, 1}, {6, 2}}, {0, 0, 1, 1}));
  EXPECT_EQ(fit_error(separable, options),
            "`penalty 0`: the classes are separable, so the coefficient of \"x\" for class \"b\" "
            "grows without end (use a penalty above 0)");
  // Only the rows at x = 1 hold the boundary: the others can be made as sure as one likes.
  const auto half = of_points(points({{0, 0}, {1, 3}, {1, 3}, {2, 2}}, {0, 0, 1, 1}));
  EXPECT_THAT(fit_error(half, options), testing::HasSubstr("the classes are separable"));
  options.newton_below = 0;
  EXPECT_THAT(fit_error(separable, options), testing::HasSubstr("the classes are separable"));
}

TEST(Logistic, needs_no_penalty_where_classes_overlap) {
  LogisticOptions options;
  options.penalty = 0;
  const auto table =
      of_points(points({{0, 0}, {1, 3}, {2, 1}, {3, 2}, {1, 1}, {2, 2}, {1.5, 0}, {0.5, 2}},
                       {0, 1, 0, 1, 1, 0, 1, 0}));
  const auto model = LogisticModel::fit(table.model, table.chunks, options);
  EXPECT_TRUE(model.converged());
  // The maximum likelihood reproduces the shares of the classes.
  const auto p = model.log_posterior(table.chunks[0]);
  double sum = 0;
  for (std::size_t r = 0; r < 8; ++r) sum += std::exp(p[2 * r + 1]);
  EXPECT_NEAR(sum, 4, 1e-6);
}

TEST(Logistic, does_not_mind_offset_and_unit) {
  Random random(7);
  std::vector<std::array<double, 2>> near, far;
  std::vector<std::int32_t> classes;
  for (int r = 0; r < 60; ++r) {
    classes.push_back(r % 3);
    near.push_back({random.normal() + r % 3, random.normal()});
    far.push_back({1e6 + 4096 * near.back()[0], near.back()[1] / 1024});
  }
  const auto one = of_points(points(near, classes)), other = of_points(points(far, classes));
  const auto p = LogisticModel::fit(one.model, one.chunks).log_posterior(one.chunks[0]);
  const auto q = LogisticModel::fit(other.model, other.chunks).log_posterior(other.chunks[0]);
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i], q[i], 1e-7);
}

TEST(Logistic, starts_from_nothing_where_the_generative_model_cannot_be_estimated) {
  auto table = of_points(points({{0, 0}, {0, 3}, {5, 1}, {6, 2}}, {0, 0, 1, 1}));
  const auto wanted = LogisticModel::fit(table.model, table.chunks).log_posterior(table.chunks[0]);
  table.model.settings().rule = parse_rule("mle");  // x does not vary in class a
  EXPECT_THROW(Scorer{table.model}, Error);
  const auto found = LogisticModel::fit(table.model, table.chunks).log_posterior(table.chunks[0]);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-7);
}

TEST(Logistic, refuses_bad_requests) {
  const auto table = of_points(points({{0, 0}, {1, 3}}, {0, 0}));
  EXPECT_EQ(fit_error(table, {}),
            "column \"class\": only the class \"a\"; a classifier needs at least two classes (is "
            "`target` right?)");
  LogisticOptions options;
  options.penalty = -1;
  EXPECT_EQ(fit_error(table, options), "`penalty -1`: a number from 0 on");
}

}  // namespace
}  // namespace credence
