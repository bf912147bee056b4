// SPDX-License-Identifier: Apache-2.0
// How wide the kernels of a kernel density are. docs/families/kernel.md
#pragma once

#include "families/bags/value_counts.hpp"

namespace credence {

struct Bandwidth {
  enum class Kind {
    silverman,       // 0.9 min(sd, IQR / 1.34) n^(-1/5)
    sheather_jones,  // solve the equation
    improved,        // Botev, Grotowski & Kroese: by diffusion, without a normal reference
    given,           // `number`
  };
  Kind kind = Kind::silverman;
  double number = 0;
};

// min(sd, IQR / 1.34), or the sd where half of the values are equal: a width that an outlier does
// not move. 0: the values do not vary.
double robust_scale(const WeightedSample& sample);

// Of a sample that varies; where a rule's equation has no solution, Silverman's rule.
double choose_bandwidth(const WeightedSample& sample, const Bandwidth& rule);

double silverman(double scale, double n);

}  // namespace credence
