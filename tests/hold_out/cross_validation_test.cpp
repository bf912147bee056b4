// SPDX-License-Identifier: Apache-2.0
// Cross-validation by subtraction equals refitting, for every family and for mixed models.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "credence/hold_out.hpp"
#include "laws/random_data.hpp"

namespace credence::laws {
namespace {

struct Refitted {
  Metrics metrics;
  std::vector<double> log_joint;  // rows x classes
};

// Leaving each row out by learning all others anew.
Refitted refit_leave_one_out(const Model& empty, const Chunk& chunk) {
  const Model whole = learn(empty, {chunk});
  std::vector<Outcome> outcomes;
  std::vector<double> joints;
  for (std::size_t held = 0; held < chunk.rows; ++held) {
    std::vector<std::size_t> rest;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (r != held) rest.push_back(r);
    }
    const Scorer scorer(learn(empty, {select_rows(chunk, rest)}));
    const std::size_t only[] = {held};
    const Chunk row = select_rows(chunk, only);
    const auto& label = row.labels.dictionary[static_cast<std::size_t>(row.labels.codes[0])];
    const auto place = [&](const std::vector<std::string>& names) {
      return static_cast<std::size_t>(std::find(names.begin(), names.end(), label) - names.begin());
    };
    const std::size_t known = place(scorer.classes());
    auto outcome =
        judge(scorer.log_joint(row), known < scorer.classes().size() ? known : Outcome::no_label,
              row.weights.empty() ? 1 : row.weights[0]);
    outcome.truth = place(whole.classes());
    outcomes.push_back(outcome);
    const auto joint = scorer.log_joint(row);
    for (const auto& cls : whole.classes()) {
      const auto found = std::find(scorer.classes().begin(), scorer.classes().end(), cls);
      joints.push_back(found == scorer.classes().end()
                           ? -INFINITY
                           : joint[static_cast<std::size_t>(found - scorer.classes().begin())]);
    }
  }
  return {summarise(outcomes, whole.classes()), joints};
}

class CrossValidationLaws : public testing::TestWithParam<Case> {};

TEST_P(CrossValidationLaws, leave_one_out_by_subtraction_equals_refitting) {
  Random random(59);
  for (const auto* rule : {"bayes", "laplace=0.5", "m-estimate=50"}) {
    for (const auto weights : {Weights::none, Weights::exaggerated}) {
      // Families that estimate by steps do so for every row.
      const bool slow = GetParam().family == "mixture" || GetParam().family == "kernel";
      const Chunk chunk = random_chunk(GetParam(), slow ? 16 : 40, weights, random);
      Settings settings;
      settings.rule = parse_rule(rule);
      const Model empty = model_for(GetParam(), settings);
      Folds folds;
      folds.leave_one_out = true;
      const auto subtracted = cross_validate(empty, {chunk}, folds).all;
      const auto [refitted, joints] = refit_leave_one_out(empty, chunk);
      const auto held_out = hold_out(empty, {chunk}, folds);
      ASSERT_EQ(held_out.log_joint.size(), joints.size());
      // The last digit of a mean, in units of the spread: exact means may lie between two doubles.
      const double ratio = std::abs(GetParam().offset) / GetParam().scale;
      const double slack = ratio > 1e3 ? ratio * 0x1p-50 : 0;
      for (std::size_t i = 0; i < joints.size(); ++i) {
        if (std::isinf(joints[i])) {
          EXPECT_EQ(held_out.log_joint[i], joints[i]);
          continue;
        }
        EXPECT_NEAR(held_out.log_joint[i], joints[i],
                    (1e-12 + slack) * std::max(1.0, std::abs(joints[i])))
            << rule << ", row " << i / 3;
      }
      EXPECT_NEAR(subtracted.log_loss, refitted.log_loss, 1e-12 * refitted.log_loss) << rule;
      EXPECT_NEAR(subtracted.brier, refitted.brier, 1e-12);
      EXPECT_EQ(subtracted.confusion, refitted.confusion);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(families, CrossValidationLaws, testing::ValuesIn(cases()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(CrossValidation, in_folds_never_lets_a_row_judge_itself) {
  const Case what = cases()[6];
  Random random(67);
  const Chunk chunk = random_chunk(what, 60, Weights::exaggerated, random);
  const Model empty = model_for(what);
  Folds folds;
  folds.count = 2;
  const auto result = cross_validate(empty, {chunk}, folds);
  const Model whole = learn(empty, {chunk});
  const Scorer all(whole);
  std::vector<Outcome> seen;
  const auto joint = all.log_joint(chunk);
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    const auto& label = chunk.labels.dictionary[static_cast<std::size_t>(chunk.labels.codes[r])];
    const auto truth = static_cast<std::size_t>(
        std::find(all.classes().begin(), all.classes().end(), label) - all.classes().begin());
    seen.push_back(judge(std::span(joint).subspan(r * 3, 3), truth, chunk.weights[r]));
  }
  EXPECT_GT(result.all.log_loss, summarise(seen, all.classes()).log_loss)
      << "rows judge themselves";
}

TEST(CrossValidation, weighs_blocks_as_told) {
  const Case what = cases()[0];
  Random random(71);
  const Chunk chunk = random_chunk(what, 60, Weights::none, random);
  Model plain = learn(model_for(what), {chunk});
  const Model empty(plain.schema(), {{"categorical", {0}, 2.5}}, {});
  const Scorer once(plain), heavy(learn(empty, {chunk}));
  const auto a = once.log_joint(chunk), b = heavy.log_joint(chunk);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double prior = once.log_prior()[i % 3];
    EXPECT_NEAR(b[i] - prior, 2.5 * (a[i] - prior), 1e-12);
  }
  EXPECT_NEAR(heavy.explain(chunk, 1).lines.at(1).weight,
              2.5 * once.explain(chunk, 1).lines.at(1).weight, 1e-12);
}

TEST(CrossValidation, does_not_know_a_class_whose_rows_are_all_held_out) {
  Case what = cases()[0];
  Settings settings;
  settings.prior = parse_class_prior("a=0.45,b=0.45,c=0.1");
  Chunk chunk;
  chunk.rows = 5;
  chunk.labels = {{0, 0, 1, 1, 2}, {"a", "b", "c"}};
  chunk.columns = {Categories{{0, 1, 0, 1, 2}, {"x", "y", "z"}}};
  Folds folds;
  folds.leave_one_out = true;
  const auto result = cross_validate(model_for(what, settings), {chunk}, folds).all;
  EXPECT_EQ(result.impossible, 1);  // the only row of c
  EXPECT_EQ(result.confusion.at(2, 2), 0);
}

TEST(CrossValidation, stratified_folds_share_every_class_evenly) {
  Random random(61);
  const Case what = cases()[0];
  std::vector<Chunk> chunks;
  for (int i = 0; i < 3; ++i) chunks.push_back(random_chunk(what, 100, Weights::none, random));
  Folds folds;
  folds.count = 5;
  const auto a = cross_validate(model_for(what), chunks, folds, 1);
  const auto b = cross_validate(model_for(what), chunks, folds, 8);
  EXPECT_EQ(a.all.rows, 300);
  EXPECT_EQ(a.fold_accuracy.size(), 5u);
  EXPECT_EQ(a.all.log_loss, b.all.log_loss) << "threads must not matter";
  folds.seed = 2;
  EXPECT_NE(cross_validate(model_for(what), chunks, folds).all.log_loss, a.all.log_loss);
}

TEST(Metrics, agree_with_their_definitions) {
  const std::vector<double> sure = {std::log(0.9), std::log(0.1)},
                            wrong = {std::log(0.2), std::log(0.8)};
  const std::vector<double> none = {-INFINITY, -INFINITY};
  const std::vector<Outcome> outcomes = {judge(sure, 0, 1), judge(wrong, 0, 3), judge(none, 1, 1)};
  const auto metrics = summarise(outcomes, {"a", "b"});
  EXPECT_EQ(metrics.rows, 3);
  EXPECT_DOUBLE_EQ(metrics.accuracy, 1.0 / 5);
  EXPECT_EQ(metrics.log_loss, INFINITY);
  EXPECT_EQ(metrics.undecided, 1);
  EXPECT_EQ(metrics.impossible, 1);
  EXPECT_DOUBLE_EQ(metrics.brier, (0.02 + 3 * 1.28 + 1) / 5);
  EXPECT_DOUBLE_EQ(metrics.ece, (0.1 + 3 * 0.8) / 5);
  EXPECT_EQ(metrics.confusion.table(), (std::vector<std::vector<double>>{{1, 3}, {0, 0}}));
}

}  // namespace
}  // namespace credence::laws
