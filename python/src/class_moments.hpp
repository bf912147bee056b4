// SPDX-License-Identifier: Apache-2.0
// Weight, mean and m2 of every class and column of a matrix. NaN is a missing value.
#pragma once

#include <cstdint>
#include <vector>

#include "core/moments.hpp"
#include "matrices.hpp"

namespace credence::python {

class ClassMoments {
 public:
  explicit ClassMoments(std::size_t columns) : columns_(columns) {}

  // Makes room: new class i was old class from[i], -1: new.
  void rearrange(const std::vector<std::int64_t>& from);

  // Learns rows. One with an infinite value is refused, and nothing is learned then.
  void observe(const Rows& rows, const Codes& codes, const std::optional<Weights>& weights,
               unsigned threads);
  // Class i of the other is class place[i] here.
  void merge(const ClassMoments& other, const std::vector<std::size_t>& place);
  void forget(const ClassMoments& other, const std::vector<std::size_t>& place);
  // All classes as one.
  ClassMoments collapsed() const;

  Matrix weight() const;
  Matrix mean() const;
  Matrix variance() const;
  // Of all classes together: the variance of each column.
  Vector column_variance() const;

  nb::bytes state() const;
  static ClassMoments from_state(std::size_t columns, const nb::bytes& bytes);
  std::size_t columns() const { return columns_; }

 private:
  template <typename Member>
  Matrix matrix(const Member& member) const;

  std::size_t columns_;
  std::vector<Moments> cells_;  // classes x columns
};

}  // namespace credence::python
