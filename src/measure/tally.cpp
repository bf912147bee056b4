// SPDX-License-Identifier: Apache-2.0
#include "measure/tally.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/log_math.hpp"
#include "parallel/parallel.hpp"

namespace credence {
namespace {

constexpr std::array<double, 9> reject_thresholds = {0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999};

// A mean that has an infinite term is infinite; the others are kept apart from it.
void add_or_note(double value, double weight, WeightedMean& mean, bool& infinite) {
  if (std::isfinite(value)) {
    mean.add(value, weight);
  } else {
    infinite = infinite || weight > 0;
  }
}

}  // namespace

Tally::Tally(const MeasureOptions& options, std::size_t classes)
    : options_(options), classes_(classes), answered_(reject_thresholds.size()) {
  if (classes == 0) return;
  scores_.emplace(classes, options.exact_scores);
  winners_.emplace(1, options.exact_scores / classes);
}

void Tally::add(const Outcome& outcome) {
  const double w = outcome.weight;
  const bool top_right =
      outcome.most_probable != Outcome::no_label && outcome.most_probable == outcome.truth;
  rows_ += 1;
  right_ += outcome.prediction == outcome.truth ? w : 0;
  brier_.add(outcome.brier, w);
  impossible_ += outcome.log_probability == -infinity;
  add_or_note(-outcome.log_probability, w, log_loss_, infinite_loss_);
  if (!std::isnan(outcome.cost)) {
    priced_ = true;
    add_or_note(outcome.cost, w, cost_, infinite_cost_);
    add_or_note(outcome.expected_cost, w, expected_cost_, infinite_expected_cost_);
  }
  undecided_ += outcome.prediction == Outcome::no_label;
  // Classes are numbered far below 2^32, so that "no label" is a number of its own.
  auto& cell = cells_[(outcome.truth << 32) | (outcome.prediction & 0xffffffff)];
  cell.truth = outcome.truth;
  cell.prediction = outcome.prediction;
  cell.weight += w;
  cell.squares += w * w;
  auto& bin = bins_[std::min(
      bins_.size() - 1,
      static_cast<std::size_t>(outcome.confidence * static_cast<double>(bins_.size())))];
  bin.weight += w;
  bin.right += top_right ? w : 0;
  bin.confidence += w * outcome.confidence;
  if (outcome.most_probable != Outcome::no_label) {
    for (std::size_t i = 0; i < reject_thresholds.size(); ++i) {
      if (outcome.confidence < reject_thresholds[i]) break;
      answered_[i].weight += w;
      answered_[i].wrong += top_right ? 0 : w;
    }
  }
}

void Tally::rank(std::span<const std::size_t> numbers, std::span<const Outcome> outcomes,
                 std::span<const double> scores) {
  if (!scores_) return;
  std::vector<Scores::Row> rows, with_winner;
  std::vector<double> winners;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto& outcome = outcomes[i];
    rows.push_back({numbers[i], outcome.truth, outcome.weight});
    if (outcome.most_probable == Outcome::no_label) continue;
    const auto own = scores.subspan(i * classes_, classes_);
    winners.push_back(*std::max_element(own.begin(), own.end()));
    with_winner.push_back(
        {numbers[i], std::size_t{outcome.most_probable != outcome.truth}, outcome.weight});
  }
  scores_->add(rows, scores);
  winners_->add(with_winner, winners);
}

std::vector<WeighedCell> Tally::cells(const std::vector<std::size_t>& places) const {
  std::vector<WeighedCell> result;
  for (const auto& [key, cell] : cells_) {
    result.push_back(cell);
    result.back().truth = places[cell.truth];
    if (cell.prediction != Outcome::no_label) result.back().prediction = places[cell.prediction];
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
    return std::tie(a.truth, a.prediction) < std::tie(b.truth, b.prediction);
  });
  return result;
}

