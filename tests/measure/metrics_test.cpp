// SPDX-License-Identifier: Apache-2.0
// Measures against scikit-learn's (make_metrics_reference.py) and against their definitions.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/random.hpp"
#include "measure/tally.hpp"
#include "places.hpp"

namespace credence {
namespace {

using nlohmann::json;

void expect_near(double found, const json& expected, const std::string& what) {
  if (expected.is_null()) {
    EXPECT_TRUE(std::isnan(found)) << what;
  } else {
    EXPECT_NEAR(found, expected.get<double>(), 1e-12) << what;
  }
}

void expect_near(const Interval& found, const json& expected, const std::string& what) {
  expect_near(found.low, expected[0], what + ", low");
  expect_near(found.high, expected[1], what + ", high");
}

Metrics measured(const json& rows, const MeasureOptions& options = {}) {
  const std::size_t classes = rows["joint"][0].size();
  Tally tally(options, classes);
  for (std::size_t r = 0; r < rows["truth"].size(); ++r) {
    const auto joint = rows["joint"][r].get<std::vector<double>>();
    tally.add(judge(joint, rows["truth"][r], rows["weight"][r]), log_odds(joint));
  }
  std::vector<std::string> labels;
  for (std::size_t c = 0; c < classes; ++c) labels.push_back(std::to_string(c));
  return tally.finish(labels);
}

json reference() {
  return json::parse(std::ifstream(tests_folder() + "/measure/metrics_reference.json"));
}

TEST(Metrics, agree_with_scikit_learn) {
  const json cases = reference();
  ASSERT_EQ(cases.size(), 6u);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    const json& expected = cases[i]["expected"];
    const auto found = measured(cases[i]);
    expect_near(found.accuracy, expected["accuracy"], "accuracy");
    expect_near(found.balanced_accuracy, expected["balanced_accuracy"], "balanced accuracy");
    expect_near(found.log_loss, expected["log_loss"], "log-loss");
    expect_near(found.brier, expected["brier"], "Brier score");
    expect_near(found.macro_f1, expected["macro_f1"], "macro F1");
    expect_near(found.mcc, expected["mcc"], "MCC");
    expect_near(found.roc_auc, expected["roc_auc"], "ROC-AUC");
    expect_near(found.average_precision, expected["average_precision"], "average precision");
    expect_near(found.reject_area, expected["reject_area"], "area under the reject curve");
    expect_near(found.log_loss_interval, expected["log_loss_interval"], "log-loss");
    expect_near(found.brier_interval, expected["brier_interval"], "Brier score");
    if (expected.contains("accuracy_interval")) {
      expect_near(found.accuracy_interval, expected["accuracy_interval"], "accuracy");
    }
    for (std::size_t t = 0; t < found.labels.size(); ++t) {
      for (std::size_t p = 0; p < found.labels.size(); ++p) {
        expect_near(found.confusion.at(t, p), expected["confusion"][t][p], "confusion");
      }
      const json& cls = expected["classes"][t];
      expect_near(found.classes[t].support, cls["support"], "support");
      expect_near(found.classes[t].precision, cls["precision"], "precision");
      expect_near(found.classes[t].recall, cls["recall"], "recall");
      expect_near(found.classes[t].f1, cls["f1"], "F1");
      expect_near(found.classes[t].roc_auc, cls["roc_auc"], "ROC-AUC");
      expect_near(found.classes[t].average_precision, cls["average_precision"], "precision");
      expect_near(found.classes[t].average_precision_interval, cls["average_precision_interval"],
                  "average precision");
      const double half = normal_quantile(0.95) * cls["roc_auc_deviation"].get<double>();
      EXPECT_NEAR(found.classes[t].roc_auc_interval.low, found.classes[t].roc_auc - half, 1e-12);
    }
  }
}

TEST(Metrics, in_bins_that_had_to_be_joined_are_as_near_as_they_say) {
  // Scores from -1e5 to 1e5 need thousands of narrow bins, of which each class may have 1024.
  constexpr std::size_t classes = 4096, rows = 300;
  Random random(12);
  Scores one_by_one(classes, classes * rows), in_bins(classes, 0);
  std::vector<double> scores(classes);
  for (std::size_t r = 0; r < rows; ++r) {
    for (double& score : scores) score = random.normal() * std::exp(4 * random.normal());
    const Scores::Row row{r, r % 2 == 0 ? 17 : r, 1};
    scores[row.truth] += 10;
    for (auto* all : {&one_by_one, &in_bins}) all->add({&row, 1}, scores);
  }
  ASSERT_TRUE(one_by_one.exact());
  ASSERT_FALSE(in_bins.exact());
  const auto exact = one_by_one.ranking(17), binned = in_bins.ranking(17);
  EXPECT_LT(binned.roc_auc_error(), 0.01);
  EXPECT_LE(std::abs(binned.roc_auc() - exact.roc_auc()), binned.roc_auc_error() + 1e-12);
  EXPECT_EQ(binned.positive, exact.positive);
  EXPECT_EQ(binned.negative, exact.negative);
  EXPECT_NEAR(binned.average_precision(), exact.average_precision(), 0.02);
}

TEST(Metrics, do_not_depend_on_the_order_in_which_rows_are_ranked) {
  constexpr std::size_t rows = 200;
  Random random(13);
  std::vector<Outcome> outcomes;
  std::vector<std::vector<double>> odds;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::vector<double> joint = {std::round(2 * random.normal()), 0, 0.5};
    outcomes.push_back(judge(joint, random.below(3), 0.1 + random.uniform()));
    odds.push_back(log_odds(joint));
  }
  Tally forth({}, 3), back({}, 3);
  for (std::size_t r = 0; r < rows; ++r) {
    forth.add(outcomes[r], odds[r]);
    const std::size_t other = rows - 1 - r;
    back.rank({&other, 1}, {&outcomes[other], 1}, odds[other]);
  }
  for (const auto& outcome : outcomes) back.add(outcome);
  const std::vector<std::string> labels = {"a", "b", "c"};
  EXPECT_EQ(forth.finish(labels).roc_auc, back.finish(labels).roc_auc);
  EXPECT_EQ(forth.finish(labels).average_precision, back.finish(labels).average_precision);
  EXPECT_EQ(forth.finish(labels).reject_area, back.finish(labels).reject_area);
}

