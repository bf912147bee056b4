// SPDX-License-Identifier: Apache-2.0
// With s the scores of a row less the largest, the loss of a slope a is, over the rows,
//   sum of w (log sum of exp(a s_c) - a t's),  t's = (W s_truth + sum of q_c s_c) / (W + 1),
// where q is the posterior as it is and W the weight of all rows (see calibrate.cpp). So of each
// row only sums over its classes are needed, and one parameter is found by Newton's method.
#include "choose/rescored.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "measure/tally.hpp"

namespace credence {
namespace {

// The mean and variance of a row's scores under exp(slope * score), and the log of its sum.
struct Tilted {
  double log_sum = 0, mean = 0, variance = 0;
};

Tilted tilted(std::span<const double> joint, double top, double slope) {
  double sum = 0, first = 0, second = 0;
  for (const double value : joint) {
    const double score = value - top;
    if (!(slope * score > -60)) continue;  // less than 1e-26 of the largest
    const double share = std::exp(slope * score);
    sum += share;
    first += share * score;
    second += share * score * score;
  }
  const double mean = first / sum;
  return {std::log(sum), mean, std::max(0.0, second / sum - mean * mean)};
}

bool tells(const ScoredRows::Row& row, std::span<const double> joint) {
  return row.weight > 0 && joint[row.cls] != -infinity;
}

template <typename See>
void each_row(std::span<const ScoredRows::Row> rows, std::span<const double> log_joint,
              const See& see) {
  const std::size_t classes = rows.empty() ? 0 : log_joint.size() / rows.size();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    see(rows[r], log_joint.subspan(r * classes, classes));
  }
}

class Temperature {
 public:
  Temperature(const std::vector<std::string>& classes, const std::vector<double>& log_prior,
              const std::vector<double>& log_prior_now, const LookAtAll& look_at_all)
      : classes_(classes),
        log_prior_(log_prior),
        log_prior_now_(log_prior_now),
        look_at_all_(look_at_all),
        by_class_(classes.size(), 0.0) {}

  // What the rows are worth as they are, and what does not depend on the slope.
  Metrics first_look() {
    Tally tally(plain(), 0);
    look_at_all_(
        [&](std::span<const ScoredRows::Row> rows, std::span<const double> log_joint) {
          Look look{std::vector<double>(3 + classes_.size()), {}};
          each_row(rows, log_joint, [&](const auto& row, std::span<const double> joint) {
            look.outcomes.push_back(outcome(row, joint, nullptr));
            if (!tells(row, joint)) return;
            const double top = *std::max_element(joint.begin(), joint.end());
            look.sums[0] += 1;
            look.sums[1] += row.weight * (joint[row.cls] - top);
            look.sums[2] += row.weight * tilted(joint, top, 1).mean;
            look.sums[3 + row.cls] += row.weight;
          });
          return look;
        },
        [&](const Look& look) {
          for (const auto& outcome : look.outcomes) tally.add(outcome);
          for (std::size_t c = 0; c < by_class_.size(); ++c) by_class_[c] += look.sums[3 + c];
          rows_ += look.sums[0];
          of_truth_ += look.sums[1];
          of_model_ += look.sums[2];
        });
    for (std::size_t c = 0; c < by_class_.size(); ++c) {
      total_ += by_class_[c];
      if (!(by_class_[c] > 0)) no_row_of(classes_[c]);
    }
    return tally.finish(classes_);
  }

  double rows() const { return rows_; }

  // The loss is convex: its slope is below 0 on the left of the best one, above 0 on the right.
  double best_slope() const {
    double low = 0, high = infinity, slope = 1;
    for (int look = 0; look < 60; ++look) {
      const auto [gradient, curvature] = derivatives(slope);
      (gradient < 0 ? low : high) = slope;
      if (std::abs(gradient) < 1e-12) break;
      double next = slope - gradient / curvature;
      if (!(next > low && next < high)) next = high == infinity ? 2 * slope : (low + high) / 2;
      // The error of the next one is about the square of the step.
      const bool settled = std::abs(next - slope) <= 1e-6 * slope;
      slope = next;
      if (settled || slope < 1e-9) break;
    }
    return slope;
  }

