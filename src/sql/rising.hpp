// SPDX-License-Identifier: Apache-2.0
// Log densities of counts in SQL, which has no log-gamma that one could rely on, and whose
// differences would cancel.
#pragma once

#include "sql/query.hpp"

namespace credence::sql {

// log of Γ(a + x) / (Γ(a) scale^x) for a > 0, x >= 0.
Expression log_rising(Query& query, double a, const Expression& x, double scale = 1);
// Of a count whose rate is Gamma(shape, per unit `rate`): the negative binomial, without log x!.
Expression log_counts_of_gamma(Query& query, const Expression& x, double shape, double rate);

}  // namespace credence::sql