TEST(Metrics, in_bins_are_as_near_as_they_say) {
  Random random(11);
  MeasureOptions few;
  few.exact_scores = 50;
  Tally one_by_one({}, 3), in_bins(few, 3);
  for (int r = 0; r < 3000; ++r) {
    const std::size_t truth = random.below(3);
    std::vector<double> joint(3);
    for (double& x : joint) x = random.normal();
    joint[truth] += 1;
    for (auto* tally : {&one_by_one, &in_bins}) {
      tally->add(judge(joint, truth, 1 + r % 2), log_odds(joint));
    }
  }
  const auto exact = one_by_one.finish({"a", "b", "c"}), binned = in_bins.finish({"a", "b", "c"});
  EXPECT_EQ(exact.roc_auc_error, 0);
  EXPECT_GT(binned.roc_auc_error, 0);
  EXPECT_LT(binned.roc_auc_error, 1e-3);
  EXPECT_NE(binned.roc_auc, exact.roc_auc);
  EXPECT_LE(std::abs(binned.roc_auc - exact.roc_auc), binned.roc_auc_error);
  EXPECT_NEAR(binned.average_precision, exact.average_precision, 1e-3);
  EXPECT_NEAR(binned.reject_area, exact.reject_area, 1e-3);
  EXPECT_EQ(binned.accuracy, exact.accuracy);
}