  Metrics under(const Calibration& calibration) const {
    Tally tally(plain(), 0);
    look_at_all_(
        [&](std::span<const ScoredRows::Row> rows, std::span<const double> log_joint) {
          Look look;
          each_row(rows, log_joint, [&](const auto& row, std::span<const double> joint) {
            look.outcomes.push_back(outcome(row, joint, &calibration));
          });
          return look;
        },
        [&](const Look& look) {
          for (const auto& outcome : look.outcomes) tally.add(outcome);
        });
    return tally.finish(classes_);
  }

 private:
  // Under the prior that the model has now.
  Outcome outcome(const ScoredRows::Row& row, std::span<const double> joint,
                  const Calibration* calibration) const {
    std::vector<double> changed(joint.begin(), joint.end());
    change_prior(changed, log_prior_, log_prior_now_);
    if (calibration) calibration->apply(changed, log_prior_now_);
    return judge(changed, row.cls, row.weight);
  }

  static MeasureOptions plain() {
    MeasureOptions options;
    options.confidence = 0;
    return options;
  }

  [[noreturn]] static void no_row_of(const std::string& cls) {
    throw Error(ErrorKind::data,
                fmt::format("cannot calibrate: of class \"{}\" there is no row that a model which "
                            "has not seen it thinks possible",
                            cls));
  }

  // Of the mean loss.
  std::pair<double, double> derivatives(double slope) const {
    double mean = 0, variance = 0;
    look_at_all_(
        [&](std::span<const ScoredRows::Row> rows, std::span<const double> log_joint) {
          Look look{std::vector<double>(2), {}};
          each_row(rows, log_joint, [&](const auto& row, std::span<const double> joint) {
            if (!tells(row, joint)) return;
            const auto of_row = tilted(joint, *std::max_element(joint.begin(), joint.end()), slope);
            look.sums[0] += row.weight * of_row.mean;
            look.sums[1] += row.weight * of_row.variance;
          });
          return look;
        },
        [&](const Look& look) {
          mean += look.sums[0];
          variance += look.sums[1];
        });
    const double target = (total_ * of_truth_ + of_model_) / (total_ + 1);
    return {(mean - target) / total_, variance / total_};
  }

  const std::vector<std::string>& classes_;
  const std::vector<double>&log_prior_, &log_prior_now_;
  const LookAtAll& look_at_all_;
  std::vector<double> by_class_;
  double rows_ = 0, total_ = 0;
  double of_truth_ = 0, of_model_ = 0;  // sums of scores: of the true class, of the mean one
};

}  // namespace

Rescored fit_temperature(const std::vector<std::string>& classes,
                         const std::vector<double>& log_prior,
                         const std::vector<double>& log_prior_now, const LookAtAll& look_at_all) {
  Temperature temperature(classes, log_prior, log_prior_now, look_at_all);
  Rescored result;
  result.report.before = temperature.first_look();
  result.report.impossible = result.report.before.impossible;
  result.report.other_prior = differ(log_prior, log_prior_now);
  auto& calibration = result.calibration;
  calibration.classes = classes;
  calibration.log_prior = log_prior;
  calibration.rows = temperature.rows();
  calibration.slope = temperature.best_slope();
  if (!(calibration.slope > 1e-9)) no_better_than_chance(calibration.slope);
  result.report.after = temperature.under(calibration);
  return result;
}

void change_prior(std::span<double> log_joint, std::span<const double> from,
                  std::span<const double> to) {
  for (std::size_t c = 0; c < log_joint.size(); ++c) {
    if (log_joint[c] != -infinity) log_joint[c] += to[c] - from[c];
  }
}

bool differ(std::span<const double> log_prior, std::span<const double> other) {
  for (std::size_t c = 0; c < log_prior.size(); ++c) {
    if (!(std::abs(log_prior[c] - other[c]) <= 1e-9)) return true;  // more than rounding
  }
  return false;
}

void no_better_than_chance(double slope) {
  throw Error(ErrorKind::data,
              fmt::format("cannot calibrate: rows held out are judged no better than by chance "
                          "(the slope is {}); a better model or more rows are needed",
                          format_number(slope)));
}

}  // namespace credence
