// SPDX-License-Identifier: Apache-2.0
#include "measure/intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>

#include "core/log_math.hpp"
#include "measure/measures.hpp"

namespace credence {

std::string to_text(const Interval& interval) {
  if (std::isnan(interval.low)) return "";
  return fmt::format("{:.4g} to {:.4g}", interval.low, interval.high);
}

double normal_quantile(double confidence) {
  return std::sqrt(2.0) * boost::math::erf_inv(confidence);
}

Interval wilson(double share, double rows, double z) {
  if (!(rows > 0)) return {};
  const double square = z * z / rows;
  const double center = (share + square / 2) / (1 + square);
  const double half = z / (1 + square) * std::sqrt((share * (1 - share) + square / 4) / rows);
  return {share == 0 ? 0.0 : std::max(0.0, center - half),
          share == 1 ? 1.0 : std::min(1.0, center + half)};
}

Interval normal(double value, double deviation, double z, double least, double most) {
  if (!std::isfinite(value) || !std::isfinite(deviation)) return {};
  return {std::max(least, value - z * deviation), std::min(most, value + z * deviation)};
}

Interval logit(double value, double positives, double z) {
  if (!(value > 0 && value < 1 && positives > 0)) return {};
  const double middle = std::log(value / (1 - value));
  const double half = z / std::sqrt(positives * value * (1 - value));
  return {1 / (1 + std::exp(half - middle)), 1 / (1 + std::exp(-half - middle))};
}

Interval middle(std::vector<double> values, double confidence) {
  const std::size_t asked = values.size();
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty() || values.size() * 2 < asked) return {};
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - std::floor(place)) * (values[above] - values[below]);
  };
  const Interval result{quantile((1 - confidence) / 2), quantile((1 + confidence) / 2)};
  return result.low < result.high ? result : Interval{};
}

void WeightedMean::add(double value, double weight) {
  if (weight == 0) return;
  weight_ += weight;
  sum_ += weight * value;
  const double square = weight * weight;
  squares_ += square;
  const double step = value - mean_by_squares_;
  mean_by_squares_ += square / squares_ * step;
  spread_ += square * step * (value - mean_by_squares_);
}

double WeightedMean::deviation() const {
  if (!(rows() > 1)) return not_a_number;
  const double apart = mean_by_squares_ - mean();
  const double sum = spread_ + squares_ * apart * apart;
  return std::sqrt(sum * rows() / (rows() - 1)) / weight_;
}

}  // namespace credence
