// SPDX-License-Identifier: Apache-2.0
// A density for each class along one axis, with the rows of the data behind.
#pragma once

#include <string>
#include <vector>

#include "plot/drawing/figure.hpp"
#include "plot/slice.hpp"

namespace credence::plot {

struct ClassCurves {
  std::string title, subtitle;
  std::string x, y;    // what the axes say
  std::string target;  // above the legend
  std::vector<std::string> classes;
  Range range;                            // of x
  bool counts = false;                    // x is a whole number
  std::vector<std::vector<Point>> lines;  // by class
  Points rows;
};

std::string class_curves(const ClassCurves& chart, const Look& look);

}  // namespace credence::plot
