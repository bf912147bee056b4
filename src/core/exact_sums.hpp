// SPDX-License-Identifier: Apache-2.0
// An array of sums of weights. Whole numbers need one double each; the low halves appear with the
// first weight that a double cannot add exactly.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "core/double_double.hpp"

namespace credence {

class ExactSums {
 public:
  ExactSums() = default;
  explicit ExactSums(std::size_t size) : high_(size, 0.0) {}
  ExactSums(std::vector<double> high, std::vector<double> low)
      : high_(std::move(high)), low_(std::move(low)) {}

  std::size_t size() const { return high_.size(); }
  double operator[](std::size_t i) const { return high_[i]; }
  DoubleDouble exact(std::size_t i) const { return {high_[i], low_.empty() ? 0.0 : low_[i]}; }

  // Exact up to 2^53: the fast path of unweighted rows.
  void add_one(std::size_t i) { high_[i] += 1.0; }
  void add(std::size_t i, double weight) { add(i, DoubleDouble(weight)); }
  void add(std::size_t i, DoubleDouble weight) { set(i, exact(i) + weight); }
  void set(std::size_t i, DoubleDouble sum) {
    high_[i] = sum.hi;
    if (sum.lo != 0 && low_.empty()) low_.resize(high_.size(), 0.0);
    if (!low_.empty()) low_[i] = sum.lo;
  }

  // Adds (or takes away) sums of the same size where all are whole, and says whether they are: else
  // nothing was changed.
  bool add_whole(const ExactSums& other, int sign) {
    constexpr double most = 4503599627370496;  // 2^52: two such make a whole number
    if (other.size() != size() || !low_.empty() || !other.low_.empty()) return false;
    bool whole = true;
    for (std::size_t i = 0; i < high_.size(); ++i) {
      const double a = high_[i], b = other.high_[i];
      whole &=
          std::abs(a) <= most && std::abs(b) <= most && std::trunc(a) == a && std::trunc(b) == b;
    }
    if (!whole) return false;
    for (std::size_t i = 0; i < high_.size(); ++i) {
      high_[i] += sign < 0 ? -other.high_[i] : other.high_[i];
    }
    return true;
  }

  void scale(double factor) {
    for (std::size_t i = 0; i < high_.size(); ++i) set(i, exact(i) * DoubleDouble(factor));
  }

  void resize(std::size_t size) {
    high_.resize(size, 0.0);
    if (!low_.empty()) low_.resize(size, 0.0);
  }

  // new[i] = old[from[i]], or 0 where from[i] is npos.
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  void rearrange(std::span<const std::size_t> from) {
    ExactSums result(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i] != npos) result.set(i, exact(from[i]));
    }
    *this = std::move(result);
  }

  const std::vector<double>& high() const { return high_; }
  const std::vector<double>& low() const { return low_; }  // empty: all zero

 private:
  std::vector<double> high_;
  std::vector<double> low_;
};

}  // namespace credence