TEST(Metrics, of_rows_without_labels_count_these_as_wrong) {
  const double none = -INFINITY;
  Tally tally({}, 2);
  const std::vector<std::vector<double>> joints = {{0, -1}, {none, none}, {-2, 0}, {none, none}};
  const std::size_t truths[] = {0, 0, 1, 1};
  for (std::size_t r = 0; r < 4; ++r) {
    tally.add(judge(joints[r], truths[r], 1), log_odds(joints[r]));
  }
  const auto found = tally.finish({"a", "b"});
  EXPECT_EQ(found.undecided, 2);
  EXPECT_DOUBLE_EQ(found.accuracy, 0.5);
  EXPECT_DOUBLE_EQ(found.balanced_accuracy, 0.5);
  EXPECT_DOUBLE_EQ(found.classes[0].precision, 1);
  EXPECT_DOUBLE_EQ(found.classes[0].recall, 0.5);
  // Gorodkin: (2 * 4 - (1 * 2 + 1 * 2)) / sqrt((16 - (1 + 1 + 4)) (16 - 8))
  EXPECT_DOUBLE_EQ(found.mcc, 4 / std::sqrt(80.0));
  EXPECT_DOUBLE_EQ(found.reject[0].coverage, 0.5);
  EXPECT_EQ(found.reject[0].error, 0);
}

TEST(Metrics, of_decisions_without_a_price_are_infinitely_dear) {
  DecisionRule rule;
  rule.costs.of = {0, 1, 5, 0};
  rule.reject_below = 0.7;
  Tally sure({}, 2), all({}, 2);
  const std::vector<double> clear = {std::log(0.2), std::log(0.8)}, vague = {0, 0};
  sure.add(judge(clear, 0, 1, rule), log_odds(clear));
  sure.add(judge(clear, 1, 3, rule), log_odds(clear));
  all.add(judge(vague, 0, 1, rule), log_odds(vague));
  EXPECT_DOUBLE_EQ(sure.finish({"a", "b"}).mean_cost, 0.25);
  EXPECT_DOUBLE_EQ(sure.finish({"a", "b"}).expected_cost, 0.2);
  EXPECT_EQ(all.finish({"a", "b"}).mean_cost, INFINITY);
  EXPECT_TRUE(std::isnan(measured(reference()[0]).mean_cost));
}

TEST(Metrics, of_thousands_of_classes_keep_only_the_pairs_that_occur) {
  constexpr std::size_t classes = 20000;
  Tally tally({}, 0);
  std::vector<std::string> labels;
  for (std::size_t c = 0; c < classes; ++c) {
    labels.push_back(std::to_string(c));
    Outcome outcome;
    outcome.truth = c;
    outcome.prediction = outcome.most_probable = c % 2 ? c : c + 1;
    tally.add(outcome);
  }
  const auto found = tally.finish(labels);
  EXPECT_EQ(found.confusion.cells().size(), classes);
  EXPECT_EQ(found.confusion.at(0, 1), 1);
  EXPECT_EQ(found.confusion.at(0, 0), 0);
  EXPECT_DOUBLE_EQ(found.balanced_accuracy, 0.5);
}

// Rows of weight 2 are no more rows than rows of weight 1.
RC_GTEST_PROP(Metrics, do_not_depend_on_the_unit_of_the_weights, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  Tally once({}, 3), twice({}, 3);
  for (int r = 0; r < 30; ++r) {
    std::vector<double> joint(3);
    for (double& x : joint) x = random.normal();
    const std::size_t truth = random.below(3);
    once.add(judge(joint, truth, 1), log_odds(joint));
    twice.add(judge(joint, truth, 2), log_odds(joint));
  }
  const auto a = once.finish({"a", "b", "c"}), b = twice.finish({"a", "b", "c"});
  const auto same = [](double x, double y) {
    RC_ASSERT(std::isnan(x) == std::isnan(y));
    if (!std::isnan(x)) RC_ASSERT(std::abs(x - y) < 1e-12);
  };
  same(a.mcc, b.mcc);
  same(a.roc_auc, b.roc_auc);
  same(a.accuracy_interval.low, b.accuracy_interval.low);
  same(a.log_loss_interval.high, b.log_loss_interval.high);
  same(a.roc_auc_interval.low, b.roc_auc_interval.low);
  same(a.macro_f1_interval.low, b.macro_f1_interval.low);
  same(a.classes[1].recall_interval.high, b.classes[1].recall_interval.high);
}

