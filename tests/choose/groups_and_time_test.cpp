// SPDX-License-Identifier: Apache-2.0
// Groups and time mean the same wherever rows are held out: in tuning, calibrating, comparing with
// logistic regression, and learning what rows without a class count. Each is held against models
// that are learnt anew, row by row, from the rows that may be learnt from and no others.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "credence/calibrate.hpp"
#include "credence/hold_out.hpp"
#include "credence/semi_supervised.hpp"
#include "credence/tune.hpp"
#include "hold_out/dealt.hpp"
#include "laws/random_data.hpp"
#include "twin/compare.hpp"
#include "twin/model.hpp"

namespace credence::laws {
namespace {

constexpr std::size_t patients = 8, days = 4, group_column = 2, time_column = 3;

// Rows of a patient are alike, and its class is that of most of its rows: who recognises the
// patient knows the class. The last two columns are patient and day, and no block's.
struct Visits {
  Model model;
  std::vector<Chunk> chunks;

  Visits() : model(make_model()) {
    Random random(71);
    for (const std::size_t rows : {50, 46}) {
      Chunk chunk;
      chunk.rows = rows;
      chunk.labels.dictionary = {"ill", "well", "unsure"};
      Numbers x, day;
      Categories word{{}, {"a", "b", "c"}}, patient{{}, {}};
      for (std::size_t p = 0; p < patients; ++p) {
        patient.dictionary.push_back("p" + std::to_string(p));
      }
      for (std::size_t r = 0; r < rows; ++r) {
        const auto p = random.below(patients);
        const auto usual = static_cast<std::int32_t>(p % 3);
        chunk.labels.codes.push_back(
            random.below(4) == 0 ? static_cast<std::int32_t>(random.below(3)) : usual);
        chunk.weights.push_back(random.below(3) == 0 ? 0.5 : 2.0);
        x.values.push_back(static_cast<double>(p) + 0.3 * random.normal());
        word.codes.push_back(static_cast<std::int32_t>(random.below(2) ? random.below(3) : p % 3));
        patient.codes.push_back(static_cast<std::int32_t>(p));
        day.values.push_back(static_cast<double>(random.below(days)));
      }
      chunk.columns = {x, word, patient, day};
      chunks.push_back(std::move(chunk));
    }
  }

  static Model make_model() {
    Schema schema;
    schema.target = "state";
    schema.columns = {{"x", ColumnKind::number, {}}, {"word", ColumnKind::category, {}}};
    return {schema, {{"gaussian", {0}}, {"categorical", {1}}}};
  }

  static Folds groups() {
    Folds folds;
    folds.leave_one_out = true;
    folds.group_column = group_column;
    folds.column_name = "patient";
    return folds;
  }
  static Folds time() {
    Folds folds;
    folds.count = days - 1;
    folds.time_column = time_column;
    folds.column_name = "day";
    return folds;
  }

  double value(std::size_t chunk, std::size_t row, std::size_t column) const {
    const auto& cells = chunks[chunk].columns[column];
    if (const auto* words = std::get_if<Categories>(&cells)) return words->codes[row];
    return std::get<Numbers>(cells).values[row];
  }
  // The rows for which keep(value of the column) holds.
  std::vector<Chunk> where(std::size_t column, const std::function<bool(double)>& keep) const {
    std::vector<Chunk> result;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      std::vector<std::size_t> rows;
      for (std::size_t r = 0; r < chunks[i].rows; ++r) {
        if (keep(value(i, r, column))) rows.push_back(r);
      }
      if (!rows.empty()) result.push_back(select_rows(chunks[i], rows));
    }
    return result;
  }
  Visits without_classes(double share) const {
    Visits result = *this;
    Random random(3);
    for (auto& chunk : result.chunks) {
      for (auto& code : chunk.labels.codes) {
        if (random.uniform() < share) code = -1;
      }
    }
    return result;
  }
};

// Calls judge(learnt, judged) for every patient, or for every day but the first.
void in_turn(
    const Visits& visits, bool in_time,
    const std::function<void(const std::vector<Chunk>&, const std::vector<Chunk>&)>& judge) {
  const std::size_t column = in_time ? time_column : group_column;
  for (std::size_t k = in_time ? 1 : 0; k < (in_time ? days : patients); ++k) {
    const auto now = static_cast<double>(k);
    judge(visits.where(column, [&](double v) { return in_time ? v < now : v != now; }),
          visits.where(column, [&](double v) { return v == now; }));
  }
}

struct Loss {
  double sum = 0, weight = 0, right = 0;

