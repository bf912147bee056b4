// SPDX-License-Identifier: Apache-2.0
// Were all rows held out right, the best slope would be infinite. So one imaginary row is added,
// spread over the rows and of the classes that the model itself says there: rows of weight W in all
// with posteriors q have the targets (W [c = class] + q_c) / (W + 1). The cross-entropy of the
// imaginary row is least at slope 1 and bias 0, where the model says what it says. So at the least
// sum of both, the log-loss of the rows is never above what it was. With two classes Platt's own
// targets are taken for platt: 1 - 1/(N + 2) in a class with N rows, the published method.
#include "credence/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "choose/isotonic.hpp"
#include "choose/rescored.hpp"
#include "choose/scaling.hpp"
#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "credence/novelty.hpp"
#include "hold_out/held_out.hpp"
#include "measure/scored_rows.hpp"
#include "parallel/stream.hpp"

namespace credence {
namespace {

// Rows that say something: those with weight whose true class is possible.
std::vector<std::size_t> telling_rows(const ScoredRows& held) {
  std::vector<std::size_t> result;
  for (std::size_t r = 0; r < held.rows.size(); ++r) {
    if (held.rows[r].weight > 0 && held.scores(r)[held.rows[r].cls] != -infinity) {
      result.push_back(r);
    }
  }
  return result;
}

std::vector<double> weights_by_class(const ScoredRows& held, const std::vector<std::size_t>& rows) {
  std::vector<double> result(held.classes.size(), 0.0);
  for (const auto r : rows) result[held.rows[r].cls] += held.rows[r].weight;
  return result;
}

std::vector<double> platt_targets(std::size_t truth, const std::vector<double>& by_class) {
  const double doubt = 1 / (by_class[truth] + 2);
  std::vector<double> result(2, doubt);
  result[truth] = 1 - doubt;
  return result;
}

// From log posteriors up to what they share.
std::vector<double> targets_near_the_model(std::size_t truth, std::span<const double> scores,
                                           double total) {
  const double log_evidence = log_sum_exp(scores);
  std::vector<double> result;
  for (const double score : scores) result.push_back(std::exp(score - log_evidence) / (total + 1));
  result[truth] += total / (total + 1);
  return result;
}

ScalingData scaling_data(const ScoredRows& held, const std::vector<std::size_t>& rows,
                         bool platts_targets) {
  const std::size_t classes = held.classes.size();
  const auto by_class = weights_by_class(held, rows);
  const double total = std::accumulate(by_class.begin(), by_class.end(), 0.0);
  ScalingData data{classes, {}, {}, {}};
  for (const auto r : rows) {
    const auto scores = held.scores(r);
    const std::size_t truth = held.rows[r].cls;
    const double top = *std::max_element(scores.begin(), scores.end());
    for (const double score : scores) data.scores.push_back(score - top);
    const bool contested = std::count(scores.begin(), scores.end(), -infinity) == 0;
    const auto targets = platts_targets && classes == 2 && contested
                             ? platt_targets(truth, by_class)
                             : targets_near_the_model(truth, scores, total);
    data.targets.insert(data.targets.end(), targets.begin(), targets.end());
    data.weights.push_back(held.rows[r].weight);
  }
  return data;
}

// Of every class against the others: rows x classes.
std::vector<double> odds_of(const ScoredRows& held, const std::vector<std::size_t>& rows) {
  std::vector<double> result;
  result.reserve(rows.size() * held.classes.size());
  for (const auto r : rows) {
    const auto scores = held.scores(r);
    LogSumOfOthers others(scores);
    for (std::size_t c = 0; c < scores.size(); ++c) result.push_back(scores[c] - others(c));
  }
  return result;
}

// One class against the others, over its log-odds.
Calibration::Curve curve_of(const ScoredRows& held, const std::vector<std::size_t>& rows,
                            const std::vector<double>& odds, std::size_t cls) {
  double with = 0, without = 0;
  for (const auto r : rows) (held.rows[r].cls == cls ? with : without) += held.rows[r].weight;
  std::vector<WeightedPoint> points;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto r = rows[i];
    const double log_odds = odds[i * held.classes.size() + cls];
    if (!std::isfinite(log_odds)) continue;  // certain either way: no curve is asked
    const bool is = held.rows[r].cls == cls;
    points.push_back(
        {log_odds, is ? (with + 1) / (with + 2) : 1 / (without + 2), held.rows[r].weight});
  }
  // Never in doubt: what is possible at all is as probable as it is frequent.
  if (points.empty()) points.push_back({0, (with + 1) / (with + without + 2), 1});
  return isotonic(std::move(points));
}

void require_all_classes(const ScoredRows& held, const std::vector<double>& by_class) {
  for (std::size_t c = 0; c < by_class.size(); ++c) {
    if (by_class[c] > 0) continue;
    throw Error(ErrorKind::data,
                fmt::format("cannot calibrate: of class \"{}\" there is no row that a model which "
                            "has not seen it thinks possible",
                            held.classes[c]));
  }
}

}  // namespace

