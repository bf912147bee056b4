// SPDX-License-Identifier: Apache-2.0
#include "measure/ranking.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "core/log_math.hpp"
#include "parallel/parallel.hpp"

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

// All bins of all classes together are so many at most, 128 MB.
constexpr std::size_t most_bins_in_all = std::size_t{1} << 23;
constexpr std::size_t least_bins = 64;
// Of finite log-odds, in bins: beyond a million there is nothing to tell apart.
constexpr double largest_score = 1 << 20;

// Exponent and 8 bits of the fraction of 1 + |score|, with its sign, in the order of the numbers.
// One is added because scores near 0 are near one another.
std::int32_t narrow_bin(double score) {
  const double size = 1 + std::min(std::abs(score), largest_score);
  const auto magnitude =
      static_cast<std::int32_t>((std::bit_cast<std::uint64_t>(size) >> 44) - (1023U << 8));
  return score < 0 ? -1 - magnitude : magnitude;
}

}  // namespace

// Pairs of bins become one: rounded down, so that those below 0 stay there.
std::int32_t ScoreBins::bin_of(double score) const {
  constexpr auto beyond = std::numeric_limits<std::int32_t>::max();
  if (std::isinf(score)) return score < 0 ? -beyond : beyond;
  return narrow_bin(score) >> shift_;
}

void ScoreBins::widen() {
  const std::int32_t first = first_ >> 1;
  std::vector<Sum> wider;
  for (std::size_t i = 0; i < others_.size(); ++i) {
    const auto to =
        static_cast<std::size_t>(((first_ + static_cast<std::int32_t>(i)) >> 1) - first);
    wider.resize(to + 1);
    wider[to].weight += others_[i].weight;
    wider[to].squares += others_[i].squares;
  }
  others_ = std::move(wider);
  first_ = first;
  ++shift_;
}

void ScoreBins::add(bool is_positive, double score, double weight, std::size_t most_bins) {
  if (is_positive) {
    positives_.push_back({score, weight});
    return;
  }
  const auto count = [](Sum& sum, double w) {
    sum.weight += w;
    sum.squares += w * w;
  };
  if (std::isinf(score)) return count(score < 0 ? impossible_ : certain_, weight);
  for (;; widen()) {
    const std::int32_t bin = bin_of(score);
    if (others_.empty()) first_ = bin;
    const auto last = std::max(bin, first_ + static_cast<std::int32_t>(others_.size()) - 1);
    const auto first = std::min(bin, first_);
    const auto wanted = static_cast<std::size_t>(last - first) + 1;
    if (wanted > most_bins) continue;
    if (first < first_)
      others_.insert(others_.begin(), static_cast<std::size_t>(first_ - first), {});
    if (wanted > others_.size()) others_.resize(wanted);
    first_ = first;
    return count(others_[static_cast<std::size_t>(bin - first)], weight);
  }
}

Ranking ScoreBins::ranking() const {
  std::map<std::int32_t, RankStep> steps;
  const auto put = [&](std::int32_t bin, const Sum& sum) {
    if (sum.weight == 0) return;
    steps[bin].negative = sum.weight;
    steps[bin].negative_squares = sum.squares;
  };
  put(bin_of(-infinity), impossible_);
  put(bin_of(infinity), certain_);
  for (std::size_t i = 0; i < others_.size(); ++i) {
    put(first_ + static_cast<std::int32_t>(i), others_[i]);
  }
  for (const auto& row : positives_) steps[bin_of(row.score)].add(true, row.weight);
  std::vector<RankStep> falling;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    falling.push_back(step->second);
    falling.back().score = static_cast<double>(step->first);
  }
  return Ranking(std::move(falling));
}

// Each class by itself, some at a time: they have nothing in common but the rows.
void Scores::put_in_bins(std::span<const Row> rows, std::span<const double> scores) {
  const std::size_t most = std::max(least_bins, most_bins_in_all / classes_);
  constexpr std::size_t at_once = 64;
  parallel_for(0, (classes_ + at_once - 1) / at_once, [&](std::size_t tile) {
    const std::size_t first = tile * at_once, last = std::min(classes_, first + at_once);
    for (std::size_t c = first; c < last; ++c) {
      for (std::size_t r = 0; r < rows.size(); ++r) {
        bins_[c].add(rows[r].truth == c, scores[r * classes_ + c], rows[r].weight, most);
      }
    }
  });
}

void Scores::keep(const Row& row) {
  const std::size_t place = truths_.size();
  if (row.weight != 1 && weights_.empty()) weights_.assign(place, 1.0);
  if (row.weight != 1 || !weights_.empty()) weights_.push_back(row.weight);
  if (row.number != place && numbers_.empty()) {
    numbers_.resize(place);
    std::iota(numbers_.begin(), numbers_.end(), std::size_t{0});
  }
  if (row.number != place || !numbers_.empty()) numbers_.push_back(row.number);
  truths_.push_back(static_cast<std::uint32_t>(row.truth));
}

void Scores::add(std::span<const Row> rows, std::span<const double> scores) {
  if (exact() && scores_.size() + scores.size() > limit_) {
    bins_.resize(classes_);
    std::vector<Row> before;
    for (std::size_t i = 0; i < truths_.size(); ++i) before.push_back({i, truths_[i], weight(i)});
    put_in_bins(before, scores_);
    scores_ = weights_ = {};
    truths_ = {};
    numbers_ = {};
  }
  if (!exact()) return put_in_bins(rows, scores);
  scores_.insert(scores_.end(), scores.begin(), scores.end());
  for (const auto& row : rows) keep(row);
}

Ranking Scores::ranking(std::size_t cls) const {
  if (!exact()) return bins_[cls].ranking();
  std::vector<RankStep> steps;
  std::vector<std::pair<double, std::size_t>> order;
  order.reserve(truths_.size());
  for (std::size_t r = 0; r < truths_.size(); ++r) {
    order.emplace_back(-scores_[r * classes_ + cls], r);
  }
  std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : number(a.second) < number(b.second);
  });
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
