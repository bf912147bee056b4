// SPDX-License-Identifier: Apache-2.0
#include "model/renamed.hpp"

#include <algorithm>

#include "families/statistics/domain.hpp"

namespace credence {
namespace {

// The place that the class had which now is the i-th.
std::vector<std::size_t> old_places(const std::vector<std::string>& names,
                                    const std::vector<std::string>& sorted) {
  const Domain places(names);
  std::vector<std::size_t> result;
  for (const auto& name : sorted) result.push_back(places.find(name));
  return result;
}

template <class T>
std::vector<T> reordered(const std::vector<T>& values, const std::vector<std::size_t>& from) {
  std::vector<T> result;
  for (const auto place : from) result.push_back(values[place]);
  return result;
}

// From one of two classes to the other: their log-odds have opposite signs.
Calibration::Curve mirrored(const Calibration::Curve& curve) {
  Calibration::Curve result;
  for (std::size_t i = curve.score.size(); i-- > 0;) {
    result.score.push_back(-curve.score[i]);
    result.probability.push_back(1 - curve.probability[i]);
  }
  return result;
}

}  // namespace

Calibration renamed(const Calibration& calibration, const std::vector<std::string>& names,
                    const std::vector<std::string>& sorted) {
  const auto from = old_places(names, sorted);
  Calibration result = calibration;
  result.classes = sorted;
  result.log_prior = reordered(calibration.log_prior, from);
  if (!result.bias.empty()) {
    result.bias = reordered(calibration.bias, from);
    // What all classes share does not matter; the first has 0.
    const double first = result.bias[0];
    for (auto& bias : result.bias) bias -= first;
  }
  if (result.curves.size() == sorted.size()) {
    result.curves = reordered(calibration.curves, from);
  } else if (!result.curves.empty() && from[0] != 0) {
    result.curves[0] = mirrored(calibration.curves[0]);
  }
  return result;
}

Novelty renamed(const Novelty& novelty, const std::vector<std::string>& names,
                const std::vector<std::string>& sorted) {
  Novelty result = novelty;
  result.classes = sorted;
  result.log_prior = reordered(novelty.log_prior, old_places(names, sorted));
  return result;
}

}  // namespace credence
