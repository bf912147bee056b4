// SPDX-License-Identifier: Apache-2.0
// Two models that have learnt different columns of the same rows, as one.
#pragma once

#include "credence/model.hpp"

namespace credence {

// Throws a usage error where they share a column, or differ in their target or settings; a data
// error where they have not seen the same rows. Calibration and novelty are left behind. The
// classes have the first one's order.
Model beside(const Model& first, Model second);

}  // namespace credence