Calibration fit_calibration(Calibration::Method method, const ScoredRows& held,
                            const std::vector<double>& log_prior, double doubt) {
  const auto rows = telling_rows(held);
  if (doubt == 0) require_all_classes(held, weights_by_class(held, rows));
  Calibration result;
  result.method = method;
  result.classes = held.classes;
  result.log_prior = log_prior;
  result.rows = static_cast<double>(rows.size());
  if (method == Calibration::Method::isotonic) {
    const auto odds = odds_of(held, rows);
    for (std::size_t c = held.classes.size() == 2 ? 1 : 0; c < held.classes.size(); ++c) {
      result.curves.push_back(curve_of(held, rows, odds, c));
    }
    return result;
  }
  const bool with_bias = method == Calibration::Method::platt;
  const auto data = scaling_data(held, rows, with_bias && doubt == 0);
  const auto scaling = fit_scaling(data, with_bias, doubt);
  if (!(scaling.slope > 0) && doubt == 0) no_better_than_chance(scaling.slope);
  result.slope = scaling.slope;
  result.bias = scaling.bias;
  return result;
}

namespace {

std::vector<double> weights_among(const std::vector<ScoredRows::Row>& rows, std::size_t classes) {
  std::vector<double> result(classes, 0.0);
  for (const auto& row : rows) result[row.cls] += row.weight;
  return result;
}

void require_learned_rows(const Model& model, std::size_t rows,
                          const std::vector<double>& weights) {
  if (model.decayed()) {
    throw Error(ErrorKind::data,
                fmt::format("the model has decayed: what each row it has learned weighs now is not "
                            "known, so they cannot be held out (give labelled rows that it has not "
                            "learned with {})",
                            setting("held_out")));
  }
  bool same = static_cast<double>(rows) == model.rows();
  const auto learned = model.class_weights();
  for (std::size_t c = 0; c < weights.size(); ++c) {
    same = same && std::abs(weights[c] - learned[c]) <= 1e-9 * learned[c];
  }
  if (same) return;
  throw Error(ErrorKind::data,
              fmt::format("these are not the rows that the model has learned: it has {}, here are "
                          "{}, or their classes or weights differ (for other rows use {})",
                          format_number(model.rows()), rows, setting("held_out")));
}

// Rows that the model has not learned, by the model as it is but for its calibration.
ScoredRows score_others(Model model, const std::vector<Chunk>& chunks, unsigned threads,
                        bool by_block) {
  model.settings().calibration.reset();
  const Scorer scorer(model);
  auto result = score_rows(scorer, chunks, WhichRows::known, threads);
  for (std::size_t b = 0; by_block && b < model.blocks().size(); ++b) {
    result.blocks.push_back(
        scores_of(result.rows, chunks, result.classes.size(), threads,
                  [&](const Chunk& chunk) { return scorer.log_density(b, chunk); }));
  }
  return result;
}

// Scores (rows times classes) kept at once; a temperature is fitted to more, which are made anew.
constexpr double most_scores = 20'000'000, most_scores_at_all = 1 << 26;

bool too_many(const CalibrationOptions& options, std::size_t rows, const Model& model) {
  const double scores = static_cast<double>(rows) * static_cast<double>(model.classes().size());
  if (scores <= most_scores) return false;
  if (options.method == Calibration::Method::temperature && !options.novelty) return true;
  const double kept = scores * static_cast<double>(options.novelty ? 1 + model.blocks().size() : 1);
  if (kept <= most_scores_at_all) return false;
  throw Error(ErrorKind::data,
              fmt::format("{} rows of {} classes have more scores than can be kept for {}: rows x "
                          "classes{} may be {} (give fewer rows{})",
                          rows, model.classes().size(),
                          options.novelty ? "novelty" : to_string(*options.method),
                          options.novelty ? " x blocks" : "", format_number(most_scores_at_all),
                          options.novelty ? "" : ", or take temperature"));
}

// Rows as often as they are asked for: those held out, or those that the model has not learned.
CalibrationReport calibrate_again_and_again(Model& model, Model level,
                                            const std::vector<Chunk>& chunks,
                                            const CalibrationOptions& options,
                                            const std::vector<double>& log_prior,
                                            unsigned threads) {
  level.settings().calibration.reset();
  std::optional<Dealt> dealt;
  std::optional<HeldOutScores> held;
  std::optional<Scorer> scorer;
  if (options.held_out) {
    scorer.emplace(level);
  } else {
    dealt.emplace(deal_out(chunks, level.schema(), options.folds));
    held.emplace(level, *dealt, threads);
  }
  const LookAtAll look_at_all = [&](const LookAt& look,
                                    const std::function<void(const Look&)>& add) {
    if (held) {
      return held->stream<Look>(
          [&](const ScoredSlice& slice) {
            std::vector<ScoredRows::Row> rows;
            for (const auto place : slice.places) rows.push_back(dealt->rows[place]);
            return look(rows, slice.log_joint);
          },
          add);
    }
    stream_slices<Look>(
        chunks, model.classes().size(), threads,
        [&](const Chunk& slice) {
          const auto scored = score_rows(*scorer, {&slice, 1}, WhichRows::known, 1);
          return look(scored.rows, scored.log_joint);
        },
        add);
  };
  auto fitted = fit_temperature(model.classes(), log_prior, look_at_all);
  fitted.calibration.rule = model.settings().rule;
  model.settings().calibration = std::make_shared<const Calibration>(std::move(fitted.calibration));
  return fitted.report;
}

Metrics calibrated(ScoredRows held, const std::vector<double>& log_prior,
                   const Calibration& calibration) {
  const std::size_t classes = held.classes.size();
  for (std::size_t r = 0; r < held.rows.size(); ++r) {
    calibration.apply(std::span(held.log_joint).subspan(r * classes, classes), log_prior);
  }
  return summarise(judge(held), held.classes);
}

}  // namespace

