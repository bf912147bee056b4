// SPDX-License-Identifier: Apache-2.0
// The lecture's identity: naive Bayes is a linear score; and every kind of column, and files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/log_math.hpp"
#include "credence/error.hpp"
#include "credence/hold_out.hpp"
#include "credence/scorer.hpp"
#include "error_of.hpp"
#include "laws/random_data.hpp"
#include "places.hpp"
#include "twin/compare.hpp"
#include "twin/learned_table.hpp"
#include "twin/model.hpp"

namespace credence {
namespace {

// No step is taken: what is left is the start.
LogisticModel started(const Table& table) {
  LogisticOptions options;
  options.tolerance = infinity;
  // A start that separates the rows would be refused without a penalty.
  options.penalty = 1e-300;
  return LogisticModel::fit(table.model, table.chunks, options);
}

void expect_same_posterior(const Table& table) {
  const auto twin = started(table);
  EXPECT_EQ(twin.iterations(), 0u);
  const Scorer scorer(table.model);
  for (const auto& chunk : table.chunks) {
    const auto linear = twin.log_posterior(chunk);
    const auto joint = scorer.log_joint(chunk);
    const std::size_t classes = scorer.classes().size();
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const auto p = posterior(std::span(joint).subspan(r * classes, classes)).probabilities;
      for (std::size_t c = 0; c < classes; ++c) {
        EXPECT_NEAR(std::exp(linear[r * classes + c]), p[c], 1e-10) << "row " << r;
      }
    }
  }
}

TEST(GenerativeStart, is_naive_bayes_for_binary_columns) {
  expect_same_posterior(read_table(examples_folder() + "/emails.csv", "class", "m-estimate=1"));
}

TEST(GenerativeStart, is_naive_bayes_for_words_and_bags) {
  expect_same_posterior(read_table(examples_folder() + "/tennis.csv", "PlayTennis", "laplace=1"));
  expect_same_posterior(read_table(examples_folder() + "/emails.jsonl", "class", "m-estimate=1",
                                   {"words: bernoulli"}));
  expect_same_posterior(read_table(examples_folder() + "/good_bad.jsonl", "class", "laplace=1",
                                   {"words: multinomial"}));
}

// Worked example 6: beta of the six e-mails with m = 1, p = 1/2, by hand.
TEST(GenerativeStart, has_the_lectures_beta) {
  const auto twin = started(read_table(examples_folder() + "/emails.csv", "class", "m-estimate=1"));
  const double ones[6][2] = {{1, 2}, {2, 1}, {1, 3}, {1, 3}, {2, 3}, {0, 1}};  // not spam, spam
  double intercept = std::log(4.0 / 2.0);
  for (std::size_t j = 0; j < 6; ++j) {
    const double p = (ones[j][0] + 0.5) / 3, q = (ones[j][1] + 0.5) / 5;
    const double at_zero = std::log((1 - q) / (1 - p)), at_one = std::log(q / p);
    EXPECT_NEAR(twin.coefficient(1, j) - twin.coefficient(0, j), at_one - at_zero, 1e-12);
    intercept += at_zero + (at_one - at_zero) * twin.features().columns()[j].mean;
  }
  EXPECT_NEAR(twin.coefficient(1, 6) - twin.coefficient(0, 6), intercept, 1e-12);
}

class TwinLaws : public testing::TestWithParam<laws::Case> {};

TEST_P(TwinLaws, every_kind_of_column_is_fitted_and_read_back) {
  Random random(11);
  for (const auto weights : {laws::Weights::none, laws::Weights::exaggerated}) {
    const Chunk chunk = laws::random_chunk(GetParam(), 60, weights, random);
    const Model model = laws::learn(laws::model_for(GetParam()), {chunk});
    const auto twin = LogisticModel::fit(model, {chunk});
    EXPECT_TRUE(twin.converged());
    const auto read = LogisticModel::from_json(twin.to_json(), "twin.json");
    EXPECT_EQ(read.log_posterior(chunk), twin.log_posterior(chunk));
    EXPECT_EQ(read.to_json(), twin.to_json());
    // The order of the rows and the borders of the chunks do not matter.
    const auto pieces = laws::shuffled_pieces(chunk, random);
    const auto again = LogisticModel::fit(laws::learn(model.empty(), pieces), pieces);
    const auto one = twin.log_posterior(chunk), other = again.log_posterior(chunk);
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(families, TwinLaws, testing::ValuesIn(laws::cases()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

std::string file_error(const std::string& text) {
  return error_of([&] { LogisticModel::from_json(text, "m.json"); }, ErrorKind::model);
}

TEST(LogisticFile, refuses_what_it_does_not_know) {
  const auto twin = LogisticModel::fit(
      read_table(examples_folder() + "/tennis.csv", "PlayTennis", "bayes").model,
      read_table(examples_folder() + "/tennis.csv", "PlayTennis", "bayes").chunks);
  const std::string good = twin.to_json();
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return file_error(text);
  };
  EXPECT_EQ(file_error(good), "");
  EXPECT_EQ(file_error("{}"), "m.json: not a discriminative model");
  EXPECT_EQ(changed("\"credence_discriminative\": 1", "\"credence_discriminative\": 2"),
            "m.json: written by a later version of credence");
  EXPECT_EQ(changed("\"penalty\"", "\"penality\""), "m.json: unknown key \"penality\"");
  EXPECT_EQ(changed("\"Rain\"", "\"Sunny\""), "m.json: Outlook: a name stands twice");
  EXPECT_THAT(file_error(good.substr(0, 200)), testing::StartsWith("m.json: "));
  for (std::size_t cut = 0; cut < good.size(); cut += 7) file_error(good.substr(0, cut));
}

TEST(Compare, naive_has_the_figures_of_cross_validation) {
  const auto table = read_table(examples_folder() + "/tennis.csv", "PlayTennis", "bayes");
  Folds folds;
  folds.count = 7;
  const auto all = cross_validate(table.model, table.chunks, folds).all;
  const auto found =
      compare({{"naive", table.model.empty(), false}, {"logistic", table.model.empty(), true}},
              table.chunks, folds, {}, 1);
  EXPECT_NEAR(found[0].all.log_loss, all.log_loss, 1e-12);
  EXPECT_NEAR(found[0].all.brier, all.brier, 1e-12);
  EXPECT_EQ(found[0].all.confusion, all.confusion);
  EXPECT_EQ(found[1].all.rows, 14);
}

TEST(Compare, curves_train_on_every_class_at_every_size) {
  const auto table = read_table(examples_folder() + "/tennis.csv", "PlayTennis", "bayes");
  const auto curve = learning_curve(
      {{"naive", table.model.empty(), false}, {"logistic", table.model.empty(), true}},
      table.chunks, {5, 1}, {}, 2);
  std::vector<std::size_t> sizes;
  for (const auto& point : curve) {
    sizes.push_back(point.rows);
    for (const auto& figures : point.mean) EXPECT_TRUE(std::isfinite(figures.log_loss));
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 4, 8, 12}));
}

TEST(Compare, finds_where_curves_cross) {
  std::vector<CurvePoint> curve;
  for (const auto& [a, b] :
       std::vector<std::pair<double, double>>{{2, 1}, {1, 2}, {3, 2}, {1, 2}}) {
    curve.push_back({1, {{0, a, 0}, {0, b, 0}}, {}});
  }
  EXPECT_EQ(lower_from(curve, 0, 1), 3u);
  EXPECT_EQ(lower_from(curve, 1, 0), 4u);
  curve.resize(2);
  EXPECT_EQ(lower_from(curve, 0, 1), 1u);
}

}  // namespace
}  // namespace credence
