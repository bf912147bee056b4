// SPDX-License-Identifier: Apache-2.0
#include "families/free_form/kernel_bandwidth.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

namespace credence {
namespace {

constexpr std::size_t grid_size = 1024;
const double root_two_pi = std::sqrt(2 * std::numbers::pi);

using Equation = std::function<double(double)>;

// A zero of f between low and high by bisection, in as many steps as a double has digits; none if
// the signs at both ends agree.
std::optional<double> zero_between(const Equation& f, double low, double high) {
  const double at_low = f(low), at_high = f(high);
  if (!(at_low * at_high <= 0)) return {};
  for (int step = 0; step < 60; ++step) {
    const double middle = low + (high - low) / 2;
    const double value = f(middle);
    if (!std::isfinite(value)) return {};
    (value > 0) == (at_low > 0) ? low = middle : high = middle;
  }
  return low + (high - low) / 2;
}

// The sample's weights at the middles of equal bins, where it has more values than that.
WeightedSample thinned(const WeightedSample& sample) {
  if (sample.values.size() <= grid_size) return sample;
  const double low = sample.values.front(), range = sample.values.back() - low;
  const double bins = static_cast<double>(grid_size);
  std::vector<double> weights(grid_size, 0.0);
  for (std::size_t i = 0; i < sample.values.size(); ++i) {
    const double place = (sample.values[i] - low) / range * bins;
    weights[std::min(grid_size - 1, static_cast<std::size_t>(place))] += sample.weights[i];
  }
  WeightedSample result;
  for (std::size_t b = 0; b < grid_size; ++b) {
    result.add(low + range * (static_cast<double>(b) + 0.5) / bins, weights[b]);
  }
  return result;
}

// The estimates of Sheather & Jones (1991): integrals of squared derivatives of the density.
class Functionals {
 public:
  explicit Functionals(const WeightedSample& sample) : sample_(thinned(sample)) {}

  // Of the second derivative: mean over all pairs of the normal's fourth one.
  double second(double h) const {
    return mean(h, 5, [](double d) { return d * d - 6 * d + 3; });
  }
  // Of the third derivative, by the sixth.
  double third(double h) const {
    return -mean(h, 7, [](double d) { return ((d - 15) * d + 45) * d - 15; });
  }

 private:
  // polynomial(z^2) times the normal density, over all pairs of rows, a row with itself included.
  template <typename Polynomial>
  double mean(double h, int power, const Polynomial& polynomial) const {
    const auto& x = sample_.values;
    const auto& w = sample_.weights;
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      double row = 0.5 * w[i] * polynomial(0);
      for (std::size_t j = i; j-- > 0;) {
        const double z = (x[i] - x[j]) / h;
        const double square = z * z;
        if (square > 1000) break;  // and all others lie further off
        row += w[j] * std::exp(-square / 2) * polynomial(square);
      }
      sum += w[i] * row;
    }
    const double n = sample_.total;
    return 2 * sum / (n * (n - 1) * std::pow(h, power) * root_two_pi);
  }

  WeightedSample sample_;
};

// Sheather & Jones (1991), equation (12): the width that is best for the roughness found with a
// pilot width that depends on it. All lengths are in units of `scale`.
std::optional<double> sheather_jones(const WeightedSample& sample, double scale) {
  const double n = sample.total;
  if (n <= 1) return {};
  WeightedSample unit = sample;
  for (double& x : unit.values) x = (x - sample.values.front()) / scale;
  const Functionals roughness(unit);
  const double second = roughness.second(1.24 * std::pow(n, -1.0 / 7));
  const double third = roughness.third(1.23 * std::pow(n, -1.0 / 9));
  if (!(second > 0) || !(third > 0)) return {};
  const double pilot = 1.357 * std::pow(second / third, 1.0 / 7);
  const Equation equation = [&](double h) {
    const double found = roughness.second(pilot * std::pow(h, 5.0 / 7));
    return std::pow(1 / (2 * std::sqrt(std::numbers::pi) * n * found), 0.2) - h;
  };
  const double widest = 1.144 * std::pow(n, -0.2);
  const auto h = zero_between(equation, 0.02 * widest, 2 * widest);
  if (!h) return {};
  return *h * scale;
}

// The discrete cosine transform, type 2, of the shares of a grid.
std::vector<double> cosine_transform(const std::vector<double>& shares) {
  const std::size_t n = shares.size();
  std::vector<double> cosine(4 * n);
  for (std::size_t i = 0; i < cosine.size(); ++i) {
    cosine[i] = std::cos(std::numbers::pi * static_cast<double>(i) / static_cast<double>(2 * n));
  }
  std::vector<double> result(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    if (shares[i] == 0) continue;
    for (std::size_t k = 0; k < n; ++k) {
      result[k] += 2 * shares[i] * cosine[(2 * i + 1) * k % cosine.size()];
    }
  }
  return result;
}

// Botev, Grotowski & Kroese (2010), section 5: t = ξγ^[5](t) for the squared width t on a grid of
// length 1. `squares` are the squared, halved cosine coefficients from the first on.
class Diffusion {
 public:
  Diffusion(std::vector<double> squares, double n) : squares_(std::move(squares)), n_(n) {}

