// SPDX-License-Identifier: Apache-2.0
// Names of regions in the plane.
#pragma once

#include <string>
#include <vector>

#include "plot/drawing/contour.hpp"
#include "plot/drawing/figure.hpp"

namespace credence::plot {

// Where a region is widest, if it is wide enough; it belongs to the class of most worth:
// worth[(j * nx + i) * classes + c].
void draw_region_names(Canvas& canvas, const Axes& axes, const Grid& grid,
                       const std::vector<double>& worth, const std::vector<std::string>& classes);

}  // namespace credence::plot
