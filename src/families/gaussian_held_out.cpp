// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian_held_out.hpp"

#include <cmath>
#include <numbers>

#include "core/log_math.hpp"
#include "core/special.hpp"

namespace credence {

GaussianHeldOut::GaussianHeldOut(const std::vector<Moments>& moments, const Estimation& estimation)
    : moments_(moments),
      estimation_(estimation),
      imaginary_(imaginary_rows(estimation.rule)),
      norms_(2 * moments.size()),
      densities_(moments.size()) {
  for (const auto& m : moments_) column_.merge(m);
  const bool left_out = column_.weight.hi == 0 || (imaginary_ > 0 && column_.m2.hi == 0);
  for (std::size_t c = 0; c < moments_.size() && !left_out; ++c) {
    if (estimation_.class_weights[c] == 0) continue;
    whole_works_ = whole_works_ && estimate(moments_[c], column_, c, false, densities_[c]);
  }
}

double GaussianHeldOut::student_norm(std::size_t cls, bool own, double freedom) {
  auto& norm = norms_[2 * cls + own];
  if (norm.freedom != freedom) norm = {freedom, log_student_norm(freedom)};
  return norm.log;
}

// estimate_number() in doubles: what needs more digits, differences of means, still has them, and
// all else is a sum of what is not negative.
bool GaussianHeldOut::estimate(const Moments& observed, const Moments& column, std::size_t cls,
                               bool own, NumberDensity& density) {
  const double weight = observed.weight.value();
  const double n = weight + imaginary_;
  double mean = observed.mean.value();
  double m2 = observed.m2.value();
  if (imaginary_ > 0) {
    const double shift = (column.mean - observed.mean).value();
    const double step = shift * (imaginary_ / n);
    mean = (DoubleDouble(observed.mean) + DoubleDouble(step)).value();
    m2 += imaginary_ * (column.m2.hi / column.weight.hi) + shift * step * weight;
  }
  const auto kind = estimation_.rule.kind;
  const double divisor = kind == Rule::Kind::unbiased ? n - 1 : kind == Rule::Kind::map ? n + 3 : n;
  if (!(n > 0 && divisor > 0 && m2 > 0)) return false;
  if (kind == Rule::Kind::bayes) {
    const double scale = std::sqrt(m2 / n * (n + 1) / n);
    density = {mean, scale, n, student_norm(cls, own, n) - std::log(scale)};
  } else {
    const double scale = std::sqrt(m2 / divisor);
    density = {mean, scale, infinity, -0.5 * std::log(2 * std::numbers::pi) - std::log(scale)};
  }
  return density.scale > 0 && std::isfinite(density.log_norm);
}

bool GaussianHeldOut::add(double x, std::size_t cls, double own_weight, double weight,
                          std::span<double> out) {
  if (!whole_works_) return false;
  if (std::isnan(x)) return true;
  const double class_weight = estimation_.class_weights[cls] - own_weight;
  Moments own = moments_[cls], column = column_;
  if (own_weight != 0) {
    const Moments row{own_weight, x, 0.0};
    own.forget(row);
    if (own.m2.hi < 0) own.m2 = {};
    column.forget(row);
  }
  // Where nearly all of the spread was this row's, the rest is added up from the classes.
  if (!(column.m2.hi > 1e-6 * column_.m2.hi) || !(column.weight.hi > 1e-6 * column_.weight.hi)) {
    column = {};
    for (std::size_t c = 0; c < moments_.size(); ++c) column.merge(c == cls ? own : moments_[c]);
  }
  if (column.weight.hi == 0 || (imaginary_ > 0 && column.m2.hi == 0)) return true;
  for (std::size_t c = 0; c < moments_.size(); ++c) {
    const bool none = c == cls ? class_weight == 0 : estimation_.class_weights[c] == 0;
    if (none) {
      densities_[c] = {};
    } else if (c == cls) {
      if (!estimate(own, column, c, true, densities_[c])) return false;
    } else if (!estimate(moments_[c], column, c, false, densities_[c])) {
      return false;
    }
  }
  for (std::size_t c = 0; c < out.size(); ++c) out[c] += weight * densities_[c].log_density(x);
  return true;
}

}  // namespace credence
