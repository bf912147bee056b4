// SPDX-License-Identifier: Apache-2.0
// Where functions of one column of numbers are computed, and the lines and areas that follow.
#pragma once

#include <vector>

#include "plot/slice.hpp"

namespace credence::plot {

class Along {
 public:
  // Close enough together for the narrowest class; at whole numbers for counts; in the middle of
  // each bin of a density that is flat in bins.
  Along(const Slice& slice, std::size_t column, const Range& range);

  const std::vector<double>& places() const { return places_; }
  const std::vector<double>& edges() const { return edges_; }
  // Through the values at the places; steps, 0 beyond the last, where there are bins.
  std::vector<Point> line(const std::vector<double>& values) const;
  // The integral of a function with these values; the sum where there are counts.
  double area(const std::vector<double>& values) const;

 private:
  bool counts_;
  std::vector<double> edges_, places_;
};

// Of an axis for densities: half a count of room on both sides of counts.
Range range_along(const Slice& slice, const std::vector<Chunk>& data, std::size_t column);

}  // namespace credence::plot
