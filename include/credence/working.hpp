// SPDX-License-Identifier: Apache-2.0
// How a number is computed, as one writes it by hand.
#pragma once

#include <string>

namespace credence {

// One expression, for people and for LaTeX.
struct Notation {
  std::string plain;
  std::string latex;
};

// How a factor comes about.
struct Working {
  Notation factor;        // what stands in the product: "2/9", "0.03396"
  Notation formula = {};  // what it was computed from, where that says more; else empty
  bool density = false;   // p rather than P: not a probability, and may exceed 1
};

// "0.005291", and what LaTeX makes of "5.3e-12".
Notation notation(double value);
// The number whose logarithm this is, also where a double could not hold it.
Notation notation_of_log(double log_value);

}  // namespace credence
