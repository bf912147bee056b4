// SPDX-License-Identifier: Apache-2.0
// Calibrations fitted to scores that are given; those of models are in calibration_test.cpp.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "choose/isotonic.hpp"
#include "choose/methods.hpp"
#include "choose/rescored.hpp"
#include "core/log_math.hpp"
#include "core/random.hpp"
#include "credence/calibrate.hpp"
#include "credence/error.hpp"
#include "places.hpp"

namespace credence {
namespace {

ScoredRows held_out_of(const nlohmann::json& set) {
  ScoredRows held;
  for (std::size_t c = 0; c < set["classes"].get<std::size_t>(); ++c) {
    held.classes.push_back(std::to_string(c));
  }
  held.log_joint = set["scores"].get<std::vector<double>>();
  for (std::size_t i = 0; i < set["cls"].size(); ++i) {
    held.rows.push_back({0, i, set["cls"][i].get<std::size_t>(), 0, set["weight"][i]});
  }
  return held;
}

TEST(FitCalibration, finds_the_same_temperature_when_scores_are_made_anew_for_every_look) {
  std::ifstream file(tests_folder() + "/choose/calibration_reference.json");
  for (const auto& set : nlohmann::json::parse(file)) {
    const ScoredRows held = held_out_of(set);
    const std::vector<double> prior(held.classes.size(), 0.0);
    std::size_t looks = 0;
    const auto found =
        fit_temperature(held.classes, prior, prior,
                        [&](const LookAt& look, const std::function<void(const Look&)>& add) {
                          ++looks;
                          const std::size_t many = held.classes.size(), half = held.rows.size() / 2;
                          const auto rows = std::span(held.rows);
                          const auto scores = std::span(held.log_joint);
                          add(look(rows.first(half), scores.first(half * many)));
                          add(look(rows.subspan(half), scores.subspan(half * many)));
                        });
    EXPECT_NEAR(found.calibration.slope, set["temperature"].get<double>(), 1e-8);
    EXPECT_LE(looks, 20u);
    const auto kept = fit_calibration(Method::temperature, held, prior);
    EXPECT_EQ(found.calibration.rows, kept.rows);
    EXPECT_LE(found.report.after.log_loss, found.report.before.log_loss);
  }
}

TEST(FitCalibration, agrees_with_scipy_and_scikit_learn_to_eight_digits) {
  std::ifstream file(tests_folder() + "/choose/calibration_reference.json");
  const auto sets = nlohmann::json::parse(file);
  ASSERT_EQ(sets.size(), 3u);
  for (const auto& set : sets) {
    const ScoredRows held = held_out_of(set);
    const std::vector<double> prior(held.classes.size(), 0.0);
    const auto temperature = fit_calibration(Method::temperature, held, prior);
    EXPECT_NEAR(temperature.slope, set["temperature"].get<double>(), 1e-8);
    const auto platt = fit_calibration(Method::platt, held, prior);
    EXPECT_NEAR(platt.slope, set["slope"].get<double>(), 1e-8);
    for (std::size_t c = 0; c < held.classes.size(); ++c) {
      EXPECT_NEAR(platt.bias[c], set["bias"][c].get<double>(), 1e-8);
    }
    const auto isotonic = fit_calibration(Method::isotonic, held, prior);
    const bool two = held.classes.size() == 2;
    ASSERT_EQ(isotonic.curves.size(), two ? 1u : held.classes.size());
    for (std::size_t k = 0; k < isotonic.curves.size(); ++k) {
      for (std::size_t i = 0; i < set["asked"].size(); ++i) {
        EXPECT_NEAR(isotonic.curves[k].at(set["asked"][i].get<double>()),
                    set["curves"][two ? 1 : k][i].get<double>(), 1e-8);
      }
    }
  }
}

// The value at i is max over j <= i of min over k >= i of the mean of j .. k.
double by_definition(const std::vector<WeightedPoint>& sorted, std::size_t i) {
  double best = -infinity;
  for (std::size_t j = 0; j <= i; ++j) {
    double least = infinity, sum = 0, weight = 0;
    for (std::size_t k = j; k < sorted.size(); ++k) {
      sum += sorted[k].weight * sorted[k].y;
      weight += sorted[k].weight;
      if (k >= i) least = std::min(least, sum / weight);
    }
    best = std::max(best, least);
  }
  return best;
}

RC_GTEST_PROP(Isotonic, is_the_best_rising_function_by_definition, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 25);
  std::vector<WeightedPoint> points;
  for (std::size_t i = 0; i < rows; ++i) {
    points.push_back({static_cast<double>(*rc::gen::inRange(-8, 8)), *rc::gen::inRange(0, 5) / 4.0,
                      static_cast<double>(*rc::gen::inRange(1, 4))});
  }
  const auto curve = isotonic(points);
  // Points of one x as one.
  std::vector<WeightedPoint> pooled;
  std::stable_sort(points.begin(), points.end(), [](auto& a, auto& b) { return a.x < b.x; });
  for (const auto& point : points) {
    if (pooled.empty() || pooled.back().x != point.x) pooled.push_back({point.x, 0, 0});
    auto& last = pooled.back();
    last.y = (last.y * last.weight + point.y * point.weight) / (last.weight + point.weight);
    last.weight += point.weight;
  }
  for (std::size_t i = 0; i < pooled.size(); ++i) {
    RC_ASSERT(std::abs(curve.at(pooled[i].x) - by_definition(pooled, i)) < 1e-12);
  }
  for (double x = -9; x < 9; x += 0.125) RC_ASSERT(curve.at(x) <= curve.at(x + 0.125) + 1e-15);
}

TEST(FitCalibration, refuses_scores_that_are_no_better_than_chance) {
  ScoredRows held;
  held.classes = {"a", "b"};
  for (std::size_t i = 0; i < 40; ++i) {
    held.rows.push_back({0, i, i % 2, 0, 1});
    held.log_joint.push_back(i % 2 == 0 ? -3.0 : 0.0);
    held.log_joint.push_back(i % 2 == 0 ? 0.0 : -3.0);
  }
  EXPECT_THROW(fit_calibration(Method::temperature, held, {0, 0}), Error);
  EXPECT_THROW(fit_calibration(Method::platt, held, {0, 0}), Error);
}

TEST(FitCalibration, rows_that_are_all_right_do_not_make_it_certain) {
  ScoredRows held;
  held.classes = {"a", "b", "c"};
  for (std::size_t i = 0; i < 60; ++i) {
    held.rows.push_back({0, i, i % 3, 0, 1});
    for (std::size_t c = 0; c < 3; ++c) held.log_joint.push_back(c == i % 3 ? 0.0 : -1.0);
  }
  const double said = 1 / (1 + 2 * std::exp(-1.0));
  for (const auto method : all_methods) {
    const auto fitted = fit_calibration(method, held, {0, 0, 0});
    std::vector<double> row{0, -1, -1};
    fitted.apply(row, std::vector<double>{0, 0, 0});
    const double p = posterior(row).probabilities[0];
    if (method == Method::isotonic) {
      EXPECT_GT(p, 0.9);
      EXPECT_LT(p, 0.99);
    } else {  // 60 rows, and an imaginary one of which the model is asked
      EXPECT_NEAR(p, (60 + said) / 61, 1e-9) << to_string(method);
    }
  }
}

TEST(FitCalibration, rows_far_from_any_doubt_leave_a_temperature_at_one) {
  ScoredRows held;
  held.classes = {"a", "b", "c"};
  for (std::size_t i = 0; i < 30; ++i) {
    held.rows.push_back({0, i, i % 3, 0, 1});
    for (std::size_t c = 0; c < 3; ++c) held.log_joint.push_back(c == i % 3 ? 0.0 : -300.0);
  }
  EXPECT_EQ(fit_calibration(Method::temperature, held, {0, 0, 0}).slope, 1);
}

double log_loss(const ScoredRows& held, const Calibration* calibration) {
  const std::size_t classes = held.classes.size();
  double sum = 0;
  for (std::size_t r = 0; r < held.rows.size(); ++r) {
    const auto first = held.log_joint.begin() + static_cast<std::ptrdiff_t>(r * classes);
    std::vector<double> row(first, first + static_cast<std::ptrdiff_t>(classes));
    if (calibration) calibration->apply(row, std::vector<double>(classes, 0.0));
    sum += held.rows[r].weight * (log_sum_exp(row) - row[held.rows[r].cls]);
  }
  return sum;
}

// Classes far apart, of few rows, with one row or another in the wrong place.
RC_GTEST_PROP(FitCalibration, never_raises_the_log_loss_of_the_rows_it_is_fitted_to, ()) {
  const auto classes = *rc::gen::inRange<std::size_t>(2, 6);
  const auto rows = *rc::gen::inRange<std::size_t>(classes, 40);
  const double spread = std::pow(10.0, *rc::gen::inRange(-2, 4));
  Random random(*rc::gen::inRange<std::uint64_t>(0, 1000000));
  ScoredRows held;
  for (std::size_t c = 0; c < classes; ++c) held.classes.push_back(std::to_string(c));
  for (std::size_t r = 0; r < rows; ++r) {
    held.rows.push_back({0, r, r % classes, 0, 1 + static_cast<double>(random.below(3))});
    for (std::size_t c = 0; c < classes; ++c) {
      held.log_joint.push_back((c == r % classes ? 2 * spread : 0) + spread * random.normal());
    }
  }
  const std::vector<double> prior(classes, 0.0);
  const double before = log_loss(held, nullptr);
  for (const auto method : {Method::temperature, Method::platt}) {
    if (method == Method::platt && classes == 2) continue;  // as published: it may
    try {
      const auto fitted = fit_calibration(method, held, prior);
      RC_ASSERT(log_loss(held, &fitted) <= before * (1 + 1e-12) + 1e-12);
    } catch (const Error&) {  // no better than by chance
    }
  }
}

}  // namespace
}  // namespace credence