CalibrationReport calibrate(Model& model, const std::vector<Chunk>& chunks,
                            const CalibrationOptions& options, unsigned threads) {
  const auto rows = labelled_rows(chunks, model.classes());
  const auto weights = weights_among(rows, model.classes().size());
  if (!options.held_out) require_learned_rows(model, rows.size(), weights);
  // The shares of the classes among the rows are the prior that holds there.
  Model level = model;
  level.settings().prior = {ClassPrior::Kind::given, 1, {}};
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> log_prior;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const auto& cls = model.classes()[c];
    if (!(weights[c] > 0)) {
      throw Error(ErrorKind::data, fmt::format("cannot calibrate: no row of class \"{}\"", cls));
    }
    level.settings().prior.shares.emplace_back(cls, weights[c] / total);
    log_prior.push_back(std::log(weights[c] / total));
  }
  if (too_many(options, rows.size(), model)) {
    return calibrate_again_and_again(model, level, chunks, options, log_prior, threads);
  }
  const ScoredRows held = options.held_out
                              ? score_others(level, chunks, threads, options.novelty)
                              : hold_out(level, chunks, options.folds, threads, options.novelty);
  CalibrationReport report;
  report.before = summarise(judge(held), held.classes);
  report.after = report.before;
  report.impossible = report.before.impossible;
  if (options.method) {
    auto calibration = fit_calibration(*options.method, held, log_prior);
    calibration.rule = model.settings().rule;
    report.after = calibrated(held, log_prior, calibration);
    model.settings().calibration = std::make_shared<const Calibration>(std::move(calibration));
  }
  if (options.novelty) {
    model.settings().novelty =
        std::make_shared<const Novelty>(make_novelty(model, chunks, held, log_prior));
  }
  return report;
}

}  // namespace credence
