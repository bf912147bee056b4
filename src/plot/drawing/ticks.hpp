// SPDX-License-Identifier: Apache-2.0
// Where an axis has its marks, and what they say.
#pragma once

#include <string>
#include <vector>

namespace credence::plot {

struct Range {
  double low = 0, high = 1;
  double width() const { return high - low; }
};

struct Tick {
  double value;
  std::string label;
};

// Multiples of 1, 2 or 5 times a power of ten inside the range, at most about `most` of them.
// whole: only whole numbers.
std::vector<Tick> ticks(const Range& range, double most, bool whole = false);
// Powers of ten, and 2 and 5 times these where there is room; the range is positive.
std::vector<Tick> log_ticks(const Range& range, double most);

// Of days since 1970-01-01: years, months or days, called by their date; less than two days are
// hours.
std::vector<Tick> date_ticks(const Range& range, double most);

// The range of the finite values; without any, or all alike, a range around them.
Range range_of(const std::vector<double>& values);
// Wider by `share` of its width to each side.
Range widened(const Range& range, double share);

}  // namespace credence::plot
