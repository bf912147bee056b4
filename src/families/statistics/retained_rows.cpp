// SPDX-License-Identifier: Apache-2.0
#include "families/statistics/retained_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/exact_sums.hpp"
#include "core/log_math.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

// Numbers ascending, missing values last.
int compare(std::span<const double> a, std::span<const double> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) || std::isnan(b[i])) {
      if (std::isnan(a[i]) && std::isnan(b[i])) continue;
      return std::isnan(a[i]) ? 1 : -1;
    }
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

}  // namespace

double RetainedRows::total() const {
  DoubleDouble sum;
  for (const auto& weight : weights_) sum = sum + weight;
  return sum.value();
}

void RetainedRows::add(std::span<const double> row, DoubleDouble weight) {
  for (const double x : row) {
    // One bit pattern for every NaN and for zero: equal rows have equal bytes.
    values_.push_back(std::isnan(x) ? not_a_number : x == 0 ? 0.0 : x);
  }
  weights_.push_back(weight);
}

void RetainedRows::merge(const RetainedRows& other, int sign) {
  values_.insert(values_.end(), other.values_.begin(), other.values_.end());
  for (const auto& weight : other.weights_) weights_.push_back(sign < 0 ? -weight : weight);
  if (sign < 0) canonicalise();
}

void RetainedRows::canonicalise() {
  std::vector<std::size_t> order(size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto less = [&](std::size_t a, std::size_t b) { return compare(row(a), row(b)) < 0; };
  if (!std::is_sorted(order.begin(), order.end(), less)) {
    std::stable_sort(order.begin(), order.end(), less);
  }
  RetainedRows result(width_);
  for (std::size_t i = 0; i < order.size();) {
    const auto first = row(order[i]);
    DoubleDouble weight;
    for (; i < order.size() && compare(row(order[i]), first) == 0; ++i) {
      weight = weight + weights_[order[i]];
    }
    if (weight.hi != 0) result.add(first, weight);
  }
  *this = std::move(result);
}

bool RetainedRows::overdrawn() const {
  return std::any_of(weights_.begin(), weights_.end(), [](const auto& w) { return !(w.hi >= 0); });
}

// A file holds finite numbers only: missing values are zeros there, marked in an array of its own.
void RetainedRows::save(Tensors& tensors, const std::string& prefix) const {
  auto values = values_;
  std::vector<double> missing(values.size(), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) continue;
    values[i] = 0;
    missing[i] = 1;
  }
  tensors.put(prefix + ".values", values, {size(), width_});
  if (std::find(missing.begin(), missing.end(), 1.0) != missing.end()) {
    tensors.put(prefix + ".missing", missing, {size(), width_});
  }
  ExactSums sums(size());
  for (std::size_t i = 0; i < size(); ++i) sums.set(i, weights_[i]);
  tensors.put(prefix + ".weights", sums, {size()});
}

void RetainedRows::load(const Tensors& tensors, const std::string& prefix) {
  const auto found = tensors.all.find(prefix + ".weights");
  const std::size_t rows =
      found == tensors.all.end() || found->second.shape.empty() ? 0 : found->second.shape[0];
  const auto sums = tensors.sums(prefix + ".weights", {rows});
  values_ = tensors.numbers(prefix + ".values", {rows, width_});
  if (tensors.has(prefix + ".missing")) {
    const auto missing = tensors.numbers(prefix + ".missing", {rows, width_});
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (missing[i] != 0) values_[i] = not_a_number;
    }
  }
  weights_.clear();
  for (std::size_t i = 0; i < rows; ++i) weights_.push_back(sums.exact(i));
  for (std::size_t i = 0; i < rows; ++i) {
    if (!(weights_[i].hi > 0) || (i > 0 && compare(row(i - 1), row(i)) >= 0)) {
      throw Error(ErrorKind::model,
                  fmt::format("{}: row {} is out of order or has no weight", prefix, i));
    }
  }
}

}  // namespace credence
