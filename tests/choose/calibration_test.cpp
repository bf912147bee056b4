// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "choose/generated_table.hpp"
#include "choose/methods.hpp"
#include "core/log_math.hpp"
#include "core/random.hpp"
#include "credence/adapt.hpp"
#include "credence/calibrate.hpp"
#include "credence/error.hpp"
#include "credence/io.hpp"
#include "credence/novelty.hpp"

namespace credence {
namespace {

class Calibrate : public GeneratedTable {
 protected:
  // Of one kind for all tests: too sure of itself.
  Model calibrated(Method method, std::size_t rows = 3000) {
    const auto text = repeated_table(rows, 0.7, 1);
    Model model = learn(text);
    CalibrationOptions options;
    options.method = method;
    report_ = calibrate(model, chunks(text, model), options);
    return model;
  }
  CalibrationReport report_;
};

TEST_F(Calibrate, makes_a_model_that_counts_everything_five_times_honest) {
  const auto test = repeated_table(3000, 0.7, 2);
  const auto before = judge_model(learn(repeated_table(3000, 0.7, 1)), test);
  ASSERT_GT(before.ece, 0.08);
  for (const auto method : all_methods) {
    const Model model = calibrated(method);
    const auto after = judge_model(model, test);
    EXPECT_LT(after.ece, before.ece / 3) << to_string(method);
    EXPECT_LT(after.log_loss, before.log_loss / 1.5) << to_string(method);
    EXPECT_LT(report_.after.log_loss, report_.before.log_loss) << to_string(method);
    if (method == Method::temperature) {
      EXPECT_EQ(after.accuracy, before.accuracy);
    }
    if (method != Method::isotonic) {
      EXPECT_NEAR(model.settings().calibration->slope, 0.2, 0.02);
    }
  }
}

TEST_F(Calibrate, leaves_the_evidence_alone_and_explains_what_it_adds) {
  for (const auto method : all_methods) {
    Model model = calibrated(method);
    const auto rows = chunks(repeated_table(50, 0.5, 3), model)[0];
    const Scorer with(model);
    ASSERT_NE(with.calibration(), nullptr);
    model.settings().calibration.reset();
    const Scorer without(model);
    const auto a = with.log_joint(rows), b = without.log_joint(rows);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      const auto changed = posterior(std::span(a).subspan(r * 2, 2));
      EXPECT_NEAR(changed.log_evidence, posterior(std::span(b).subspan(r * 2, 2)).log_evidence,
                  1e-11);
      const auto why = with.explain(rows, r);
      EXPECT_EQ(why.lines.back().column, "calibration");
      double sum = 0;
      for (const auto& line : why.lines) sum += line.weight;
      EXPECT_NEAR(sum,
                  std::log(changed.probabilities[why.winner] / changed.probabilities[why.other]),
                  1e-9);
    }
  }
}

TEST_F(Calibrate, another_prior_moves_the_calibrated_odds_by_the_ratio_of_the_priors) {
  for (const auto method : all_methods) {
    Model model = calibrated(method);
    const auto rows = chunks(repeated_table(50, 0.5, 4), model)[0];
    const auto before = Scorer(model).log_joint(rows);
    const auto was = Scorer(model).log_prior();
    model.settings().prior = parse_class_prior("a=0.2,b=0.8");
    const auto after = Scorer(model).log_joint(rows);
    const double shift = std::log(0.2 / 0.8) - (was[0] - was[1]);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      EXPECT_NEAR(after[2 * r] - after[2 * r + 1] - (before[2 * r] - before[2 * r + 1]), shift,
                  1e-10);
    }
  }
}

TEST_F(Calibrate, does_not_depend_on_the_prior_the_model_happens_to_have) {
  const auto text = repeated_table(1000, 0.7, 1);
  Model model = learn(text);
  CalibrationOptions options;
  options.method = Method::platt;
  calibrate(model, chunks(text, model), options);
  const auto first = *model.settings().calibration;
  model.settings().prior = parse_class_prior("uniform");
  calibrate(model, chunks(text, model), options);
  EXPECT_EQ(first.slope, model.settings().calibration->slope);
  EXPECT_EQ(first.bias, model.settings().calibration->bias);
}

