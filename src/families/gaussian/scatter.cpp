// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian/scatter.hpp"

#include <algorithm>
#include <cmath>

#include "families/gaussian/factor.hpp"

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
  const double weight_before = weight.hi;
  const auto m2_before = m2, mean_before = mean;
  Scatter moved = other;
  std::vector<DoubleDouble> to_ours(size()), to_theirs(size());
  for (std::size_t i = 0; i < size(); ++i) {
    const DoubleDouble shift = weight_before == 0 ? DoubleDouble() : other.mean[i] - mean[i];
    to_ours[i] = shift * (added / total);
    to_theirs[i] = -(shift * (weight / total));
    if (weight_before == 0) mean[i] = other.mean[i];
  }
  recentre(to_ours);
  moved.recentre(to_theirs);
  const auto add = [&](std::vector<DoubleDouble>& to, const std::vector<DoubleDouble>& from) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] = to[k] + (sign < 0 ? -from[k] : from[k]);
  };
  add(m2, moved.m2);
  add(third, moved.third);
  add(fourth, moved.fourth);
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

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// By the sums: where squares are beyond a double, their sum is no number, or 0 though values
// differ.
bool all_ordinary(const Rows& y, const Eigen::RowVectorXd& anchor, const Eigen::MatrixXd& square,
                  double weight) {
  for (Eigen::Index i = 0; i < anchor.size(); ++i) {
    const double deviation = std::sqrt(square(i, i) / weight);
    if (!is_ordinary(std::fmax(std::abs(anchor[i]), deviation)) || std::isnan(deviation)) {
      return false;
    }
    if (deviation == 0 && (y.col(i).array() != 0).any()) return false;
  }
  return true;
}

// The rows in units of their own, where columns are extreme.
std::vector<double> rows_in_units(std::span<const double> values, std::span<const double> weights,
                                  std::vector<int>& exponent) {
  const std::size_t size = exponent.size();
  std::vector<double> result(values.begin(), values.end());
  for (std::size_t i = 0; i < size; ++i) {
    double largest = 0;
    for (std::size_t k = i; k < result.size(); k += size) {
      if (weights.empty() || weights[k / size] != 0)
        largest = std::max(largest, std::abs(result[k]));
    }
    exponent[i] = unit_exponent(largest);
    for (std::size_t k = i; k < result.size(); k += size) {
      result[k] = std::ldexp(result[k], -exponent[i]);
    }
  }
  return result;
}

// The sums are about an anchor, from which the rows sum to weight * shift: moves them to the mean.
void move_to_mean(Scatter& scatter, const std::vector<DoubleDouble>& shift) {
  const std::size_t size = shift.size();
  if (!scatter.third.empty()) {
    const auto about = [&](std::size_t i, std::size_t j) {
      return scatter.m2[Scatter::packed(i, j)];
    };
    const DoubleDouble two(2), three(3), four(4);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const DoubleDouble di = shift[i], dj = shift[j];
        auto& q = scatter.fourth[Scatter::packed(i, j)];
        q = q - two * dj * scatter.third[i * size + j] - two * di * scatter.third[j * size + i] +
            dj * dj * about(i, i) + di * di * about(j, j) + four * di * dj * about(i, j) -
            three * scatter.weight * di * di * dj * dj;
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        auto& t = scatter.third[i * size + j];
        t = t - shift[j] * about(i, i) - two * shift[i] * about(i, j) +
            two * scatter.weight * shift[i] * shift[i] * shift[j];
      }
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      auto& m = scatter.m2[Scatter::packed(i, j)];
      m = m - scatter.weight * shift[i] * shift[j];
    }
    scatter.mean[i] = scatter.mean[i] + shift[i];
  }
}

}  // namespace

Scatter Scatter::of_rows(std::span<const double> values, std::span<const double> weights,
                         std::size_t size, bool with_fourth) {
  Scatter result(size, with_fourth);
  const auto count = static_cast<Eigen::Index>(values.size() / size);
  const auto columns = static_cast<Eigen::Index>(size);
  if (count == 0) return result;
  Rows y = Eigen::Map<const Rows>(values.data(), count, columns);
  Eigen::VectorXd w = Eigen::VectorXd::Ones(count);
  for (Eigen::Index r = 0; r < count; ++r) {
    if (!weights.empty()) w[r] = weights[static_cast<std::size_t>(r)];
    result.weight = result.weight + DoubleDouble(w[r]);
  }
  if (result.weight.hi == 0) return Scatter(size, with_fourth);
  // Two passes about the rounded mean, as for one number.
  const Eigen::RowVectorXd first = y.row(0);
  y.rowwise() -= first;
  const Eigen::RowVectorXd anchor = first + (w.transpose() * y) / result.weight.hi;
  y = Eigen::Map<const Rows>(values.data(), count, columns).rowwise() - anchor;
  const Eigen::RowVectorXd rest = w.transpose() * y;
  const Rows weighted = w.asDiagonal() * y;
  Eigen::MatrixXd square;
  if (Factor::worthwhile(columns)) {  // half of it is enough
    square.setZero(columns, columns);
    square.triangularView<Eigen::Lower>() = y.transpose() * weighted;
  } else {
    square = y.transpose() * weighted;
  }
  if (!all_ordinary(y, anchor, square, result.weight.hi)) {
    std::vector<int> units(size);
    const auto told = rows_in_units(values, weights, units);
    if (units != result.exponent) {
      result = of_rows(told, weights, size, with_fourth);
      result.exponent = units;
      return result;
    }
  }
  Eigen::MatrixXd third, fourth;
  if (with_fourth) {
    const Rows y2 = y.cwiseProduct(y);
    third = y2.transpose() * weighted;
    fourth = y2.transpose() * (w.asDiagonal() * y2);
  }
  std::vector<DoubleDouble> shift(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto a = static_cast<Eigen::Index>(i);
    result.mean[i] = DoubleDouble(anchor[a]);
    shift[i] = DoubleDouble(rest[a]) / result.weight;
    for (std::size_t j = 0; j < size; ++j) {
      const auto b = static_cast<Eigen::Index>(j);
      if (j <= i) result.m2[packed(i, j)] = DoubleDouble(square(a, b));
      if (with_fourth) result.third[i * size + j] = DoubleDouble(third(a, b));
      if (with_fourth && j <= i) result.fourth[packed(i, j)] = DoubleDouble(fourth(a, b));
    }
  }
  move_to_mean(result, shift);
  return result;
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
