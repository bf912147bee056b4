// SPDX-License-Identifier: Apache-2.0
// Equal-tailed credible intervals of conjugate posteriors.
#pragma once

#include "credence/interval.hpp"

namespace credence {

// A probability with the posterior Beta(a, b); certain where a or b is 0.
Interval beta_interval(double a, double b, double level);
// A rate with the posterior Gamma(shape, rate); 0 where the shape is 0.
Interval gamma_interval(double shape, double rate, double level);
// mean + scale * t, t Student's with this freedom.
Interval student_interval(double mean, double scale, double freedom, double level);
// The square root of a variance with the posterior inverse gamma(freedom / 2, m2 / 2).
Interval sd_interval(double freedom, double m2, double level);

}  // namespace credence