  void add(const Classifier& classifier, const std::vector<Chunk>& chunks,
           double least = -INFINITY) {
    for (const auto& chunk : chunks) {
      const auto joint = classifier.log_scores(chunk);
      const std::size_t many = classifier.classes().size();
      for (std::size_t r = 0; r < chunk.rows; ++r) {
        if (chunk.labels.codes[r] < 0) continue;
        const auto& label =
            chunk.labels.dictionary[static_cast<std::size_t>(chunk.labels.codes[r])];
        const auto p = posterior(std::span(joint).subspan(r * many, many)).probabilities;
        double of_truth = 0, most = 0;
        for (std::size_t c = 0; c < many; ++c) {
          if (classifier.classes()[c] == label) of_truth = p[c];
          most = std::max(most, p[c]);
        }
        sum -= chunk.weights[r] * std::max(std::log(of_truth), least);
        right += of_truth == most ? chunk.weights[r] : 0;
        weight += chunk.weights[r];
      }
    }
  }
  double mean() const { return sum / weight; }
};

class GroupsAndTime : public testing::TestWithParam<bool> {
 protected:
  const Visits visits;
  Folds folds() const { return GetParam() ? Visits::time() : Visits::groups(); }
};

TEST_P(GroupsAndTime, tuning_judges_every_candidate_by_rows_it_may_know) {
  std::vector<Candidate> candidates(3);
  for (auto& candidate : candidates) candidate.blocks = {0, 1};
  candidates[1].settings.rule = parse_rule("laplace=5");
  candidates[2].blocks = {1};
  TuneOptions options;
  options.folds = folds();
  const auto tuning = tune(visits.model, candidates, visits.chunks, options);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    std::vector<BlockSpec> blocks;
    for (const auto b : candidates[i].blocks) blocks.push_back(visits.model.blocks()[b]);
    const Model alone(visits.model.schema(), blocks, candidates[i].settings);
    Loss slow;
    in_turn(visits, GetParam(), [&](const auto& learnt, const auto& judged) {
      slow.add(Scorer(learn(alone, learnt)), judged);
    });
    EXPECT_NEAR(tuning.tried[i].log_loss, slow.mean(), 1e-12) << i;
    EXPECT_NEAR(tuning.tried[i].accuracy, slow.right / slow.weight, 1e-12) << i;
  }
}

TEST_P(GroupsAndTime, tuned_weights_are_judged_by_rows_they_were_not_chosen_from) {
  std::vector<Candidate> candidates(1);
  candidates[0].blocks = {0, 1};
  candidates[0].weigh = true;
  TuneOptions options;
  options.folds = folds();
  const auto weighed = tune(visits.model, candidates, visits.chunks, options).tried[0];
  ASSERT_EQ(weighed.weights.size(), 2u);
  // The weights chosen from all rows would be judged by themselves: that looks better than it is.
  auto blocks = visits.model.blocks();
  for (std::size_t b = 0; b < 2; ++b) blocks[b].weight = weighed.weights[b];
  const Model model(visits.model.schema(), blocks);
  const auto flattered = cross_validate(model, visits.chunks, folds()).all.log_loss;
  EXPECT_GT(weighed.log_loss, flattered);
}

TEST_P(GroupsAndTime, comparing_learns_logistic_regression_without_the_rows_it_judges) {
  const auto found = compare({{"naive", visits.model, false}, {"logistic", visits.model, true}},
                             visits.chunks, folds(), {}, 2);
  Loss naive, logistic;
  in_turn(visits, GetParam(), [&](const auto& learnt, const auto& judged) {
    const Model model = learn(visits.model, learnt);
    naive.add(Scorer(model), judged);
    logistic.add(LogisticModel::fit(model, learnt), judged);
  });
  EXPECT_NEAR(found[0].all.log_loss, naive.mean(), 1e-12);
  EXPECT_NEAR(found[1].all.log_loss, logistic.mean(), 1e-9);
  EXPECT_EQ(found[1].fold_log_loss.size(), GetParam() ? days - 1 : patients);
}

