// SPDX-License-Identifier: Apache-2.0
// A column of numbers in bins: one probability per bin and class, spread evenly over the bin's
// width. Derivations: docs/families/histogram.md
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "families/family.hpp"

namespace credence {

// One class; without bins it is flat (log density 0).
struct BinDensity {
  std::shared_ptr<const std::vector<double>> edges;
  std::vector<double> counts;
  std::vector<double> shares;         // probability of each bin
  std::vector<double> log_densities;  // log of share / width
  double log_outside = 0;             // beyond the outermost edges, the same for every class

  double log_density(double x) const;
  sql::Expression sql(sql::Query& query, const sql::Expression& x) const;
  double sample(Random& random) const;
  double probability(const NumberRange& range) const;
};

// What a density that is flat between edges, and none beyond them, says of itself.
class Stepped {
 public:
  virtual ~Stepped() = default;
  virtual std::span<const double> edges() const = 0;  // fewer than two: it has no steps
};

}  // namespace credence