  double excess(double t) const {
    double f = roughness(7, t);
    for (int s = 6; s >= 2; --s) {
      double odd = 1;
      for (int i = 3; i < 2 * s; i += 2) odd *= i;
      const double factor = (1 + std::pow(0.5, s + 0.5)) / 3;
      const double time = std::pow(2 * factor * odd / root_two_pi / (n_ * f), 2.0 / (3 + 2 * s));
      f = roughness(s, time);
    }
    return t - std::pow(2 * n_ * std::sqrt(std::numbers::pi) * f, -0.4);
  }

 private:
  double roughness(int s, double t) const {
    const double pi_square = std::numbers::pi * std::numbers::pi;
    double sum = 0;
    for (std::size_t i = 0; i < squares_.size(); ++i) {
      const double k = static_cast<double>((i + 1) * (i + 1));
      if (k * pi_square * t > 740) break;
      sum += std::pow(k * pi_square, s) * squares_[i] * std::exp(-k * pi_square * t);
    }
    return 2 * sum;
  }

  std::vector<double> squares_;
  double n_;
};

std::optional<double> improved(const WeightedSample& sample) {
  const double low = sample.values.front(), range = sample.values.back() - low;
  // The grid reaches half the range beyond the values on either side.
  const double cells = static_cast<double>(grid_size);
  std::vector<double> shares(grid_size, 0.0);
  for (std::size_t i = 0; i < sample.values.size(); ++i) {
    const double place = ((sample.values[i] - low) / range + 0.5) / 2 * cells;
    shares[static_cast<std::size_t>(place)] += sample.weights[i] / sample.total;
  }
  const auto transform = cosine_transform(shares);
  std::vector<double> squares;
  for (std::size_t k = 1; k < transform.size(); ++k) {
    squares.push_back(transform[k] * transform[k] / 4);
  }
  // The authors count different values: repeated ones say nothing about the width. Of values that
  // were cut it is not known which were different.
  const double n =
      sample.cut ? sample.total : std::min(sample.total, static_cast<double>(sample.values.size()));
  const Diffusion diffusion(std::move(squares), n);
  for (double most = 1e-4; most <= 0.1; most *= 2) {
    const auto t = zero_between([&](double time) { return diffusion.excess(time); }, 1e-12, most);
    if (t) return std::sqrt(*t) * 2 * range;
  }
  return {};
}

}  // namespace

double robust_scale(const WeightedSample& sample) {
  if (sample.values.empty()) return 0;
  const Moments moments = sample.moments();
  const double sd = std::ldexp(std::sqrt(moments.m2.value() / sample.total), moments.exponent);
  const double quartiles = (sample.quantile(0.75) - sample.quantile(0.25)) / 1.34;
  return quartiles > 0 ? std::min(sd, quartiles) : sd;
}

double silverman(double scale, double n) { return 0.9 * scale * std::pow(n, -0.2); }

double choose_bandwidth(const WeightedSample& sample, const Bandwidth& rule) {
  if (rule.kind == Bandwidth::Kind::given) return rule.number;
  // The equations have high powers of a bandwidth: extreme values are told in another unit.
  if (const int unit = unit_exponent(largest_size(sample.values)); unit != 0) {
    WeightedSample told = sample;
    for (double& x : told.values) x = std::ldexp(x, -unit);
    return std::ldexp(choose_bandwidth(told, rule), unit);
  }
  const double scale = robust_scale(sample);
  if (scale == 0) return 0;
  std::optional<double> h;
  if (rule.kind == Bandwidth::Kind::sheather_jones) h = sheather_jones(sample, scale);
  if (rule.kind == Bandwidth::Kind::improved) h = improved(sample);
  return h.value_or(silverman(scale, sample.total));
}

}  // namespace credence
