// SPDX-License-Identifier: Apache-2.0
// Log densities of counts that stay accurate where differences of log-gammas would cancel.
// C. Loader, "Fast and accurate computation of binomial probabilities" (2000).
#pragma once

namespace credence {

// log of Γ(a + x) / Γ(a) for a > 0, x >= 0.
double log_rising(double a, double x);
// log of rate^x exp(-rate) / x!, also for rate 0.
double log_poisson(double x, double rate);
// log of the negative binomial: a Poisson whose rate is Gamma(shape, per unit `rate`).
double log_negative_binomial(double x, double shape, double rate);
// log of x! = Γ(x + 1), for x >= 0; small whole numbers are looked up.
double log_factorial(double x);
// log of Γ((v + 1) / 2) / (Γ(v / 2) sqrt(pi v)).
double log_student_norm(double freedom);

// P(low < z < high) for Student's t, or for a normal where freedom is infinite.
double student_between(double low, double high, double freedom);

}  // namespace credence