TEST_F(Calibrate, a_linear_form_gives_the_calibrated_odds) {
  Random random(1);
  std::string text = "u,v,y\n";
  for (int r = 0; r < 300; ++r) {
    const bool first = random.uniform() < 0.7;
    text += std::to_string((first ? 0 : 1) + random.normal()) + "," +
            std::to_string(random.normal()) + (first ? ",a\n" : ",b\n");
  }
  Model tied = learn(text, "lda");
  tied.settings().rule = parse_rule("mle");
  CalibrationOptions options;
  options.method = Method::platt;
  const auto rows = chunks(text, tied);
  calibrate(tied, rows, options);
  const Scorer scorer(tied);
  const auto form = scorer.linear_form();
  const auto joint = scorer.log_joint(rows[0]);
  for (std::size_t r = 0; r < 20; ++r) {
    double odds = form.intercepts[0] - form.intercepts[1];
    for (const auto& feature : form.features) {
      for (std::size_t j = 0; j < tied.schema().columns.size(); ++j) {
        if (feature.name != tied.schema().columns[j].name) continue;
        odds += (feature.coefficients[0] - feature.coefficients[1]) *
                std::get<Numbers>(rows[0].columns[j]).values[r];
      }
    }
    EXPECT_NEAR(odds, joint[2 * r] - joint[2 * r + 1], 1e-6);
  }
}

TEST_F(Calibrate, is_not_applied_to_other_classes_or_another_rule) {
  Model model = calibrated(Method::platt);
  Model other = model;
  other.settings().rule = parse_rule("mle");
  EXPECT_EQ(Scorer(other).calibration(), nullptr);
  Model more = model.empty();
  more.learn(*[&] {
    static std::unique_ptr<Source> source;
    source = open("x1,x2,x3,x4,x5,y\n9,9,9,9,9,c\n8,8,8,8,8,c\n");
    source->select(model.schema(), true);
    return source.get();
  }());
  model.merge(more);
  EXPECT_FALSE(model.settings().calibration->fits(model));
  const Scorer scorer(model);
  EXPECT_EQ(scorer.calibration(), nullptr);
  EXPECT_EQ(scorer.log_joint(chunks("x1,x2,x3,x4,x5\n0,0,0,0,0\n", model)[0]).size(), 3u);
}

TEST_F(Calibrate, follows_classes_that_are_renamed_and_so_sorted_otherwise) {
  const auto table = [](std::size_t rows, std::uint64_t seed) {
    Random random(seed);
    std::string text = "x1,x2,y\n";
    for (std::size_t r = 0; r < rows; ++r) {
      const auto cls = random.below(3);
      const auto value = std::to_string(static_cast<double>(cls) + random.normal());
      text += value + "," + value + "," + std::string(1, static_cast<char>('a' + cls)) + "\n";
    }
    return text;
  };
  for (const std::string& text : {table(300, 1), repeated_table(300, 0.7, 1)}) {
    for (const auto method : all_methods) {
      Model model = learn(text);
      CalibrationOptions options;
      options.method = method;
      options.novelty = true;
      const auto rows = chunks(text, model);
      calibrate(model, rows, options);
      Model renamed = model;
      renamed.rename_class("a", "z");
      ASSERT_TRUE(renamed.settings().calibration->fits(renamed));
      ASSERT_TRUE(renamed.settings().novelty->fits(renamed));
      EXPECT_EQ(to_bytes(from_bytes(to_bytes(renamed), "m")), to_bytes(renamed));
      const Scorer before(model), after(renamed);
      const auto a = before.log_joint(rows[0]), b = after.log_joint(rows[0]);
      const std::size_t classes = model.classes().size();
      for (std::size_t i = 0; i < a.size(); ++i) {
        const std::size_t place = (i % classes + classes - 1) % classes;  // the first is now last
        EXPECT_NEAR(a[i], b[i - i % classes + place], 1e-9) << to_string(method);
      }
      const auto p = NoveltyTest(model, before).p_values(rows[0]);
      const auto q = NoveltyTest(renamed, after).p_values(rows[0]);
      for (std::size_t r = 0; r < p.size(); ++r) EXPECT_NEAR(p[r], q[r], 2.0 / 300);
    }
  }
}

