// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian/scatter.hpp"

#include <algorithm>
#include <cmath>

// The same bits with and without hardware multiply-add: std::fma is exact either way, only slower.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(CREDENCE_SANITIZED)
#define CREDENCE_FOR_SCATTERS __attribute__((target_clones("fma", "default")))
#else
#define CREDENCE_FOR_SCATTERS
#endif

namespace credence {

Scatter::Scatter(std::size_t size, bool with_fourth)
    : mean(size), m2(size * (size + 1) / 2), exponent(size) {
  if (!with_fourth) return;
  third.resize(size * size);
  fourth.resize(m2.size());
}

// With y' = y - d and the sums of y zero: sums of products of y' in terms of those of y.
void Scatter::recentre(const std::vector<DoubleDouble>& d) {
  const std::size_t n = size();
  const auto s = [&](std::size_t i, std::size_t j) { return m2[packed(i, j)]; };
  const DoubleDouble two(2), four(4);
  if (!third.empty()) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        auto& q = fourth[packed(i, j)];
        q = q - two * d[j] * third[i * n + j] - two * d[i] * third[j * n + i] +
            d[j] * d[j] * s(i, i) + d[i] * d[i] * s(j, j) + four * d[i] * d[j] * s(i, j) +
            weight * d[i] * d[i] * d[j] * d[j];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        auto& t = third[i * n + j];
        t = t - d[j] * s(i, i) - two * d[i] * s(i, j) - weight * d[i] * d[i] * d[j];
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      m2[packed(i, j)] = m2[packed(i, j)] + weight * d[i] * d[j];
    }
    mean[i] = mean[i] + d[i];
  }
}

void Scatter::scale(double factor) {
  weight = weight * factor;
  for (auto* sums : {&m2, &third, &fourth}) {
    for (auto& sum : *sums) sum = sum * factor;
  }
}

void Scatter::tell_in(const std::vector<int>& units) {
  if (units == exponent) return;
  const std::size_t n = size();
  std::vector<int> by(n);
  for (std::size_t i = 0; i < n; ++i) by[i] = exponent[i] - units[i];
  for (std::size_t i = 0; i < n; ++i) {
    mean[i] = times_power(mean[i], by[i]);
    for (std::size_t j = 0; j <= i; ++j) {
      auto& product = m2[packed(i, j)];
      product = times_power(product, by[i] + by[j]);
      if (third.empty()) continue;
      auto& squares = fourth[packed(i, j)];
      squares = times_power(squares, 2 * (by[i] + by[j]));
    }
    for (std::size_t j = 0; j < n && !third.empty(); ++j) {
      third[i * n + j] = times_power(third[i * n + j], 2 * by[i] + by[j]);
    }
  }
  exponent = units;
}

void Scatter::choose_units() {
  std::vector<int> units;
  for (std::size_t i = 0; i < size(); ++i) {
    Moments own = column(i);
    own.choose_unit();
    units.push_back(own.exponent);
  }
  tell_in(units);
}

CREDENCE_FOR_SCATTERS void Scatter::merge_squares(const Scatter& other, DoubleDouble added,
                                                  DoubleDouble total) {
  const std::size_t n = size();
  const bool forgets = added.hi < 0;
  const DoubleDouble share = added / total, common = weight * share;
  std::vector<DoubleDouble> shift(n);
  for (std::size_t i = 0; i < n; ++i) {
    shift[i] = weight.hi == 0 ? DoubleDouble() : other.mean[i] - mean[i];
    mean[i] = weight.hi == 0 ? other.mean[i] : mean[i] + shift[i] * share;
  }
  for (std::size_t i = 0, k = 0; i < n; ++i) {
    const DoubleDouble own = shift[i] * common;
    for (std::size_t j = 0; j <= i; ++j, ++k) {
      m2[k] = m2[k] + (forgets ? -other.m2[k] : other.m2[k]) + own * shift[j];
    }
  }
}

void Scatter::merge_all(const Scatter& other, DoubleDouble added, DoubleDouble total) {
  const bool forgets = added.hi < 0, first = weight.hi == 0;
  Scatter moved = other;
  std::vector<DoubleDouble> to_ours(size()), to_theirs(size());
  for (std::size_t i = 0; i < size(); ++i) {
    const DoubleDouble shift = first ? DoubleDouble() : other.mean[i] - mean[i];
    to_ours[i] = shift * (added / total);
    to_theirs[i] = -(shift * (weight / total));
    if (first) mean[i] = other.mean[i];
  }
  recentre(to_ours);
  moved.recentre(to_theirs);
  const auto add = [&](std::vector<DoubleDouble>& to, const std::vector<DoubleDouble>& from) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] = to[k] + (forgets ? -from[k] : from[k]);
  };
  add(m2, moved.m2);
  add(third, moved.third);
  add(fourth, moved.fourth);
}

void Scatter::merge(const Scatter& other, int sign) {
  if (other.weight.hi == 0) return;
  if (weight.hi == 0) exponent = other.exponent;
  if (exponent != other.exponent) {
    std::vector<int> units;
    for (std::size_t i = 0; i < size(); ++i)
      units.push_back(column(i).common_unit(other.column(i)));
    Scatter same = other;
    same.tell_in(units);
    tell_in(units);
    return merge(same, sign);
  }
  const DoubleDouble added = sign < 0 ? -other.weight : other.weight;
  const DoubleDouble total = weight + added;
  if (total.hi == 0) {
    *this = Scatter(size(), !third.empty());
    return;
  }
  const auto m2_before = m2, mean_before = mean;
  if (third.empty()) {
    merge_squares(other, added, total);
  } else {
    merge_all(other, added, total);
  }
  weight = total;
  if (sign > 0) return;
  // As for one number: what rounding leaves of a spread that is gone is no spread, and the mean is
  // one of the values.
  for (std::size_t i = 0; i < size(); ++i) {
    mean[i] = Moments::mean_left(mean[i], std::abs(mean_before[i].hi) + std::abs(other.mean[i].hi));
    const auto& spread = m2[packed(i, i)];
    const double rounding = 0x1p-50 * mean[i].hi;
    const double noise = rounding * rounding * weight.hi + 0x1p-96 * m2_before[packed(i, i)].hi;
    if (spread.hi <= noise && spread.hi >= -noise) flatten(i);
  }
  for (auto& sum : fourth) {
    if (sum.hi < 0) sum = {};
  }
}

void Scatter::flatten(std::size_t i) {
  mean[i] = mean[i].value();
  for (std::size_t j = 0; j < size(); ++j) {
    m2[packed(i, j)] = {};
    if (third.empty()) continue;
    third[i * size() + j] = third[j * size() + i] = {};
    fourth[packed(i, j)] = {};
  }
}

Eigen::VectorXd Scatter::mean_from(const Eigen::VectorXd& origin) const {
  Eigen::VectorXd result(static_cast<Eigen::Index>(size()));
  for (std::size_t i = 0; i < size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    result[k] = (mean[i] - DoubleDouble(origin[k])).value();
  }
  return result;
}

namespace {

Eigen::MatrixXd unpack(const std::vector<DoubleDouble>& triangle, std::size_t size) {
  const auto n = static_cast<Eigen::Index>(size);
  Eigen::MatrixXd result(n, n);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double value = triangle[Scatter::packed(i, j)].value();
      result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = value;
      result(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) = value;
    }
  }
  return result;
}

}  // namespace

Eigen::MatrixXd Scatter::matrix() const { return unpack(m2, size()); }
Eigen::MatrixXd Scatter::fourth_matrix() const { return unpack(fourth, size()); }

}  // namespace credence
