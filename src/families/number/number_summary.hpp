// SPDX-License-Identifier: Apache-2.0
// What the gaussian family knows of the numbers of a class, and of a whole column. The zeros of a
// column that has many of them stand apart: docs/families/gaussian.md
#pragma once

#include <algorithm>

#include "families/numeric.hpp"

namespace credence {

// Moments that forget() leaves no trace below 0 in.
struct NumberSummary : Moments {
  DoubleDouble zeros = {};   // their weight, whether the moments are with or without them
  bool apart = false;        // the moments are those of the other numbers alone
  DoubleDouble within = {};  // the sum of the classes' m2, told as m2 is
  double classes = 0;        // that have numbers

  static NumberSummary of_class(const Moments& moments, DoubleDouble zeros) {
    NumberSummary result{moments};
    result.zeros = zeros;
    result.is_one_class();
    return result;
  }
  static NumberSummary of_row(double x, double weight) {
    return of_class(Moments::of(x, weight), x == 0 ? DoubleDouble(weight) : DoubleDouble());
  }

  // Zeros stand apart from ten rows on, and from a tenth of the rows on, where other numbers vary.
  bool zeros_stand_out() const {
    constexpr double least = 10, least_share = 0.1;
    const double all = weight.hi + (apart ? zeros.hi : 0.0);
    if (zeros.hi < least || zeros.hi < least_share * all) return false;
    return apart ? m2.hi > 0 : without_zeros().m2.hi > 0;
  }
  NumberSummary without_zeros() const {
    NumberSummary result = *this;
    result.Moments::forget({zeros, 0.0, 0.0, 0});
    if (result.m2.hi < 0) result.m2 = {};
    result.apart = true;
    result.is_one_class();
    return result;
  }

  void merge(const NumberSummary& other) {
    const int unit = exponent;
    Moments::merge(other);
    within = times_power(within, 2 * (unit - exponent)) + other.within_in(exponent);
    classes += other.classes;
    zeros = zeros + other.zeros;
    apart = apart || other.apart;
  }
  // Of a class.
  void forget(const NumberSummary& row) {
    take_out(row);
    is_one_class();
  }
  // Of the column, where a class was `before` and is `after` the row is gone.
  void forget(const NumberSummary& row, const NumberSummary& before, const NumberSummary& after) {
    const int unit = exponent;
    take_out(row);
    within = times_power(within, 2 * (unit - exponent)) - before.within_in(exponent) +
             after.within_in(exponent);
    if (within.hi < 0) within = {};
    classes += after.classes - before.classes;
  }

  // The part of the column's variance that rows of one class have: pooled over the classes, with
  // one imaginary row as wide as the column.
  double share_within() const {
    if (!(m2.hi > 0)) return 1;
    const double n = weight.value();
    const double in_variances = within.value() / (m2.value() / n);
    return std::min(1.0, (in_variances + 1) / (std::max(0.0, n - classes) + 1));
  }
  // What a class is thought of before its rows are seen. Under bayes, what lies within the classes
  // says how wide it is, and counts three times as much as where the column lies.
  NumberPrior prior(const Rule& rule) const {
    if (rule.kind != Rule::Kind::bayes) return {*this};
    return {*this, share_within(), 3};
  }

 private:
  void is_one_class() {
    within = m2;
    classes = weight.hi > 0 ? 1 : 0;
  }
  void take_out(const NumberSummary& row) {
    zeros = zeros - row.zeros;
    if (apart && row.zeros.hi != 0) return;
    Moments::forget(row);
    if (m2.hi < 0) m2 = {};
  }
  DoubleDouble within_in(int unit) const { return times_power(within, 2 * (exponent - unit)); }
};

// How probable a 0 is where it has a probability of its own, and how probable all other numbers.
struct ZeroApart {
  bool apart = false;
  double zero = 0;
  double log_zero = 0, log_other = 0;

  // From what zeros and others weigh.
  void set_apart(double zeros, double others);
};

// What a density says of itself whose column may be 0 with a probability of its own.
class HeapedAtZero {
 public:
  virtual ~HeapedAtZero() = default;
  virtual bool zeros_stand_apart() const = 0;
};

// A number that is 0 with a probability of its own, or that of a density alone.
struct NumberOrZero : NumberDensity, ZeroApart {
  double log_density(double x) const;
  sql::Expression sql(sql::Query& query, const sql::Expression& x) const;
  Working working(double x) const;
  double sample(Random& random) const;
  double probability(const NumberRange& range) const;
};

// What zeros and other numbers of a class weigh, with imaginary rows of the column's shares.
struct ZerosAndOthers {
  ZerosAndOthers(const NumberSummary& cls, const NumberSummary& column, const Rule& rule);
  double zeros, others;
};

}  // namespace credence
