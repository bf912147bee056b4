// SPDX-License-Identifier: Apache-2.0
// A column of numbers with a normal kernel at every value: a density without a form of its own.
// Derivations: docs/families/kernel.md
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/log_math.hpp"
#include "families/free_form/kernel_bandwidth.hpp"
#include "families/number/number_summary.hpp"

namespace credence {

// Where numbers can lie; both ends belong to it.
struct Support {
  double low = -infinity;
  double high = infinity;

  bool bounded() const { return low > -infinity || high < infinity; }
  bool contains(double x) const { return x >= low && x <= high; }
};

struct KernelOptions {
  Bandwidth bandwidth;
  Support support;
};

// "", "bandwidth=sj", "bandwidth=0.5, support=0..1", "support=positive".
KernelOptions parse_kernel(std::string_view parameters);

// The kernels of one sample, reflected at the ends of the support.
class Kernels {
 public:
  Kernels() = default;
  Kernels(WeightedSample sample, double bandwidth, const Support& support);

  double log_density(double x) const;
  double sample(Random& random) const;
  // Each value with another weight, drawn around its own; all of them weigh total().
  Kernels reweighted(Random& random) const;
  double total() const { return values_.total; }
  // Of a range within the support.
  double probability(double low, double high) const;

 private:
  void add_images(const WeightedSample& sample);

  WeightedSample points_;           // the values and their images beyond the ends
  WeightedSample values_;           // those alone,
  std::vector<double> cumulative_;  // and their weights summed up
  double bandwidth_ = 0;
  Support support_;
  double log_norm_ = 0;
};

// One class: its kernels and, under a prior, the whole column's normal or Student's t. Where zeros
// stand apart, of all other numbers.
struct KernelDensity : ZeroApart {
  Kernels kernels;
  NumberDensity column;
  Support support;
  double log_kernels = -infinity;  // the log share of either part; both -inf: flat
  double log_column = -infinity;   // within the support
  double bandwidth = 0;
  double rows = 0;
  double zeros = 0, others = 0;  // what both weigh where zeros stand apart, imaginary rows included

  // Other weights of zeros, rows and the `imaginary` rows, from their posterior.
  void draw(double imaginary, Random& random);
  double log_density(double x) const;
  double sample(Random& random) const;
  double probability(const NumberRange& range) const;
};

}  // namespace credence
