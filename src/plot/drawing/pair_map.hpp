// SPDX-License-Identifier: Apache-2.0
// A square of cells, one for every pair of names, shaded by a number.
#pragma once

#include <string>
#include <vector>

#include "plot/drawing/canvas.hpp"

namespace credence::plot {

struct PairMap {
  std::string title, subtitle;
  std::string heading;                     // of the colour bar
  std::vector<std::string> names;          // of rows and columns alike
  std::vector<std::vector<double>> cells;  // [row][column]; NaN: none, and left white
  std::vector<std::vector<bool>> marked;   // these have a thick rim; empty: none has
};
std::string pair_map(const PairMap& map, const Look& look);

}  // namespace credence::plot