TEST_F(Calibrate, survives_a_file_and_a_damaged_one_is_refused) {
  for (const auto method : all_methods) {
    const Model model = calibrated(method, 300);
    const auto bytes = to_bytes(model);
    const Model again = from_bytes(bytes, "m");
    EXPECT_EQ(to_bytes(again), bytes);
    const auto rows = chunks(repeated_table(20, 0.5, 5), model)[0];
    EXPECT_EQ(Scorer(model).log_joint(rows), Scorer(again).log_joint(rows));
  }
  Model model = calibrated(Method::temperature, 300);
  auto broken = *model.settings().calibration;
  broken.slope = -1;
  model.settings().calibration = std::make_shared<const Calibration>(broken);
  EXPECT_THROW(from_bytes(to_bytes(model), "m"), Error);
}

TEST_F(Calibrate, refuses_rows_the_model_has_not_learned_and_takes_them_as_held_out) {
  Model model = learn(repeated_table(1000, 0.7, 1));
  const auto others = chunks(repeated_table(900, 0.7, 2), model);
  CalibrationOptions options;
  options.method = Method::temperature;
  EXPECT_THROW(calibrate(model, others, options), Error);
  EXPECT_EQ(model.settings().calibration, nullptr);
  options.held_out = true;
  calibrate(model, others, options);
  EXPECT_NEAR(model.settings().calibration->slope, 0.2, 0.04);
}

TEST_F(Calibrate, refuses_the_rows_of_a_decayed_model_and_says_why) {
  const auto text = repeated_table(300, 0.7, 1);
  Model model = learn(text);
  model.decay(0.5);
  CalibrationOptions options;
  options.method = Method::temperature;
  try {
    calibrate(model, chunks(text, model), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("decayed"), std::string::npos);
  }
  options.held_out = true;
  calibrate(model, chunks(repeated_table(300, 0.7, 2), model), options);
  EXPECT_NE(model.settings().calibration, nullptr);
}

TEST_F(Calibrate, impossible_classes_stay_impossible) {
  for (const auto method : all_methods) {
    const auto calibration = calibrated(method, 300).settings().calibration;
    std::vector<double> row{-5, -infinity};
    calibration->apply(row, calibration->log_prior);
    EXPECT_NEAR(row[0], -5, 1e-12);
    EXPECT_EQ(row[1], -infinity);
    std::vector<double> none{-infinity, -infinity};
    calibration->apply(none, calibration->log_prior);
    EXPECT_EQ(none, std::vector<double>(2, -infinity));
  }
}

TEST_F(Calibrate, lets_adapt_find_shares_that_a_model_too_sure_of_itself_misses) {
  const auto shifted = repeated_table(4000, 0.2, 6);
  const auto adapted_share = [&](Model& model) {
    auto source = open(shifted);
    source->select(model.schema(), false);
    const auto adapted = adapt_prior(model, *source);
    model.settings().prior = adapted.prior;
    return adapted.after[0];
  };
  Model plain = learn(repeated_table(3000, 0.7, 1));
  EXPECT_GT(std::abs(adapted_share(plain) - 0.2), 0.05);
  // Not temperature: it takes the prior's part of the log-odds for too large as well.
  for (const auto method : {Method::platt, Method::isotonic}) {
    Model model = calibrated(method);
    const double before = judge_model(model, shifted).log_loss;
    EXPECT_NEAR(adapted_share(model), 0.2, 0.03) << to_string(method);
    EXPECT_LT(judge_model(model, shifted).log_loss, before) << to_string(method);
  }
}

}  // namespace
}  // namespace credence
