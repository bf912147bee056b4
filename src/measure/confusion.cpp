// SPDX-License-Identifier: Apache-2.0
#include "measure/confusion.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/log_math.hpp"
#include "core/random.hpp"
#include "measure/intervals.hpp"

namespace credence {

Confusion::Confusion(std::size_t labels, std::vector<Cell> cells)
    : labels_(labels), cells_(std::move(cells)) {}

double Confusion::at(std::size_t truth, std::size_t prediction) const {
  const auto key = [](const Cell& cell) { return std::tie(cell.truth, cell.prediction); };
  const auto found = std::lower_bound(cells_.begin(), cells_.end(), std::tie(truth, prediction),
                                      [&](const Cell& a, const auto& b) { return key(a) < b; });
  return found == cells_.end() || key(*found) != std::tie(truth, prediction) ? 0 : found->weight;
}

std::vector<std::vector<double>> Confusion::table() const {
  std::vector<std::vector<double>> result(labels_, std::vector<double>(labels_, 0.0));
  for (const auto& cell : cells_) result[cell.truth][cell.prediction] = cell.weight;
  return result;
}

namespace {

double mean_of_defined(const std::vector<double>& values) {
  double sum = 0, count = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    count += 1;
  }
  return count > 0 ? sum / count : not_a_number;
}

}  // namespace

ConfusionFigures figures_of(const std::vector<WeighedCell>& cells, std::size_t labels) {
  ConfusionFigures result;
  result.support.assign(labels, 0);
  result.support_squares = result.predicted_squares = result.predicted = result.no_label =
      result.support;
  std::vector<double> right(labels, 0);
  auto& predicted = result.predicted;
  double total = 0, unlabelled = 0;
  for (const auto& cell : cells) {
    total += cell.weight;
    result.support[cell.truth] += cell.weight;
    result.support_squares[cell.truth] += cell.squares;
    if (cell.prediction == Outcome::no_label) {
      unlabelled += cell.weight;
      result.no_label[cell.truth] += cell.weight;
    } else {
      predicted[cell.prediction] += cell.weight;
      result.predicted_squares[cell.prediction] += cell.squares;
    }
    if (cell.truth == cell.prediction) right[cell.truth] += cell.weight;
  }
  double hits = 0, chance = 0, truths = 0, predictions = unlabelled * unlabelled;
  for (std::size_t c = 0; c < labels; ++c) {
    const auto share = [](double part, double of) { return of > 0 ? part / of : not_a_number; };
    result.precision.push_back(share(right[c], predicted[c]));
    result.recall.push_back(share(right[c], result.support[c]));
    result.f1.push_back(share(2 * right[c], predicted[c] + result.support[c]));
    hits += right[c];
    chance += predicted[c] * result.support[c];
    truths += result.support[c] * result.support[c];
    predictions += predicted[c] * predicted[c];
  }
  result.balanced_accuracy = mean_of_defined(result.recall);
  result.macro_f1 = mean_of_defined(result.f1);
  // "No label" is one more prediction, which is never right. Without any spread among predictions
  // or truths there is nothing to correlate, which is called 0.
  const double spread = (total * total - predictions) * (total * total - truths);
  result.mcc = spread > 0 ? (hits * total - chance) / std::sqrt(spread) : 0;
  return result;
}

void add_intervals(const std::vector<WeighedCell>& cells, std::uint64_t seed, Metrics& metrics) {
  const std::size_t labels = metrics.labels.size();
  const auto whole = figures_of(cells, labels);
  const double z = normal_quantile(metrics.confidence);
  const std::size_t draws = std::clamp<std::size_t>(2'000'000 / (cells.size() + 1), 100, 1000);
  std::vector<std::vector<double>> f1(labels);
  std::vector<double> balanced, macro, mcc;
  Random random(seed);
  for (std::size_t i = 0; i < draws; ++i) {
    auto drawn = cells;
    double total = 0;
    for (auto& cell : drawn) {
      if (cell.squares > 0) {
        const double unit = cell.squares / cell.weight;
        cell.weight = unit * random.poisson(cell.weight / unit);
      }
      total += cell.weight;
    }
    if (total == 0) continue;
    const auto figures = figures_of(drawn, labels);
    balanced.push_back(figures.balanced_accuracy);
    macro.push_back(figures.macro_f1);
    mcc.push_back(figures.mcc);
    for (std::size_t c = 0; c < labels; ++c) {
      f1[c].push_back(figures.f1[c]);
    }
  }
  metrics.balanced_accuracy_interval = middle(std::move(balanced), metrics.confidence);
  metrics.macro_f1_interval = middle(std::move(macro), metrics.confidence);
  metrics.mcc_interval = middle(std::move(mcc), metrics.confidence);
  for (std::size_t c = 0; c < labels; ++c) {
    auto& cls = metrics.classes[c];
    cls.f1_interval = middle(std::move(f1[c]), metrics.confidence);
    const auto rows = [](double sum, double squares) {
      return squares > 0 ? sum * sum / squares : 0;
    };
    cls.precision_interval =
        wilson(cls.precision, rows(whole.predicted[c], whole.predicted_squares[c]), z);
    cls.recall_interval = wilson(cls.recall, rows(whole.support[c], whole.support_squares[c]), z);
  }
}

}  // namespace credence
