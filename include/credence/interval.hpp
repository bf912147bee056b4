// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

namespace credence {

// With the probability asked for (95 % unless told otherwise) the true value lies between; NaN: not
// known.
struct Interval {
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace credence