void Tally::add_rankings(const std::vector<std::size_t>& places, unsigned threads,
                         Metrics& metrics) const {
  if (!scores_) return;
  const double z = normal_quantile(options_.confidence);
  std::vector<double> deviations(classes_), errors(classes_), halves(classes_);
  parallel_for(threads, classes_, [&](std::size_t c) {
    auto& cls = metrics.classes[places[c]];
    const auto ranking = scores_->ranking(c);
    cls.roc_auc = ranking.roc_auc();
    cls.average_precision = ranking.average_precision();
    deviations[c] = ranking.roc_auc_deviation(cls.roc_auc);
    errors[c] = scores_->exact() ? 0 : ranking.roc_auc_error();
    if (options_.confidence <= 0) return;
    // Perfect ranks have no spread, which does not mean that they are certain.
    if (deviations[c] > 0) cls.roc_auc_interval = normal(cls.roc_auc, deviations[c], z, 0, 1);
    const double positives = ranking.positive * ranking.positive / ranking.positive_squares;
    cls.average_precision_interval = logit(cls.average_precision, positives, z);
  });
  // Of the classes that have rows and are not all the rows; one that the model does not know has
  // no scores, and is left out too.
  struct Mean {
    double sum = 0, low = 0, high = 0, count = 0;
    void add(double value, const Interval& interval) {
      if (std::isnan(value)) return;
      const bool perfect = value == 1 && std::isnan(interval.low);
      sum += value;
      low += perfect ? 1 : interval.low;
      high += perfect ? 1 : interval.high;
      count += 1;
    }
    // Estimates that rise and fall together spread most: the mean of the intervals is not too
    // narrow.
    double value() const { return sum / count; }
    Interval interval() const {
      return low < high ? Interval{low / count, high / count} : Interval{};
    }
  } auc, precision, error;
  for (std::size_t c = 0; c < classes_; ++c) {
    const auto& cls = metrics.classes[places[c]];
    auc.add(cls.roc_auc, cls.roc_auc_interval);
    precision.add(cls.average_precision, cls.average_precision_interval);
    error.add(errors[c], {});
  }
  metrics.roc_auc = auc.value();
  metrics.roc_auc_interval = auc.interval();
  metrics.average_precision = precision.value();
  metrics.average_precision_interval = precision.interval();
  metrics.roc_auc_error = error.count > 0 ? error.value() : 0;
  metrics.reject_area = winners_->ranking(0).reject_area();
}

Metrics Tally::finish(std::vector<std::string> labels, const std::vector<std::size_t>& places,
                      unsigned threads) const {
  Metrics result;
  result.labels = std::move(labels);
  result.rows = rows_;
  result.undecided = undecided_;
  result.impossible = impossible_;
  const auto all = cells(places);
  std::vector<Confusion::Cell> labelled;
  for (const auto& cell : all) {
    if (cell.prediction != Outcome::no_label && cell.weight > 0) labelled.push_back(cell);
  }
  result.confusion = Confusion(result.labels.size(), std::move(labelled));
  result.classes.resize(result.labels.size());
  for (auto& cls : result.classes) cls.roc_auc = cls.average_precision = not_a_number;
  const double total = brier_.weight();
  if (total == 0) return result;
  result.weight = total;
  result.bins.assign(bins_.begin(), bins_.end());
  result.accuracy = right_ / total;
  result.brier = brier_.mean();
  result.log_loss = infinite_loss_ ? infinity : log_loss_.mean();
  for (const auto& bin : bins_) result.ece += std::abs(bin.right - bin.confidence) / total;
  const auto figures = figures_of(all, result.labels.size());
  result.balanced_accuracy = figures.balanced_accuracy;
  result.macro_f1 = figures.macro_f1;
  result.mcc = figures.mcc;
  for (std::size_t c = 0; c < result.classes.size(); ++c) {
    auto& cls = result.classes[c];
    cls.support = figures.support[c];
    cls.no_label = figures.no_label[c];
    cls.precision = figures.precision[c];
    cls.recall = figures.recall[c];
    cls.f1 = figures.f1[c];
  }
  for (std::size_t i = 0; i < answered_.size(); ++i) {
    result.reject.push_back(
        {reject_thresholds[i], answered_[i].weight / total,
         answered_[i].weight > 0 ? answered_[i].wrong / answered_[i].weight : not_a_number});
  }
  if (priced_) {
    result.mean_cost = infinite_cost_ ? infinity : cost_.mean();
    result.expected_cost = infinite_expected_cost_ ? infinity : expected_cost_.mean();
  }
  result.confidence = options_.confidence;
  add_rankings(places, threads, result);
  if (options_.confidence <= 0) return result;
  const double z = normal_quantile(options_.confidence);
  result.accuracy_interval = wilson(result.accuracy, brier_.rows(), z);
  result.brier_interval = normal(result.brier, brier_.deviation(), z, 0, 2);
  if (!infinite_loss_) {
    result.log_loss_interval = normal(result.log_loss, log_loss_.deviation(), z, 0, infinity);
  }
  if (priced_ && !infinite_cost_) {
    result.mean_cost_interval = normal(result.mean_cost, cost_.deviation(), z, -infinity, infinity);
  }
  add_intervals(all, options_.seed, result);
  return result;
}

Metrics Tally::finish(std::vector<std::string> labels, unsigned threads) const {
  std::vector<std::size_t> same(labels.size());
  std::iota(same.begin(), same.end(), std::size_t{0});
  return finish(std::move(labels), same, threads);
}

}  // namespace credence
