// SPDX-License-Identifier: Apache-2.0
// A column of numbers judged row by row, each row by the moments without it.
#pragma once

#include <span>
#include <vector>

#include "core/moments.hpp"
#include "families/numeric.hpp"

namespace credence {

// Taking a row away changes its class's moments, and those of the whole column, from which every
// class's imaginary rows come. Derivation: docs/families/gaussian.md, "Forgetting".
class GaussianHeldOut {
 public:
  GaussianHeldOut(const std::vector<Moments>& moments, const Estimation& estimation);

  // out[c] += weight * log p(x | c) without the row (x, cls, own_weight). False, and nothing done,
  // where that cannot be estimated, or only just: such rows are for the long way.
  bool add(double x, std::size_t cls, double own_weight, double weight, std::span<double> out);

 private:
  double student_norm(std::size_t cls, bool own, double freedom);
  bool estimate(const Moments& observed, const Moments& column, std::size_t cls, bool own,
                NumberDensity& density);

  const std::vector<Moments>& moments_;
  const Estimation& estimation_;
  Moments column_;
  double imaginary_;
  bool whole_works_ = true;  // with all rows, every class can be estimated
  struct Norm {
    double freedom = 0, log = 0;
  };
  std::vector<Norm> norms_;  // of each class, with and without the row: they repeat
  std::vector<NumberDensity> densities_;
};

}  // namespace credence
