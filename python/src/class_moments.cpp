// SPDX-License-Identifier: Apache-2.0
#include "class_moments.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "parallel/parallel.hpp"
#include "row_sums.hpp"

namespace credence::python {

void ClassMoments::rearrange(const std::vector<std::int64_t>& from) {
  std::vector<Moments> cells(from.size() * columns_);
  for (std::size_t c = 0; c < from.size(); ++c) {
    if (from[c] < 0) continue;
    const auto old = cells_.begin() + from[c] * static_cast<std::ptrdiff_t>(columns_);
    std::copy_n(old, columns_, cells.begin() + static_cast<std::ptrdiff_t>(c * columns_));
  }
  cells_ = std::move(cells);
}

void ClassMoments::observe(const Rows& rows, const Codes& codes,
                           const std::optional<Weights>& weights, unsigned threads) {
  const std::size_t classes = columns_ == 0 ? 0 : cells_.size() / columns_;
  const std::span all(rows.data(), rows.size());
  const std::span all_codes(codes.data(), codes.shape(0));
  const std::span all_weights =
      weights ? std::span(weights->data(), weights->shape(0)) : std::span<const double>();
  // A part is read twice, so it should stay in the processor's cache; but its sums cost as much as
  // some rows of every class.
  const std::size_t fitting =
      std::clamp<std::size_t>((std::size_t{1} << 16) / (columns_ + 1), 64, 8192);
  const std::size_t part = std::max(fitting, 8 * classes);
  const std::size_t parts = (rows.shape(0) + part - 1) / part;
  std::vector<std::optional<RowSums>> sums(parts);
  parallel_for(threads, parts, [&](std::size_t i) {
    const std::size_t begin = i * part, count = std::min(part, rows.shape(0) - begin);
    sums[i].emplace(classes, columns_);
    sums[i]->add(all.subspan(begin * columns_, count * columns_), all_codes.subspan(begin, count),
                 all_weights.empty() ? all_weights : all_weights.subspan(begin, count));
  });
  parallel_for(threads, classes, [&](std::size_t c) {
    for (const auto& of_part : sums) {
      for (std::size_t j = 0; j < columns_; ++j) {
        cells_[c * columns_ + j].merge(of_part->moments(c, j));
      }
    }
  });
}

void ClassMoments::merge(const ClassMoments& other, const std::vector<std::size_t>& place) {
  for (std::size_t c = 0; c < place.size(); ++c) {
    for (std::size_t j = 0; j < columns_; ++j) {
      cells_[place[c] * columns_ + j].merge(other.cells_[c * columns_ + j]);
    }
  }
}

void ClassMoments::forget(const ClassMoments& other, const std::vector<std::size_t>& place) {
  for (std::size_t c = 0; c < place.size(); ++c) {
    for (std::size_t j = 0; j < columns_; ++j) {
      cells_[place[c] * columns_ + j].forget(other.cells_[c * columns_ + j]);
    }
  }
}

ClassMoments ClassMoments::collapsed() const {
  ClassMoments result(columns_);
  result.cells_.resize(columns_);
  for (std::size_t i = 0; i < cells_.size(); ++i) result.cells_[i % columns_].merge(cells_[i]);
  return result;
}

template <typename Member>
Matrix ClassMoments::matrix(const Member& member) const {
  std::vector<double> values;
  values.reserve(cells_.size());
  for (const auto& cell : cells_) values.push_back(cell.weight.hi > 0 ? member(cell) : 0.0);
  return to_numpy<Matrix>(std::move(values), {cells_.size() / columns_, columns_});
}

Matrix ClassMoments::weight() const {
  return matrix([](const Moments& m) { return m.weight.value(); });
}

Matrix ClassMoments::mean() const {
  return matrix([](const Moments& m) { return m.mean.value(); });
}

Matrix ClassMoments::variance() const {
  return matrix([](const Moments& m) { return (m.m2 / m.weight).value(); });
}

Vector ClassMoments::column_variance() const {
  std::vector<double> result(columns_, 0.0);
  const ClassMoments all = collapsed();
  for (std::size_t j = 0; j < columns_; ++j) {
    const auto& cell = all.cells_[j];
    if (cell.weight.hi > 0) result[j] = (cell.m2 / cell.weight).value();
  }
  return to_numpy<Vector>(std::move(result), {columns_});
}

nb::bytes ClassMoments::state() const {
  return nb::bytes(reinterpret_cast<const char*>(cells_.data()), cells_.size() * sizeof(Moments));
}

ClassMoments ClassMoments::from_state(std::size_t columns, const nb::bytes& bytes) {
  ClassMoments result(columns);
  if (columns == 0 || bytes.size() % (columns * sizeof(Moments)) != 0) {
    throw nb::value_error("pickle: the moments are damaged");
  }
  result.cells_.resize(bytes.size() / sizeof(Moments));
  std::memcpy(static_cast<void*>(result.cells_.data()), bytes.data(), bytes.size());
  return result;
}

}  // namespace credence::python
