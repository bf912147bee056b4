// SPDX-License-Identifier: Apache-2.0
#include "measure/ranking.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "core/log_math.hpp"

namespace credence {

void RankStep::add(bool is_positive, double weight) {
  (is_positive ? positive : negative) += weight;
  (is_positive ? positive_squares : negative_squares) += weight * weight;
}

Ranking::Ranking(std::vector<RankStep> all) : steps(std::move(all)) {
  for (const auto& step : steps) {
    positive += step.positive;
    negative += step.negative;
    positive_squares += step.positive_squares;
    negative_squares += step.negative_squares;
  }
}

double Ranking::roc_auc() const {
  if (!(positive > 0 && negative > 0)) return not_a_number;
  double area = 0, above = 0;  // above: positives of higher scores
  for (const auto& step : steps) {
    area += step.negative * (above + step.positive / 2);
    above += step.positive;
  }
  return area / positive / negative;
}

double Ranking::roc_auc_error() const {
  if (!(positive > 0 && negative > 0)) return not_a_number;
  double tied = 0;
  for (const auto& step : steps) tied += step.positive * step.negative;
  return tied / 2 / positive / negative;
}

double Ranking::roc_auc_deviation(double auc) const {
  const double rows = positive * positive / positive_squares;
  const double others = negative * negative / negative_squares;
  if (!(rows > 1 && others > 1)) return not_a_number;
  double among_positive = 0, among_negative = 0, above = 0, below = negative;
  for (const auto& step : steps) {
    below -= step.negative;
    const double beaten = (below + step.negative / 2) / negative - auc;
    const double beating = (above + step.positive / 2) / positive - auc;
    among_positive += step.positive_squares * beaten * beaten;
    among_negative += step.negative_squares * beating * beating;
    above += step.positive;
  }
  return std::sqrt(among_positive / positive / positive * rows / (rows - 1) +
                   among_negative / negative / negative * others / (others - 1));
}

double Ranking::average_precision() const {
  if (!(positive > 0)) return not_a_number;
  double area = 0, found = 0, taken = 0;
  for (const auto& step : steps) {
    found += step.positive;
    taken += step.positive + step.negative;
    if (step.positive > 0) area += step.positive * found / taken;
  }
  return area / positive;
}

double Ranking::reject_area() const {
  double area = 0, wrong = 0, taken = 0;
  for (const auto& step : steps) {
    const double rows = step.positive + step.negative;
    wrong += step.negative;
    taken += rows;
    if (rows > 0) area += rows * wrong / taken;
  }
  return taken > 0 ? area / taken : not_a_number;
}

namespace {

// Sign, exponent and 8 bits of the fraction, in the order of the numbers.
std::int32_t bin_of(double score) {
  const auto bits = std::bit_cast<std::uint64_t>(score == 0 ? 0.0 : score);
  const auto magnitude = static_cast<std::int32_t>((bits & ~(std::uint64_t{1} << 63)) >> 44);
  return bits >> 63 ? -1 - magnitude : magnitude;
}

}  // namespace

void Scores::put_in_bins(std::span<const double> scores, std::size_t truth, double weight) {
  for (std::size_t c = 0; c < classes_; ++c) {
    auto& step = bins_[c][bin_of(scores[c])];
    step.score = scores[c];
    step.add(truth == c, weight);
  }
}

void Scores::add(std::span<const double> scores, std::size_t truth, double weight) {
  if (exact() && scores_.size() + classes_ > limit_) {
    bins_.resize(classes_);
    for (std::size_t r = 0; r < truths_.size(); ++r) {
      put_in_bins(std::span(scores_).subspan(r * classes_, classes_), truths_[r], this->weight(r));
    }
    scores_ = weights_ = {};
    truths_ = {};
  }
  if (!exact()) return put_in_bins(scores, truth, weight);
  scores_.insert(scores_.end(), scores.begin(), scores.end());
  if (weight != 1 && weights_.empty()) weights_.assign(truths_.size(), 1.0);
  if (weight != 1 || !weights_.empty()) weights_.push_back(weight);
  truths_.push_back(static_cast<std::uint32_t>(truth));
}

Ranking Scores::ranking(std::size_t cls) const {
  std::vector<RankStep> steps;
  if (!exact()) {
    for (auto bin = bins_[cls].rbegin(); bin != bins_[cls].rend(); ++bin) {
      steps.push_back(bin->second);
    }
    return Ranking(std::move(steps));
  }
  std::vector<std::pair<double, std::size_t>> order;
  order.reserve(truths_.size());
  for (std::size_t r = 0; r < truths_.size(); ++r) {
    order.emplace_back(-scores_[r * classes_ + cls], r);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [negated, row] : order) {
    if (steps.empty() || steps.back().score != -negated) {
      steps.push_back({});
      steps.back().score = -negated;
    }
    steps.back().add(truths_[row] == cls, weight(row));
  }
  return Ranking(std::move(steps));
}

}  // namespace credence