// Of 200 samples from a known truth, about 95 % of the intervals hold it: 4 deviations are 6.2 %.
TEST(Intervals, hold_the_truth_as_often_as_they_say) {
  Random random(5);
  const double accuracy = 0.8;
  // Scores are normal, 1 apart: the area is Φ(1 / √2).
  const double auc = 0.5 * std::erfc(-0.5);
  int right_accuracy = 0, right_auc = 0, right_recall = 0;
  constexpr int samples = 200;
  for (int s = 0; s < samples; ++s) {
    Tally decided({}, 0), ranked({}, 2);
    for (int r = 0; r < 200; ++r) {
      Outcome outcome;
      outcome.truth = random.below(2);
      outcome.prediction = random.uniform() < accuracy ? outcome.truth : 1 - outcome.truth;
      outcome.most_probable = outcome.prediction;
      decided.add(outcome);
      const std::size_t cls = random.below(2);
      const std::vector<double> joint = {0, random.normal() + static_cast<double>(cls)};
      ranked.add(judge(joint, cls, 1), log_odds(joint));
    }
    const auto a = decided.finish({"a", "b"}), b = ranked.finish({"a", "b"});
    const auto holds = [](const Interval& interval, double truth) {
      return interval.low <= truth && truth <= interval.high;
    };
    right_accuracy += holds(a.accuracy_interval, accuracy);
    right_recall += holds(a.classes[0].recall_interval, accuracy);
    right_auc += holds(b.roc_auc_interval, auc);
  }
  EXPECT_NEAR(right_accuracy, 0.95 * samples, 0.062 * samples);
  EXPECT_NEAR(right_recall, 0.95 * samples, 0.062 * samples);
  EXPECT_NEAR(right_auc, 0.95 * samples, 0.062 * samples);
}

TEST(Intervals, are_not_given_where_nothing_went_wrong_but_for_shares) {
  Tally tally({}, 2);
  for (std::size_t r = 0; r < 20; ++r) {
    const std::vector<double> joint = {r % 2 ? 0.0 : -3.0, r % 2 ? -3.0 : 0.0};
    tally.add(judge(joint, r % 2 ? 0 : 1, 1), log_odds(joint));
  }
  const auto found = tally.finish({"a", "b"});
  EXPECT_EQ(found.macro_f1, 1);
  EXPECT_TRUE(std::isnan(found.macro_f1_interval.low));
  EXPECT_TRUE(std::isnan(found.roc_auc_interval.low));
  EXPECT_TRUE(std::isnan(found.average_precision_interval.low));
  EXPECT_EQ(found.classes[0].recall_interval.high, 1);
  // Wilson's lower limit of n right in n: n / (n + z²).
  const double z = normal_quantile(0.95);
  EXPECT_NEAR(found.classes[0].recall_interval.low, 10 / (10 + z * z), 1e-12);
  EXPECT_NEAR(found.classes[1].precision_interval.low, 10 / (10 + z * z), 1e-12);
}

TEST(LogOdds, rank_rows_whose_probabilities_are_all_1) {
  const auto sure = log_odds(std::vector<double>{0, -800, -900}),
             surer = log_odds(std::vector<double>{0, -2000, -900});
  EXPECT_NEAR(sure[0], 800, 1e-9);
  EXPECT_NEAR(surer[0], 900, 1e-9);
  EXPECT_NEAR(sure[1], -800, 1e-9);
  const auto even = log_odds(std::vector<double>{-5, -5, -5});
  for (const double one : even) EXPECT_NEAR(one, -std::log(2.0), 1e-9);
  const auto certain = log_odds(std::vector<double>{-3, -INFINITY});
  EXPECT_EQ(certain[0], INFINITY);
  EXPECT_EQ(certain[1], -INFINITY);
}

}  // namespace
}  // namespace credence