TEST_P(GroupsAndTime, calibrating_fits_to_rows_it_may_not_know) {
  Model model = learn(visits.model, visits.chunks);
  CalibrationOptions options;
  options.method = Calibration::Method::temperature;
  options.folds = folds();
  const auto report = calibrate(model, visits.chunks, options);
  // The shares of the classes among all rows are the prior, whatever a fold has of them.
  Settings settings;
  settings.prior.kind = ClassPrior::Kind::given;
  const auto weights = model.class_weights();
  for (std::size_t c = 0; c < weights.size(); ++c) {
    settings.prior.shares.emplace_back(model.classes()[c],
                                       weights[c] / (weights[0] + weights[1] + weights[2]));
  }
  const Model level(visits.model.schema(), visits.model.blocks(), settings);
  Loss slow;
  in_turn(visits, GetParam(), [&](const auto& learnt, const auto& judged) {
    slow.add(Scorer(learn(level, learnt)), judged);
  });
  EXPECT_NEAR(report.before.log_loss, slow.mean(), 1e-12);
  EXPECT_LT(report.after.log_loss, report.before.log_loss);
}

TEST_P(GroupsAndTime, what_rows_without_a_class_count_is_learnt_without_those_of_the_fold) {
  const auto some = visits.without_classes(0.5);
  auto how = folds();
  how.leave_one_out = false;
  how.count = GetParam() ? days - 1 : patients;  // each group alone
  const auto chosen = choose_unlabelled_weight(some.model, some.chunks, how, {0, 0.3, 1}, 1);
  for (const auto& [weight, loss] : chosen.log_loss) {
    UnlabelledOptions options;
    options.weight = weight;
    Loss slow;
    in_turn(some, GetParam(), [&](const auto& learnt, const auto& judged) {
      slow.add(Scorer(learn_unlabelled(some.model, learnt, options, 1).model), judged, -745);
    });
    EXPECT_NEAR(loss, slow.mean(), 1e-9) << "weight " << weight;
  }
}

TEST_P(GroupsAndTime, no_row_of_a_group_or_a_later_time_is_learnt_from) {
  const auto some = visits.without_classes(0.3);
  Folds several = folds();
  several.leave_one_out = false;
  several.count = 3;
  const std::size_t column = GetParam() ? time_column : group_column;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    several.seed = seed;
    const Dealt dealt = deal_out(some.chunks, some.model.schema(), several, true);
    ASSERT_EQ(dealt.folds.size(), 3u);
    for (std::size_t f = 0; f < 3; ++f) {
      std::set<double> judged;
      for (const auto place : dealt.folds[f]) {
        const auto& row = dealt.rows[place];
        judged.insert(some.value(row.chunk, row.row, column));
      }
      std::size_t learnt = 0;
      for (const auto& chunk : dealt.learnt_for(f)) {
        learnt += chunk.rows;
        for (std::size_t r = 0; r < chunk.rows; ++r) {
          const auto& cells = chunk.columns[column];
          const double value = GetParam() ? std::get<Numbers>(cells).values[r]
                                          : std::get<Categories>(cells).codes[r];
          if (GetParam()) {
            EXPECT_LT(value, *judged.begin());
          } else {
            EXPECT_FALSE(judged.contains(value));
          }
        }
      }
      EXPECT_GT(learnt, dealt.folds[f].size());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(HeldOut, GroupsAndTime, testing::Bool(),
                         [](const auto& info) { return info.param ? "time" : "groups"; });

TEST(Grouped, calibration_is_not_deceived_by_rows_that_are_alike) {
  const Visits visits;
  Model model = learn(visits.model, visits.chunks);
  CalibrationOptions options;
  options.method = Calibration::Method::temperature;
  calibrate(model, visits.chunks, options);
  const double trusting = model.settings().calibration->slope;
  options.folds = Visits::groups();
  calibrate(model, visits.chunks, options);
  EXPECT_LT(model.settings().calibration->slope, trusting);
}

}  // namespace
}  // namespace credence::laws
